/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Records of the entries that client caches hold, so that each cache receives the changes that concern it. A
 * {@link io.github.foresight.core.grant.GrantTable} holds
 * {@linkplain io.github.foresight.core.grant.CacheRecord records} within one budget of bytes.
 */
package io.github.foresight.core.grant;
