/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Which client caches hold which files' entries, so that each cache can be told what has changed: a {@link
 * io.github.foresight.core.grant.GrantTable} of {@linkplain io.github.foresight.core.grant.CacheRecord records}, in one byte
 * budget.
 */
package io.github.foresight.core.grant;
