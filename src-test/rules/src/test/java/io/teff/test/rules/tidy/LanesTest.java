package io.teff.test.rules.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.teff.test.rules.Repository;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Goal: no test is lost between the tiers. Method: a test above the gate has a mark with a reason, which docs/TIERS.md
 * lists; docs/LANES.md names each class of the lane system.
 */
final class LanesTest {
    private static final Path PAGE = Path.of("docs/LANES.md");
    private static final Path SYSTEM = Path.of("src-test/system");
    private static final Pattern TAGGED = Pattern.compile("^@Tag\\(\"system\"\\)", Pattern.MULTILINE);
    private static final Path SLOW = Path.of("src-test/launcher/slow.txt");
    /** A tag in place of a mark, which has a reason. */
    private static final Pattern BARE_TAG = Pattern.compile("@Tag\\(\"(?:full|long)\"\\)");

    private static String simpleName(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    @Test
    void testsAboveTheGate_haveAMarkWithAReason_andNotATagAlone() {
        Set<String> bare = Repository.files(".java").stream()
            .filter(file -> file.startsWith("src-test") && !file.startsWith("src-test/kit")
                && !simpleName(file).equals("LanesTest"))
            .filter(file -> BARE_TAG.matcher(Repository.read(file)).find())
            .map(LanesTest::simpleName).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(Set.of(), bare, "use @FullTier or @LongTier of the test kit");
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
