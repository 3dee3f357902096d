package io.teff.tools.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreException;
import io.teff.examples.graph.ClassFiles;
import io.teff.examples.graph.ClassGraph;
import io.teff.examples.graph.ClassGraphReader;
import io.teff.tools.load.LoadFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the demo detects anything that is missing after a kill. Method: a small graph from which one part is removed.
 */
final class DurableGraphTest {
    @TempDir
    private Path folder;

    private Store store;
    private Store other;
    private ClassGraph right;
    private ClassGraph graph;
    private DurableGraph durable;

    @BeforeEach
    void readTwice() throws IOException {
        StoreConfig config = StoreConfig.builder().memoryLimitBytes(256 << 20).build();
        store = Store.open(config);
        other = Store.open(config);
        for (Class<?> type : List.of(String.class, List.class, Object.class, Integer.class)) {
            try (var bytes = type.getResourceAsStream(type.getSimpleName() + ".class")) {
                Files.createDirectories(folder.resolve(type.getPackageName().replace('.', '/')));
                Files.copy(bytes, folder.resolve(type.getName().replace('.', '/') + ".class"));
            }
        }
        ClassFiles files = ClassFiles.under(List.of(folder));
        right = new ClassGraphReader(other, files, 1).read();
        graph = new ClassGraphReader(store, files, 1).read();
        durable = new DurableGraph(store);
        durable.note(graph);
    }

    @AfterEach
    void close() {
        store.close();
        other.close();
    }

    private void assertFound(String what) {
        LoadFailure failure = assertThrows(LoadFailure.class, () -> durable.verify(right));
        assertTrue(failure.getMessage().contains(what), failure::getMessage);
    }

    @Test
    void verify_ofTheSameGraph_passes() {
        durable.verify(right);
    }

    @Test
    void verify_withoutAClass_fails() {
        durable = new DurableGraph(other);
        assertFound("classes");
    }

    @Test
    void verify_withoutAVertex_fails() {
        store.remove(graph.vertex("java.lang.String"));
        assertThrows(StoreException.class, () -> durable.verify(right));
    }

    @Test
    void verify_withoutAReference_fails() {
        long vertex = graph.vertex("java.lang.String");
        store.resize(vertex, store.size(vertex) - Long.BYTES);
        assertFound("java/lang/String has other references");
    }

    @Test
    void verify_withoutAReferrer_fails() {
        long incoming = store.fields().getLong(graph.vertex("java.lang.Object"), 0, 0);
        store.resize(incoming, store.size(incoming) - Long.BYTES);
        assertFound("java/lang/Object has other referrers");
    }

    @Test
    void verifyVisits_ofFewer_orOfMoreThanPending_fails() {
        durable.setVisits(0, 5);
        durable.setVisits(1, 3);
        assertEquals(8, DurablePhase.verifyVisits(durable, new long[] {5, 2, 0}, 1));
        assertThrows(LoadFailure.class, () -> DurablePhase.verifyVisits(durable, new long[] {5, 4, 0}, 1));
        assertThrows(LoadFailure.class, () -> DurablePhase.verifyVisits(durable, new long[] {4, 2, 0}, 1));
    }
}
