package io.teff.test.rules.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.rules.Repository;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The page of the cases of a cluster names tests that exist, and has a row for each case. */
final class ClusterCasesTest {
    private static final Path PAGE = Path.of("docs/CLUSTER-CASES.md");
    private static final int CASES = 25;
    private static final Pattern ROW = Pattern.compile("^\\| (\\d+) \\|", Pattern.MULTILINE);
    private static final Pattern NAMED = Pattern.compile("`(\\w+Test)\\.(\\w+)`");

    /** Returns the tests of a page that do not exist; {@code source} returns the text of a class, or null. */
    private static List<String> missing(String page, UnaryOperator<String> source) {
        TreeSet<String> missing = new TreeSet<>();
        Matcher named = NAMED.matcher(page);
        while (named.find()) {
            String text = source.apply(named.group(1));
            if (text == null || !Pattern.compile("@(?:Test|ParameterizedTest)\\b(?:(?!\\bvoid\\b)[^;{}])*\\bvoid "
                + named.group(2) + "\\(").matcher(text.replaceAll("\\{[^{};]*}", "")).find()) {
                missing.add(named.group());
            }
        }
        return List.copyOf(missing);
    }

    @Test
    void tests_thatThePageNames_exist() {
        Map<String, String> sources = new HashMap<>();
        Repository.files("Test.java").forEach(file -> sources.put(file.getFileName().toString().replace(".java", ""),
            Repository.read(file)));
        String page = Repository.read(PAGE);
        assertTrue(NAMED.matcher(page).results().count() > CASES, "the page names tests");
        assertEquals(List.of(), missing(page, sources::get));
    }

    @Test
    void cases_haveARowEach() {
        List<Integer> rows = ROW.matcher(Repository.read(PAGE)).results().map(row -> Integer.valueOf(row.group(1)))
            .toList();
        assertEquals(IntStream.rangeClosed(1, CASES).boxed().toList(), rows);
    }

    @Test
    void testThatDoesNotExist_isFound() {
        String text = "class ATest {\n    @Test\n    void a_is() {\n    }\n    void b_is() {\n    }\n}\n";
        UnaryOperator<String> source = name -> name.equals("ATest") ? text : null;
        assertEquals(List.of(), missing("| `ATest.a_is` |", source));
        assertEquals(List.of("`ATest.b_is`"), missing("`ATest.b_is`", source), "it is no test");
        assertEquals(List.of("`ATest.c_is`", "`BTest.a_is`"), missing("`BTest.a_is`, `ATest.c_is`", source));
    }
}
