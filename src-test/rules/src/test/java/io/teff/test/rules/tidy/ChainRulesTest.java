package io.teff.test.rules.tidy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shows that sentences are counted as intended, and that the bars and ceilings of {@link ChainRules} can fail. */
final class ChainRulesTest {
    private static final String CHAIN = "It keeps those that they need.";
    private static final String PLAIN = "The owner keeps each copy of a zone until the zone moves.";

    @ParameterizedTest
    @CsvSource({"It keeps those that they need., 4", "Their owner is one of the others., 3",
        "The owner waits so that all end., 0", "The zone that waits has none., 2",
        "Each of both such copies so ends., 0", "Who asks whom for what?, 3"})
    void pronouns_ofASentence_areCounted(String text, int count) {
        Sentence sentence = new Sentence("a", 1, text);
        assertEquals(count, sentence.pronouns());
        assertEquals(count >= Sentence.CHAIN_MIN, sentence.isChain());
    }

    @Test
    void sentences_ofComments_haveTheirLines() {
        String text = """
            package a;

            /**
             * The first sentence has
             * two lines. The second sentence begins
             * behind the first.
             *
             * <p>A paragraph has no end
             * @param row the number of a row
             * @return the next row of all
             */
            class A {
                int a; // a comment beside code
                String b = "no sentence is in a literal";
                /** Too short here. */
            }
            """;
        assertSentences(List.of("4 The first sentence has two lines.", "5 The second sentence begins behind the first.",
            "8 X A paragraph has no end", "9 the number of a row", "10 next row of all", "13 a comment beside code"),
            "a/A.java", text);
    }

    @Test
    void sentences_withCode_haveOneWordForIt() {
        assertSentences(List.of("1 A call of X has X words."), "a/A.java",
            "/** A call of {@link Other#that it which one} has <b id=\"its\"> words. */\n");
        assertSentences(List.of("1 The zone of X has a row."), "docs/A.md", "The zone of `it.that(it)` has a row.\n");
    }

    @Test
    void sentences_ofAPage_areThoseOutsideOfFences() {
        String text = """
            # A title of four words

            A paragraph of two
            lines of text. And another sentence of text.
            - a list item ends before
            - the next list item
            ```
            nothing of this is prose
            ```
            | First column of the table | Second column of the table |
            |---|---|
            | short cell | a cell of five words |
            """;
        assertSentences(List.of("1 A title of four words", "3 A paragraph of two lines of text.",
            "4 And another sentence of text.", "5 a list item ends before", "6 the next list item",
            "10 First column of the table", "10 Second column of the table", "12 a cell of five words"),
            "docs/A.md", text);
    }

    @Test
    void module_aboveTheBarOfChains_isFound() {
        assertTrue(module(499, 1).meetsBars());
        assertFalse(module(498, 1).meetsBars());
        assertTrue(module(1, 0).meetsBars());
    }

    @Test
    void page_aboveTheBarOfChains_isFound() {
        assertTrue(page(9, 1).meetsBars());
        assertFalse(page(9, 2).meetsBars());
        assertTrue(page(198, 2).meetsBars());
        assertFalse(page(197, 2).meetsBars());
        assertFalse(page(296, 3).meetsBars());
    }

    @Test
    void place_aboveTheBarOfPronouns_isFound() {
        assertTrue(place("engine", "One of fifty words. " + "The owner of a zone ends. ".repeat(8)).meetsBars());
        assertFalse(place("engine", "It is what two need. " + "The owner of a zone ends. ".repeat(4)).meetsBars());
        assertFalse(place("docs/A.md", "It is what two need. " + "The owner of a zone ends. ".repeat(4)).meetsBars());
    }

    @Test
    void place_withinItsCeiling_isLeftAlone() {
        ChainRules.Place place = module(9, 1);
        assertEquals(List.of(), place.check(new ChainRules.Ceiling(100, 60, 0)));
        List<String> faults = place.check(new ChainRules.Ceiling(99, 60, 0));
        assertEquals(1, faults.size());
        assertTrue(faults.getFirst().startsWith("engine: 100.0 chains per 1,000 sentences, at most 99.0\n"
            + "engine:1: 4 pronouns: " + CHAIN), faults.getFirst());
    }

    @Test
    void check_placeWithoutACeiling_hasTheBars() {
        List<ChainRules.Place> places = List.of(module(9, 1), module(9, 0));
        assertEquals(1, ChainRules.check(places, Map.of()).size());
        assertEquals(0, ChainRules.check(places, ChainRules.ceilings("# a head\n\nengine 100 60 0\n")).size());
        assertThrows(IllegalArgumentException.class, () -> ChainRules.ceilings("engine 100 60\n"));
    }

    @ParameterizedTest
    @CsvSource({"row the row, 1", "row row, 1", "firstRow The first row., 1", "level a level, 1",
        "row the row of a zone, 0", "row its row, 0", "leaseNs the lease, 0", "<T> the T, 0"})
    void params_thatRepeatTheName_areFound(String param, int count) {
        String text = "class A {\n    /**\n     * Ends.\n     *\n     * @param " + param + "\n     */\n}\n";
        assertEquals(count, ParamRules.check("a/A.java", text).size());
        assertEquals(count == 0, place("engine/A.java", text).meetsBars());
    }

    @Test
    void params_ofTwoLines_areFound() {
        String text = "/**\n * @param row the\n * row\n * @param level of row */\n";
        List<Finding> findings = ParamRules.check("a/A.java", text);
        assertEquals(List.of(2), findings.stream().map(Finding::line).toList());
    }

    private static void assertSentences(List<String> expected, String path, String text) {
        assertEquals(expected, Sentence.all(path, text).stream().map(it -> it.line() + " " + it.text()).toList());
    }

    private static ChainRules.Place module(int plainCount, int chainCount) {
        return place("engine", (CHAIN + " ").repeat(chainCount) + (PLAIN + " ").repeat(plainCount));
    }

    private static ChainRules.Place page(int plainCount, int chainCount) {
        return place("docs/A.md", (CHAIN + " ").repeat(chainCount) + (PLAIN + " ").repeat(plainCount));
    }

    /** A page if the name is that of a page, else a module with one comment. */
    private static ChainRules.Place place(String name, String text) {
        ChainRules.Place place = new ChainRules.Place(name);
        place.add(name, name.endsWith(".md") || text.contains("/*") ? text : "/** " + text + "*/\n");
        return place;
    }
}
