package io.teff.test.rdma.guest;

import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;
import static org.junit.platform.launcher.TagFilter.excludeTags;

import io.teff.test.kit.Form;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs the tests of this package in the guest, and prints lines about them for the test on the host. */
public final class GuestMain {
    /** Begins a line about a test; the result and the name follow. */
    public static final String TEST = "guest:";
    /** A result. */
    public static final String PASSED = "PASSED";
    /** A result. */
    public static final String FAILED = "FAILED";
    /** A result. */
    public static final String SKIPPED = "SKIPPED";
    /** Begins a line of text of the test before it. */
    public static final String TEXT = "guest| ";
    /** Begins the last line; the number of tests follows. */
    public static final String END = "guest: end ";

    private static final String CLASSES = ".*InGuest";

    private GuestMain() {}

    /** Runs the tests of this form, or all those of the classes whose names contain the argument. */
    public static void main(String[] arguments) {
        String wanted = arguments.length == 0 ? "" : arguments[0];
        PrintStream out = System.out;
        Listener listener = new Listener(out);
        LauncherFactory.create().execute(LauncherDiscoveryRequestBuilder.request()
            .selectors(selectPackage(GuestMain.class.getPackageName()))
            .filters(includeClassNamePatterns(wanted.isEmpty() ? CLASSES : ".*" + wanted + CLASSES))
            .filters(excludeTags(excluded(wanted)))
            .configurationParameter("junit.jupiter.testclass.order.default",
                ClassOrderer.OrderAnnotation.class.getName())
            .configurationParameter("junit.jupiter.execution.timeout.default",
                Integer.getInteger("teff.rdma.seconds", 90) + " s")
            .configurationParameter("junit.jupiter.execution.timeout.threaddump.enabled", "true")
            .build(), listener);
        out.println(END + listener.count);
        out.flush();
        System.exit(0);
    }

    /** Returns the tags of the tiers above this form; named classes run in each. */
    private static List<String> excluded(String wanted) {
        if (!wanted.isEmpty() || Form.isLong()) {
            return List.of("none");
        }
        return Form.isFull() ? List.of("long") : List.of("long", "full");
    }

    /** Prints each test when it ends. */
    private static final class Listener implements TestExecutionListener {
        private final PrintStream out;
        private int count;

        private Listener(PrintStream out) {
            this.out = out;
        }

        private void print(String result, TestIdentifier test, Throwable failure) {
            String name = test.getSource().filter(MethodSource.class::isInstance).map(MethodSource.class::cast)
                .map(source -> source.getClassName().replaceFirst(".*\\.", "") + "." + test.getDisplayName())
                .orElse(test.getDisplayName());
            count++;
            out.println(TEST + " " + result + " " + name);
            if (failure != null) {
                StringWriter text = new StringWriter();
                failure.printStackTrace(new PrintWriter(text, true));
                text.toString().lines().limit(40).forEach(line -> out.println(TEXT + line));
            }
            out.flush();
        }

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            print(SKIPPED, test, new AssertionError(reason));
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            switch (result.getStatus()) {
                case SUCCESSFUL -> {
                    if (test.isTest()) {
                        print(PASSED, test, null);
                    }
                }
                case ABORTED -> print(SKIPPED, test, result.getThrowable().orElse(null));
                default -> print(FAILED, test, result.getThrowable().orElseGet(AssertionError::new));
            }
        }
    }
}
