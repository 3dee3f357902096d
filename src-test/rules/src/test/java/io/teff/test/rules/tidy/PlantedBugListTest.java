package io.teff.test.rules.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.rules.Repository;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The list of planted bugs names tests that exist; without that it would be prose. */
final class PlantedBugListTest {
    private static final Path LIST = Path.of("src-test/planted-bugs.tsv");
    private static final int COLUMNS = 3;
    private static final int ROWS_MIN = 100;

    @Test
    void list_ofThisRepository_namesTestsThatExist() {
        Set<String> tests = Repository.files(".java").stream().filter(path -> path.startsWith("src-test"))
            .map(path -> path.getFileName().toString().replace(".java", "")).collect(Collectors.toSet());
        List<Finding> findings = check(Repository.read(LIST), tests);
        assertEquals(List.of(), findings, () -> Finding.list(findings));
    }

    @Test
    void list_ofThisRepository_isNotEmpty() {
        assertTrue(Repository.read(LIST).lines().filter(line -> !line.startsWith("#")).count() >= ROWS_MIN);
    }

    @Test
    void check_missingTestOrColumn_isFound() {
        assertEquals(1, check("engine\ta bug\tNoTest\n", Set.of("SomeTest")).size());
        assertEquals(1, check("engine\ta bug\n", Set.of("SomeTest")).size());
        assertEquals(1, check("engine\t\tSomeTest\n", Set.of("SomeTest")).size());
        assertEquals(0, check("# head\nengine\ta bug\tSomeTest\n", Set.of("SomeTest")).size());
    }

    private static List<Finding> check(String list, Set<String> tests) {
        List<Finding> findings = new ArrayList<>();
        List<String> lines = list.lines().toList();
        for (int index = 0; index < lines.size(); index++) {
            String[] columns = lines.get(index).split("\t", -1);
            if (lines.get(index).startsWith("#")) {
                continue;
            }
            if (columns.length != COLUMNS || columns[1].isBlank()) {
                findings.add(new Finding(LIST.toString(), index + 1, "not area, bug and tests"));
                continue;
            }
            for (String test : columns[2].split(",")) {
                if (!tests.contains(test)) {
                    findings.add(new Finding(LIST.toString(), index + 1, test + ": no such test"));
                }
            }
        }
        return findings;
    }
}
