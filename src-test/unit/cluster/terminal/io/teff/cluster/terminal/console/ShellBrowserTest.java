package io.teff.cluster.terminal.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterFigures;
import io.teff.cluster.admin.Figure;
import io.teff.cluster.admin.FigureHistory;
import io.teff.cluster.console.Browser.Answer;
import io.teff.cluster.console.Browser.Question;
import io.teff.cluster.terminal.local.NodesHere;
import io.teff.engine.Cid;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Threads;
import io.teff.test.kit.tier.FullTier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a console reads of a cluster in this process: figures, logs, collections and chunks. */
@FullTier("10 s: starts three nodes; ConsoleTest and FigureKeeperTest need none")
final class ShellBrowserTest {
    @TempDir
    private static Path folder;
    private static NodesHere cluster;
    private static ClusterStore store;
    private static ShellBrowser browser;

    @BeforeAll
    static void start() throws Exception {
        cluster = NodesHere.start(folder.resolve("cluster"));
        store = ClusterStore.connect(cluster.address());
        store.map("counts", Codecs.STRING, Codecs.LONG).put("--yes", 41L);
        store.sortedMap("orders", Codecs.LONG, Codecs.STRING).put(10L, "ten");
        store.set("seen", Codecs.STRING).add("page-7");
        store.queue("jobs", Codecs.STRING).addAll(List.of("a", "b"));
        store.list("stops", Codecs.STRING).addAll(List.of("x", "y"));
        browser = new ShellBrowser(cluster.peer());
    }

    @AfterAll
    static void end() {
        browser.close();
        store.close();
        cluster.close();
    }

    private static String good(Question question, String... words) {
        Answer answer = browser.read(question, List.of(words));
        assertTrue(answer.isGood(), answer::toString);
        return answer.text();
    }

    @Test
    void collections_ofEachKind_areListedAndRead() {
        assertTrue(good(Question.COLLECTIONS).contains("\"name\":\"orders\",\"kind\":\"sorted map\""));
        assertEquals("[{\"key\":\"--yes\",\"value\":41}]", good(Question.ENTRIES, "counts", "map", "9"));
        assertEquals("[{\"key\":10,\"value\":\"ten\"}]", good(Question.ENTRIES, "orders", "sorted map", "9"));
        assertEquals("[\"page-7\"]", good(Question.ENTRIES, "seen", "set", "9"));
        assertEquals("[\"a\",\"b\"]", good(Question.ENTRIES, "jobs", "queue", "9"));
        assertEquals("[\"x\"]", good(Question.ENTRIES, "stops", "list", "1"));
        assertEquals("{\"key\":\"--yes\",\"value\":41}", good(Question.ENTRY, "counts", "map", "--yes"));
        assertEquals("{\"key\":\"10\",\"value\":\"ten\"}", good(Question.ENTRY, "orders", "sorted map", "10"));
    }

    @Test
    void chunk_isReadByItsLayout() {
        long cid = store.create(new byte[] {7, 0, 0, 0, 'h', 'i'});
        assertTrue(good(Question.CHUNK, Cid.toString(cid), "n=int,text=utf8").contains("{\"n\":7,\"text\":\"hi\"}"));
        assertTrue(good(Question.CHUNK, Cid.toString(cid)).contains("\"hex\":\"070000006869\""));
    }

    /** Words of a stranger are never options, commands, or names of files. */
    @ParameterizedTest
    @ValueSource(strings = {"@%s", "--help", "--version", "1:1 --yes", "@absent", "x; remove 1:1",
        "${sys:user.home}", ""})
    void words_ofAStranger_areWordsOnly(String word) throws Exception {
        Path file = folder.resolve("words.txt");
        Files.writeString(file, "the-content-of-a-file", StandardCharsets.UTF_8);
        String stranger = word.formatted(file);
        for (Answer answer : List.of(browser.read(Question.CHUNK, List.of(stranger)),
            browser.read(Question.CHUNK, List.of("1:1", stranger)),
            browser.read(Question.ENTRY, List.of("counts", "map", stranger)),
            browser.read(Question.ENTRIES, List.of(stranger, "map", "5")))) {
            assertFalse(answer.isGood(), answer::toString);
            assertFalse(answer.text().contains("the-content"), answer::toString);
            assertFalse(answer.text().contains("Usage"), answer::toString);
        }
        assertFalse(browser.read(Question.ENTRIES, List.of("jobs", "queue poll", "1")).isGood());
        assertEquals("[\"a\",\"b\"]", good(Question.ENTRIES, "jobs", "queue", "9"), "nothing has changed");
    }

    @Test
    void figures_comeFromAllNodes_andCountTheOperations() throws Exception {
        try (ClusterAdmin admin = ClusterAdmin.connect(cluster.address())) {
            ClusterFigures before = admin.figures();
            assertEquals(3, before.nodes().size());
            assertEquals(2, before.nodes().stream().filter(node -> node.figures().has(Figure.STORE_CHUNKS)).count());
            for (int i = 0; i < 1_000; i++) {
                store.create(new byte[100]);
            }
            Threads.await("figures of now", () -> admin.figures().together().get(Figure.OPERATIONS)
                - before.together().get(Figure.OPERATIONS) >= 500);
            assertTrue(admin.figures().together().get(Figure.STORE_PAYLOAD) >= 100_000);
            for (ClusterFigures.Answer node : before.nodes()) {
                FigureHistory hour = admin.history(node.life().nid(), FigureHistory.Span.HOUR);
                assertNotNull(hour);
                assertFalse(hour.moments().isEmpty());
                assertTrue(Math.abs(node.clockOffsetMs()) <= node.roundTripMs() + 1, node::toString);
            }
            List<String> log = admin.log(before.nodes().getLast().life().nid(), 100);
            assertNotNull(log);
            assertTrue(log.stream().anyMatch(line -> line.contains(" INFO life-begun: ")), log::toString);
        }
    }
}
