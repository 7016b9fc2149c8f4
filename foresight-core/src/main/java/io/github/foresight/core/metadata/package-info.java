/* SPDX-License-Identifier: Apache-2.0 */
/** The client's cache of files' metadata: which entries stay. Follows Nexus (Gu et al.), section 4.3. */
package io.github.foresight.core.metadata;
