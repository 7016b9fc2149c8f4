/* SPDX-License-Identifier: Apache-2.0 */
package io.github.foresight.it;

import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs tests of any JUnit version in this JVM, with its class path. Prints the result of each test on a separate line. */
public final class HadoopTestRunner {

    static final String PASSED = "TEST PASSED ";
    static final String FAILED = "TEST FAILED ";
    static final String SKIPPED = "TEST SKIPPED ";

    private HadoopTestRunner() {}

    /** Runs the named tests, each {@code class#method} or a whole class. The JVM exits even if threads of the daemons are left. */
    public static void main(String[] tests) {
        List<DiscoverySelector> selectors = new ArrayList<>();
        for (String test : tests) {
            selectors.add(
                    test.contains("#") ? DiscoverySelectors.selectMethod(test) : DiscoverySelectors.selectClass(test));
        }
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request().selectors(selectors).build();
        LauncherFactory.create().execute(request, new Reporter());
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static final class Reporter implements TestExecutionListener {
        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            boolean passed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
            if (test.isTest() || !passed) {
                System.out.println(outcome(result) + test.getDisplayName());
                result.getThrowable().ifPresent(failure -> failure.printStackTrace(System.out));
            }
        }

        private static String outcome(TestExecutionResult result) {
            return switch (result.getStatus()) {
                case SUCCESSFUL -> PASSED;
                case ABORTED -> SKIPPED;
                case FAILED -> FAILED;
            };
        }
    }
}
