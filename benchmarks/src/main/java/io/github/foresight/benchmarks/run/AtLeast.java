/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.benchmarks.run;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The least number that an option accepts; {@link Benchmark} checks it before it measures. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface AtLeast {
    long value();
}
