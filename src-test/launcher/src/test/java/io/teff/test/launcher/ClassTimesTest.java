package io.teff.test.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The time of each class follows from the reports of the test runner, the slowest class first. */
final class ClassTimesTest {
    @TempDir
    private Path root;

    private void report(String folder, String name, String seconds) throws IOException {
        Path file = root.resolve("engine/target").resolve(folder).resolve("TEST-" + name + ".xml");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "<?xml version=\"1.0\"?>\n<testsuite name=\"io.teff." + name + "\" time=\"" + seconds
            + "\" tests=\"3\" errors=\"0\" skipped=\"1\" failures=\"0\">\n<testcase/>");
    }

    @Test
    void classes_areListedByTime_withTheirLanes() throws IOException {
        report("surefire-reports", "Quick", "0.5");
        report("surefire-reports-system", "Slow", "1,002.25");
        report("surefire-reports-plain", "Quick", "2");
        Module module = new Module("engine", "e", "E", root.resolve("engine/pom.xml"), List.of(), List.of(),
            List.of(), List.of(), true);
        List<String> lines = ClassTimes.lines(ClassReport.of(module));
        assertEquals(List.of("seconds tests lane module class", "1002.3 3 system engine Slow",
            "2.0 3 plain engine Quick", "0.5 3 unit engine Quick", "1004.8 9 in 3 classes"),
            lines.stream().map(line -> line.strip().replaceAll(" +", " ")).toList());
    }
}
