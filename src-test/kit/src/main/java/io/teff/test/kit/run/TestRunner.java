package io.teff.test.kit.run;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import org.junit.platform.engine.Filter;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the test classes whose names arrive on a socket, one per line, and writes to the socket each failure and one
 * line {@code DONE tests failed skipped seconds} for each class. Standard output would not do: native libraries write
 * to it, too.
 */
public final class TestRunner {
    private static final int FRAMES_MAX = 12;
    private static final int LINES_MAX = 12;
    private static final String REPRODUCE = "reproduce:";

    private TestRunner() {}

    /**
     * Serves until the other side closes the socket.
     *
     * @param arguments the path of a Unix domain socket, the tags to leave out, separated by commas, and perhaps a tag
     *     that a test must have
     */
    public static void main(String[] arguments) throws IOException {
        List<Filter<?>> filters = new ArrayList<>();
        filters.add(TagFilter.excludeTags(arguments[1].split(",")));
        if (arguments.length > 2) {
            filters.add(TagFilter.includeTags(arguments[2]));
        }
        try (SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(arguments[0]));
                BufferedReader reader = new BufferedReader(Channels.newReader(socket, StandardCharsets.UTF_8));
                PrintStream out = new PrintStream(Channels.newOutputStream(socket), true, StandardCharsets.UTF_8)) {
            serve(reader, out, filters.toArray(Filter[]::new));
        }
        System.exit(0);                                         // tests may leave threads behind
    }

    private static void serve(BufferedReader reader, PrintStream out, Filter<?>[] filters) throws IOException {
        Launcher launcher = LauncherFactory.create();
        for (String name = reader.readLine(); name != null; name = reader.readLine()) {
            Counter counter = new Counter(out, name);
            long start = System.nanoTime();
            try {
                launcher.execute(LauncherDiscoveryRequestBuilder.request().selectors(selectClass(name))
                    .filters(filters)
                    .configurationParameter("jqwik.reporting.onlyfailures", "true")
                    .configurationParameter("junit.jupiter.execution.timeout.default", "5 m")
                    .configurationParameter("junit.jupiter.execution.timeout.threaddump.enabled", "true").build(),
                    counter);
            } catch (RuntimeException | LinkageError e) {
                counter.fail(name, e);
            }
            out.printf(Locale.ROOT, "DONE %d %d %d %.2f%n", counter.tests, counter.failed, counter.skipped,
                (System.nanoTime() - start) / 1e9);
            out.flush();
        }
    }

    /** Counts tests, and prints failures. */
    private static final class Counter implements TestExecutionListener {
        private final PrintStream out;
        private final String className;
        private final Queue<String> hints = new ArrayDeque<>();
        private long tests;
        private long failed;
        private long skipped;

        private Counter(PrintStream out, String className) {
            this.out = out;
            this.className = className;
        }

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            tests++;
            skipped++;
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            boolean isAborted = result.getStatus() == TestExecutionResult.Status.ABORTED;
            tests += test.isTest() ? 1 : 0;
            skipped += isAborted ? 1 : 0;
            if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                tests += test.isTest() ? 0 : 1;                 // a class that could not be set up
                fail(test.getDisplayName(), result.getThrowable().orElse(null));
            }
        }

        private void fail(String test, Throwable failure) {
            failed++;
            out.println("FAILED " + className + " " + test);
            Optional.ofNullable(failure).ifPresent(this::print);
            String simple = className.substring(className.lastIndexOf('.') + 1);
            out.println("  reproduce: ./teff test --fast " + simple
                + (hints.isEmpty() ? "" : "   with the flags of: " + hints.poll()));
        }

        private void print(Throwable failure) {
            String text = String.valueOf(failure);
            text.lines().limit(LINES_MAX).forEach(line -> out.println("  " + line));
            text.lines().filter(line -> line.contains(REPRODUCE)).findFirst().ifPresent(
                line -> hints.add(line.substring(line.indexOf(REPRODUCE) + REPRODUCE.length()).strip()));
            StackTraceElement[] frames = failure.getStackTrace();
            for (int i = 0, shown = 0; i < frames.length && shown < FRAMES_MAX; i++) {
                if (frames[i].getClassName().startsWith("io.teff.")) {
                    out.println("    at " + frames[i]);
                    shown++;
                }
            }
            if (failure.getCause() != null) {
                out.println("  caused by");
                print(failure.getCause());
            }
        }
    }
}
