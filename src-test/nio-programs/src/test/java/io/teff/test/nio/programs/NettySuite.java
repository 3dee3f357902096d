package io.teff.test.nio.programs;

import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs netty's tests of its transport, and tells the result of each. The tests open their channels by the provider of
 * the JVM.
 *
 * <p>Left out are tests of multicast and of connects that time out: these tests need addresses outside of the machine.
 */
final class NettySuite {
    static final String RESULT = "RESULT";
    private static final String PACKAGE = "io.netty.testsuite.transport.socket";

    private NettySuite() {}

    public static void main(String[] arguments) {
        System.setProperty("io.netty.transport.noNative", "true");
        System.setProperty("io.netty.testsuite.badHost", "127.0.0.1");
        System.setProperty("io.netty.testsuite.badPort", "1");
        final Results results = new Results();
        final LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectPackage(PACKAGE))
            .filters(ClassNameFilter.includeClassNamePatterns(arguments[0]),
                ClassNameFilter.excludeClassNamePatterns(".*Multicast.*", ".*SocketConnectionAttemptTest"))
            .configurationParameter("junit.jupiter.execution.timeout.default", "60 s")
            .build();
        final Launcher launcher = LauncherFactory.create();
        launcher.execute(request, results);
        Told.counts();
        Told.line(Told.DONE, results.all.size());
        System.exit(0);                                         // threads that tests of netty leave behind
    }

    /** The results by the name of the test. */
    private static final class Results implements TestExecutionListener {
        private final Map<String, String> all = new TreeMap<>();

        @Override
        public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest() || result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                tell(test, result.getStatus().name(), result.getThrowable().map(Results::text).orElse(""));
            }
        }

        @Override
        public synchronized void executionSkipped(TestIdentifier test, String reason) {
            tell(test, "SKIPPED", reason);
        }

        private void tell(TestIdentifier test, String status, String why) {
            final String name = test.getUniqueId().replaceAll("\\[engine:[^]]*]/|\\[|]|" + PACKAGE + "\\.", "")
                .replaceAll("(class|method|test-template|test-template-invocation):", "").replace(' ', '_');
            all.put(name, status);
            Told.line(RESULT, status + " " + name + " " + why.replace('\n', ' '));
        }

        private static String text(Throwable failure) {
            Throwable cause = failure;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            final StackTraceElement[] trace = cause.getStackTrace();
            final StringBuilder text = new StringBuilder(String.valueOf(failure)).append(" BY ").append(cause);
            for (int i = 0; i < Math.min(trace.length, 8); i++) {
                text.append(" AT ").append(trace[i]);
            }
            return text.toString();
        }
    }
}
