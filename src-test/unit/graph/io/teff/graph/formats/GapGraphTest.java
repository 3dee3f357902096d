package io.teff.graph.formats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.graph.EdgeList.Edge;
import io.teff.graph.EdgeList;
import io.teff.graph.frozen.FrozenGraph;
import io.teff.graph.load.LoadOptions;
import io.teff.graph.work.WorkWatch;
import io.teff.graph.work.Workers;
import io.teff.test.kit.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: files of GAP have the documented bytes, and are read again. Method: one file by hand, random graphs. */
final class GapGraphTest {
    private static final int GRAPHS = 50;

    @TempDir
    Path folder;
    private final Workers workers = new Workers(1);

    @AfterEach
    void end() {
        workers.close();
    }

    private FrozenGraph load(EdgeList edges) throws IOException {
        return FrozenGraph.load(edges, LoadOptions.DEFAULT, workers, WorkWatch.NONE);
    }

    @Test
    void write_path_hasTheDocumentedBytes() throws IOException {
        Path file = folder.resolve("path.sg");
        GapGraph.write(load(new EdgeList(3, false, false, true, List.of(new Edge(2, 1, 1), new Edge(0, 1, 1)))), file);
        ByteBuffer expected = ByteBuffer.allocate(1 + 8 + 8 + 4 * 8 + 4 * 4).order(ByteOrder.LITTLE_ENDIAN);
        expected.put((byte) 0).putLong(2).putLong(3).putLong(0).putLong(1).putLong(3).putLong(4);
        expected.putInt(1).putInt(0).putInt(2).putInt(1);
        assertArrayEquals(expected.array(), Files.readAllBytes(file));
    }

    @Test
    void read_writtenGraphs_areEqual() throws IOException {
        Path file = folder.resolve("random.sg");
        for (long seed = Seed.first(); seed < Seed.first() + GRAPHS; seed++) {
            SplittableRandom random = Seed.random(seed);
            FrozenGraph graph = load(EdgeList.random(random, random.nextBoolean(), false));
            GapGraph.write(graph, file);
            FrozenGraph read = GapGraph.read(file);
            assertEquals(EdgeList.runsOf(graph), EdgeList.runsOf(read), Seed.reproduce(GapGraphTest.class, seed));
            assertEquals(EdgeList.runsOf(graph.reversed()), EdgeList.runsOf(read.reversed()));
            assertEquals(graph.directed(), read.directed());
        }
    }

    @Test
    void read_damagedFile_isRefusedWithItsName() throws IOException {
        Path file = folder.resolve("damaged.sg");
        GapGraph.write(load(new EdgeList(3, false, false, true, List.of(new Edge(2, 1, 1), new Edge(0, 1, 1)))), file);
        byte[] bytes = Files.readAllBytes(file);
        for (int at = 0; at < bytes.length; at++) {
            byte[] wrong = bytes.clone();
            wrong[at] ^= (byte) 0x90;
            Files.write(file, wrong);
            IOException refused = assertThrows(IOException.class, () -> GapGraph.read(file), "byte " + at);
            assertTrue(refused.getMessage().startsWith(file.toString()), refused.getMessage());
        }
        Files.write(file, Arrays.copyOf(bytes, 20));
        assertThrows(IOException.class, () -> GapGraph.read(file));
    }
}
