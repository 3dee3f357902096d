package io.teff.test.suite.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.suite.Repository;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Goal: no test is lost between the short and the long form. Method: docs/LANES.md names each class that differs in
 * them, and the sources are searched for what makes a class differ.
 */
final class LanesTest {
    private static final Path PAGE = Path.of("docs/LANES.md");
    private static final Path SLOW = Path.of("src-test/launcher/slow.txt");
    /** A row of the table: a class in the first column. */
    private static final Pattern ROW = Pattern.compile("^\\| `(\\w+)` \\|", Pattern.MULTILINE);
    private static final Pattern DIFFERS = Pattern.compile(
        "\\bForm\\.(?:size|isLong)\\(|@Tag\\(\"long\"\\)|Boolean\\.getBoolean\\(\"teff\\.long\"\\)");

    private static Set<String> named() {
        Set<String> found = new TreeSet<>();
        Matcher row = ROW.matcher(Repository.read(PAGE));
        while (row.find()) {
            assertTrue(found.add(row.group(1)), () -> "twice: " + row.group(1));
        }
        return found;
    }

    private static String simpleName(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    /** Classes of tests that differ, without the kit that makes them do so and the rule that looks for them. */
    private static Set<String> differing() {
        return Repository.files(".java").stream()
            .filter(file -> file.startsWith("src-test") && !file.startsWith("src-test/kit")
                && !simpleName(file).equals("LanesTest"))
            .filter(file -> DIFFERS.matcher(Repository.read(file)).find())
            .map(LanesTest::simpleName).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void classesThatDiffer_areInTheTable_andNoOthers() {
        assertFalse(named().isEmpty());
        assertEquals(differing(), named());
    }

    @Test
    void slowClasses_exist() {
        Set<String> all = Repository.files(".java").stream().map(LanesTest::simpleName).collect(Collectors.toSet());
        Set<String> slow = Repository.read(SLOW).lines().filter(line -> !line.isBlank() && !line.startsWith("#"))
            .map(line -> line.split(" ", 2)[0]).collect(Collectors.toSet());
        assertFalse(slow.isEmpty());
        slow.removeAll(all);
        assertEquals(Set.of(), slow);
    }
}
