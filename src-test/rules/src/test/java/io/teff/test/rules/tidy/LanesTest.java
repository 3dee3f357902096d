package io.teff.test.rules.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.rules.Repository;
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
    private static final Path SYSTEM = Path.of("src-test/system");
    private static final Pattern TAGGED = Pattern.compile("^@Tag\\(\"system\"\\)", Pattern.MULTILINE);
    private static final Path SLOW = Path.of("src-test/launcher/slow.txt");
    /** A row of the table: a class in the first column. */
    private static final Pattern ROW = Pattern.compile("^\\| `(\\w+)` \\|", Pattern.MULTILINE);
    /** The part of the page with the table of classes that differ. */
    private static final String DIFFERENCES = "## What differs between the forms";
    private static final Pattern DIFFERS = Pattern.compile(
        "\\bForm\\.(?:size|isLong)\\(|@Tag\\(\"long\"\\)|Boolean\\.getBoolean\\(\"teff\\.long\"\\)");

    private static Set<String> named() {
        Set<String> found = new TreeSet<>();
        String page = Repository.read(PAGE);
        assertTrue(page.contains(DIFFERENCES), DIFFERENCES);
        Matcher row = ROW.matcher(page.substring(page.indexOf(DIFFERENCES)));
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

    /** Without the tag, Maven runs a class in the lane unit; without the folder, no pom gives it a lane of its own. */
    @Test
    void classesOfTheLaneSystem_areInItsFolder_andHaveItsTag() {
        Set<String> inFolder = Repository.files(".java").stream().filter(file -> file.startsWith(SYSTEM))
            .map(LanesTest::simpleName).collect(Collectors.toCollection(TreeSet::new));
        Set<String> tagged = Repository.files("Test.java").stream()
            .filter(file -> TAGGED.matcher(Repository.read(file)).find())
            .map(LanesTest::simpleName).collect(Collectors.toCollection(TreeSet::new));
        assertFalse(inFolder.isEmpty());
        assertEquals(inFolder, tagged);
        String page = Repository.read(PAGE);
        inFolder.removeIf(name -> page.contains("| `" + name + "` |"));
        assertEquals(Set.of(), inFolder, "not in docs/LANES.md");
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
