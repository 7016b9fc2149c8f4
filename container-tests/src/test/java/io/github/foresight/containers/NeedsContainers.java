/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.containers;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A test that needs containers. If no container can run, the test is skipped with the reason; with {@code CI=true} it fails instead. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsContainers.Condition.class)
@interface NeedsContainers {

    /** The condition of the tests, from {@link ContainerEngine}. */
    final class Condition implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            Optional<String> obstacle = ContainerEngine.obstacle();
            if (obstacle.isEmpty()) {
                return ConditionEvaluationResult.enabled("containers can be run");
            }
            if (Boolean.parseBoolean(System.getenv("CI"))) {
                throw new IllegalStateException("with CI=true the container tests must run: " + obstacle.get());
            }
            return ConditionEvaluationResult.disabled(obstacle.get());
        }
    }
}
