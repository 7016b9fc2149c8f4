/* SPDX-License-Identifier: Apache-2.0 */
/** What all commands that start daemons have in common on their command lines. */
@NullMarked
package io.github.foresight.tools.run;

import org.jspecify.annotations.NullMarked;
