package io.teff.test.nio.programs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.nio.selector.report.LinkReason;
import io.teff.test.kit.tier.FullTier;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** netty's own tests of its transport: each test that passes with the provider of the JDK passes with this provider. */
@FullTier("some 200 tests of netty in each of two processes, minutes; NettyTest has netty in the gate")
@Tag("processes")
final class NettySuiteTest {
    private static final String SOCKETS = "socket tests";
    private static final int TESTS_AT_LEAST = 200;
    private static final int LINKS_AT_LEAST = 200;
    private static final int REPETITIONS = 5;

    @TempDir
    private Path folder;

    @Test
    void testsOfNetty_whichPassWithTheJdk_passWithTheProvider() throws Exception {
        Program.assumeLinks(folder);
        final String classes = System.getProperty("teff.netty.tests", ".*");
        try (Program jdk = Program.plain(folder, NettySuite.class, classes);
                Program teff = Program.withProvider(Transports.CHOSEN, folder, NettySuite.class, classes)) {
            jdk.done();
            teff.done();
            final Map<String, String> expected = results(jdk);
            final Map<String, String> found = results(teff);
            assertEquals(expected.keySet(), found.keySet(), SOCKETS);
            final List<String> worse = expected.keySet().stream()
                .filter(name -> isPassed(expected, name) && !isPassed(found, name) && !isLate(found.get(name), name))
                .map(name -> name + ": " + found.get(name)).toList();
            System.out.println("netty: " + found.size() + " tests, " + worse.size() + " worse than with the JDK, "
                + teff.count(LinkReason.UCX) + " ends of links");
            assertEquals(List.of(), worse, () -> String.join("\n", worse));
            if (classes.equals(".*")) {
                assertTrue(found.size() >= TESTS_AT_LEAST, () -> found.size() + " tests");
                assertTrue(teff.count(LinkReason.UCX) >= LINKS_AT_LEAST, teff::toString);
            }
        }
    }

    private static boolean isPassed(Map<String, String> results, String name) {
        return String.valueOf(results.get(name)).startsWith("SUCCESSFUL");
    }

    /**
     * Returns whether a test has only met its own limit of time on a busy machine: the class passes alone, each of some
     * times.
     */
    private boolean isLate(String result, String name) {
        if (!result.contains("TimeoutException")) {
            return false;
        }
        final String type = name.substring(0, name.indexOf('/'));
        for (int i = 0; i < REPETITIONS; i++) {
            try (Program again = Program.withProvider(Transports.CHOSEN, folder, NettySuite.class, ".*\\." + type)) {
                again.done();
                if (!isPassed(results(again), name)) {
                    return false;
                }
            } catch (Exception e) {
                throw new AssertionError(name, e);
            }
        }
        System.out.println("netty: late on a busy machine, and " + REPETITIONS + " times right alone: " + name);
        return true;
    }

    private static Map<String, String> results(Program program) {
        final Map<String, String> results = new TreeMap<>();
        for (String line : program.all(NettySuite.RESULT)) {
            final String[] words = line.split(" ", 3);
            results.put(words[1], words[0] + " " + words[2]);
        }
        return results;
    }
}
