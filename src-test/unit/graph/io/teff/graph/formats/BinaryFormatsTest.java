package io.teff.graph.formats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.graph.formats.EdgeLists.Edge;
import io.teff.graph.formats.EdgeLists.Given;
import io.teff.graph.formats.ReadOptions.ThirdColumn;
import io.teff.graph.names.GraphInput;
import io.teff.graph.names.VertexNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: binary formats are read as they are described, in both orders of bytes. Method: files made by hand. */
final class BinaryFormatsTest {
    @TempDir
    private Path folder;

    /** A graph of three vertices, with a property of each kind of value. */
    static byte[] graphTool(ByteOrder order, boolean isWeighted) {
        ByteBuffer file = ByteBuffer.allocate(1 << 12).order(order);
        file.put(new byte[] {(byte) 0xE2, (byte) 0x9B, (byte) 0xBE, 0x20, 0x67, 0x74, 1});
        file.put((byte) (order == ByteOrder.BIG_ENDIAN ? 1 : 0));
        text(file, "a comment");
        file.put((byte) 1).putLong(3);
        file.putLong(2).put((byte) 1).put((byte) 2);
        file.putLong(0);
        file.putLong(1).put((byte) 0);
        file.putLong(isWeighted ? 6 : 5);
        property(file, 0, "title", 6);
        text(file, "three");
        property(file, 1, "name", 6);
        text(file, "ann");
        text(file, "bob");
        text(file, "ann");
        property(file, 1, "places", 11);
        file.putLong(1).putDouble(7).putLong(0).putLong(2).putDouble(1).putDouble(2);
        property(file, 1, "words", 13);
        file.putLong(0).putLong(1);
        text(file, "x");
        file.putLong(0);
        property(file, 2, "year", 3);
        file.putLong(1).putLong(2).putLong(3);
        if (isWeighted) {
            property(file, 2, "weight", 1);
            file.putShort((short) -5).putShort((short) 6).putShort((short) 7);
        }
        return Arrays.copyOf(file.array(), file.position());
    }

    private static void property(ByteBuffer file, int owner, String name, int type) {
        file.put((byte) owner);
        text(file, name);
        file.put((byte) type);
    }

    private static void text(ByteBuffer file, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        file.putLong(bytes.length).put(bytes);
    }

    @Test
    void graphTool_bothOrdersOfBytes_areRead() throws IOException {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            Path file = Files.write(folder.resolve("a.gt"), graphTool(order, true));
            try (Store store = Store.open()) {
                GraphInput input = GraphToolEdges.open(file, ReadOptions.defaults(), new VertexNames(store, "g"));
                assertEquals(List.of("0 1 -5.0", "0 2 6.0", "2 0 7.0"), EdgeLists.of(input.edges()));
                assertEquals("ann#2", input.names().name(2));
                assertTrue(input.edges().directed());
                assertEquals(3, input.edges().edgeCount());
                GraphInput plain = GraphToolEdges.open(file, ReadOptions.defaults().withThird(ThirdColumn.IGNORED),
                    new VertexNames(store, "h"));
                assertFalse(plain.edges().weighted());
            }
        }
    }


    @Test
    void graphTool_withoutVertices_isEmpty() throws IOException {
        ByteBuffer empty = ByteBuffer.allocate(33).order(ByteOrder.LITTLE_ENDIAN);
        empty.put(graphTool(ByteOrder.LITTLE_ENDIAN, false), 0, 8).putLong(0).put((byte) 0).putLong(0).putLong(0);
        Path file = Files.write(folder.resolve("a.gt"), empty.array());
        try (Store store = Store.open()) {
            GraphInput input = GraphToolEdges.open(file, ReadOptions.defaults(), new VertexNames(store, "g"));
            assertEquals(List.of(), EdgeLists.of(input.edges()));
            assertNull(input.names());
        }
    }

    @Test
    void graphTool_neighbourBeyondTheVertices_isAFault() throws IOException {
        byte[] bytes = graphTool(ByteOrder.LITTLE_ENDIAN, false);
        int neighbour = 8 + 8 + 9 + 1 + 8 + 8;
        bytes[neighbour] = 3;
        Path file = Files.write(folder.resolve("a.gt"), bytes);
        try (Store store = Store.open()) {
            GraphInput input = GraphToolEdges.open(file, ReadOptions.defaults(), new VertexNames(store, "g"));
            String message = assertThrows(GraphFileException.class, () -> EdgeLists.of(input.edges())).getMessage();
            assertTrue(message.contains("offset " + (neighbour + 1) + ": expected a neighbour below 3"), message);
        }
    }

    @Test
    void raw_pairs_haveNoHeader() throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(48).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(1).putLong(2).putDouble(0.5).putLong(3).putLong(4).putDouble(1.5);
        Path file = Files.write(folder.resolve("a.raw"), bytes.array());
        assertEquals(List.of("1 2 0.5", "3 4 1.5"), EdgeLists.of(BinaryEdges.openRaw(file, true, true, false)));
        assertThrows(GraphFileException.class, () -> BinaryEdges.openRaw(Files.write(file, new byte[7]), false, false,
            true));
    }

    @Test
    void binary_lengthOfTheFile_isThatOfTheEdges() throws IOException {
        Path file = folder.resolve("a.bin");
        EdgeWriters.writeBinary(new Given(3, true, true, List.of(new Edge(0, 1, 2), new Edge(1, 2, 3))), file);
        byte[] right = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(right, right.length - 1));
        String message = assertThrows(GraphFileException.class, () -> BinaryEdges.open(file)).getMessage();
        assertTrue(message.contains("expected 64 bytes for 2 edges, found 63 bytes"), message);
    }

    @Test
    void binary_manyParts_haveAllEdges() throws IOException {
        int count = (1 << 18) + 5;
        ByteBuffer bytes = ByteBuffer.allocate(count * 8).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            bytes.putInt(i).putInt(0);
        }
        BinaryEdges edges = BinaryEdges.openRaw(Files.write(folder.resolve("a.raw"), bytes.array()), false, false,
            true);
        assertEquals(2, edges.parts());
        long[] sum = new long[2];
        for (int part = 0; part < 2; part++) {
            edges.read(part, (source, _, _) -> {
                sum[0] += source;
                sum[1]++;
            });
        }
        assertEquals(count, sum[1]);
        assertEquals((long) count * (count - 1) / 2, sum[0]);
    }
}
