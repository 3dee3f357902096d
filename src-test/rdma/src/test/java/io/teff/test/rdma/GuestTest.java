package io.teff.test.rdma;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.teff.test.kit.ChildProcess;
import io.teff.test.kit.Form;
import io.teff.test.kit.Project;
import io.teff.test.rdma.guest.GuestMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: the verbs, and the transport over them, work on devices. Method: boots a guest with software devices, runs all
 * classes of the package {@code guest} there, and shows each of their tests as one of its own. Without a built guest
 * nothing is run, and one line says how to build it; {@code -Dteff.rdma.accel=tcg} takes the emulator instead.
 */
final class GuestTest {
    private static final String SCRIPT = "src-test/rdma-vm/rdma-vm.sh";
    private static final String UML = "uml";
    private static final int LIMIT_SECONDS = 900;
    /** Limit of one test. */
    private static final int TEST_SECONDS = Integer.getInteger("teff.rdma.seconds", 90);
    private static final int LINES_SHOWN = 60;

    /** What the guest has printed about one test. */
    private record Line(String name, String result, List<String> text) {
        private void report() {
            switch (result) {
                case GuestMain.PASSED -> assertTrue(text.isEmpty());
                case GuestMain.SKIPPED -> assumeTrue(false, String.join("\n", text));
                default -> fail(String.join("\n", text));
            }
        }
    }

    private static List<String> run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        try (BufferedReader reader = process.inputReader()) {
            return reader.lines().toList();
        }
    }

    private static boolean isBuilt(String script) throws IOException {
        return run(List.of("bash", script, "info")).stream()
            .anyMatch(line -> line.startsWith("uml kernel") && !line.contains("not built"));
    }

    /** The guest has a limit of its own, which ends it. */
    @TestFactory
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    List<DynamicTest> tests_inTheGuest_pass() throws IOException {
        String script = Project.file(SCRIPT).toString();
        String accel = System.getProperty("teff.rdma.accel", isBuilt(script) ? UML : "");
        if (accel.isEmpty()) {
            String reason = "rdma: left out, no guest is built; " + SCRIPT + " setup --uml builds it in minutes";
            System.out.println(reason);                        // a test that is left out, as a lane without any is red
            return List.of(dynamicTest("guest", () -> assumeTrue(false, reason)));
        }
        List<String> output = run(List.of("bash", script, "run", "--accel", accel, "--timeout",
            Integer.toString(LIMIT_SECONDS + TEST_SECONDS), "--", ChildProcess.java(), "-ea", "-Xmx512m",
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-XX:-CreateCoredumpOnCrash",
            "-Dteff.rdma.leaks=true", "-Dteff.full=" + Form.isFull(), "-Dteff.long=" + Form.isLong(),
            "-Dteff.reads=" + System.getProperty("teff.reads", ""), "-Dteff.rdma.seconds=" + TEST_SECONDS,
            "--enable-native-access=ALL-UNNAMED", "-cp", ChildProcess.classPath(), GuestMain.class.getName(),
            System.getProperty("teff.rdma.tests", "")));
        List<DynamicTest> tests = lines(output).stream().map(line -> dynamicTest(line.name, line::report)).toList();
        assertTrue(output.contains(GuestMain.END + tests.size()) && !tests.isEmpty(),
            () -> "the guest did not end well:\n" + String.join("\n", last(output)));
        return tests;
    }

    private static List<String> last(List<String> output) {
        return output.subList(Math.max(0, output.size() - LINES_SHOWN), output.size());
    }

    private static List<Line> lines(List<String> output) {
        List<Line> lines = new ArrayList<>();
        for (String text : output) {
            String[] words = text.split(" ", 3);
            if (text.startsWith(GuestMain.TEXT) && !lines.isEmpty()) {
                lines.getLast().text.add(text.substring(GuestMain.TEXT.length()));
            } else if (text.startsWith(GuestMain.END)) {
                System.out.println(text);
            } else if (words.length == 3 && words[0].equals(GuestMain.TEST)) {
                lines.add(new Line(words[2], words[1], new ArrayList<>()));
            } else {
                System.out.println(text);
            }
        }
        return lines;
    }
}
