package io.teff.cluster.terminal.shell.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.engine.Cid;
import io.teff.test.kit.Seed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Words of a line: quotes, comments, semicolons; CIDs; and the nearest word. */
final class WordsTest {
    private static final String LETTERS = "ab1 '\"\\;#\té,=0x:-";
    private static final int LINES = 2_000;

    @Test
    void commands_withQuotesAndComments_areDivided() {
        assertEquals(List.of(List.of("map", "get", "a key"), List.of("size", "jobs")),
            LineWords.commands("map get 'a key' ; size jobs# no; comment".replace("# no", " # no")));
        assertEquals(List.of(List.of("a\"b", "c'd", "", "e f")), LineWords.commands("\"a\\\"b\" c\\'d '' e\\ f"));
        assertEquals(List.of(), LineWords.commands(" ;; # nothing"));
        assertEquals(List.of(List.of("a#b")), LineWords.commands("a#b"));
    }

    @Test
    void commands_withAnOpenQuote_areRefused_withThePlace() {
        assertEquals("the quote at character 5 is not closed", assertThrows(IllegalArgumentException.class,
            () -> LineWords.commands("abc 'def")).getMessage());
    }

    @Test
    void quotedWords_areReadAsTheyWere() {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        for (int i = 0; i < LINES; i++) {
            List<List<String>> commands = new ArrayList<>();
            for (int command = random.nextInt(3); command >= 0; command--) {
                List<String> words = new ArrayList<>();
                for (int word = random.nextInt(4); word >= 0; word--) {
                    words.add(random.ints(random.nextInt(6), 0, LETTERS.length()).mapToObj(at ->
                        String.valueOf(LETTERS.charAt(at))).collect(Collectors.joining()));
                }
                commands.add(words);
            }
            String line = commands.stream().map(words -> words.stream().map(LineWords::quote)
                .collect(Collectors.joining(" "))).collect(Collectors.joining("; "));
            assertEquals(commands, LineWords.commands(line), () -> line + "\n" + Seed.reproduce(WordsTest.class, seed));
        }
    }

    @Test
    void cids_areReadAsTheyAreShown() {
        SplittableRandom random = Seed.random(Seed.first());
        for (int i = 0; i < LINES; i++) {
            long cid = Cid.of(random.nextInt(Cid.NID_MAX + 1), random.nextLong(1L << 48));
            assertEquals(cid, CidText.parse(Cid.toString(cid)));
            assertEquals(cid, CidText.parse("0x" + Long.toHexString(cid)));
        }
        assertEquals(Cid.of(16, 4_711), CidText.parse("16:4711"));
        for (String wrong : List.of("", "16", "16:", ":1", "65535:1", "1:1.256", "1:1099511627776", "0x", "1:1.2.3")) {
            assertThrows(IllegalArgumentException.class, () -> CidText.parse(wrong), wrong);
        }
    }

    @Test
    void nearest_isTheMeantWord_orNone() {
        List<String> known = List.of("chunk", "counter", "collections", "zones", "zone", "nodes");
        assertEquals("chunk", Nearest.of("chnuk", known));
        assertEquals("collections", Nearest.of("coll", known));
        assertEquals("nodes", Nearest.of("node", known));
        assertEquals("zones", Nearest.of("zonse", known));
        assertNull(Nearest.of("explode", known));
        assertEquals(1, Nearest.distance("ab", "ba"));
        assertEquals(3, Nearest.distance("", "abc"));
    }

    @Test
    void hexDump_showsOffsetsDigitsAndLetters_upToALimit() {
        byte[] bytes = new byte[40];
        System.arraycopy("Hello".getBytes(StandardCharsets.US_ASCII), 0, bytes, 16, 5);
        assertEquals("00000000  00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  |................|\n"
            + "00000010  48 65 6c 6c 6f 00 00 00                          |Hello...|\n"
            + "and 16 more bytes; --all shows them\n", HexDump.of(bytes, 24));
    }
}
