package io.teff.graph.formats;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.teff.engine.Store;
import io.teff.graph.formats.EdgeLists.Edge;
import io.teff.graph.formats.EdgeLists.Given;
import io.teff.graph.formats.GraphFiles.Format;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: a malformed file ends in a fault that names the file, or is read; no claimed size takes memory. Method: right
 * files of each format, with random bytes changed, cut, doubled or removed.
 */
final class MalformedFilesTest {
    private static final int ROUNDS = Form.size(60, 500, 20_000);
    private static final String TELLING = " \n\r\t,\"#%-.019<>&/";
    private static final long ALLOCATED_MAX = 8 << 20;

    @TempDir
    private Path folder;
    private byte[] right = new byte[0];

    private final Given edges = new Given(9, true, true, List.of(new Edge(0, 1, 0.5), new Edge(1, 8, 2),
        new Edge(7, 3, 1e9), new Edge(4, 4, 1)));

    @BeforeEach
    void writeVertices() throws IOException {
        Files.writeString(folder.resolve("a.v"), "1\n2\n3\n");
    }

    private Path fileOf(Format format) {
        return folder.resolve(switch (format) {
            case EDGES -> "a.txt";
            case BINARY -> "a.bin";
            case CSV -> "a.csv";
            case MTX -> "a.mtx";
            case METIS -> "a.metis";
            case GRAPHML -> "a.graphml";
            case GT -> "a.gt";
            case GRAPHALYTICS -> "a.e";
        });
    }

    private byte[] rightContent(Format format, Path file) throws IOException {
        switch (format) {
            case EDGES -> EdgeWriters.writeText(edges, null, file);
            case BINARY -> EdgeWriters.writeBinary(edges, file);
            case MTX -> EdgeWriters.writeMatrixMarket(edges, file);
            case GRAPHML -> EdgeWriters.writeGraphMl(edges, null, null, file);
            case CSV -> Files.writeString(file, "source,target,weight\n\"a\",b,1\n\"c,\"\"d\",a,2.5\n");
            case METIS -> Files.writeString(file, "4 3 1\n2 5\n1 5 3 6\n2 6 4 7\n3 7\n");
            case GT -> Files.write(file, BinaryFormatsTest.graphTool(ByteOrder.LITTLE_ENDIAN, true));
            case GRAPHALYTICS -> Files.writeString(file, "1 2 0.5\n2 3 1.5\n");
        }
        return Files.readAllBytes(file);
    }

    private void read(Path file, Format format, ReadOptions options) throws IOException {
        try (Store store = Store.open()) {
            List<String> all = EdgeLists.of(GraphFiles.open(file, format, options, store, "g").edges());
            assertTrue(all.size() < right.length * 2 + 10, () -> all.size() + " edges");
        }
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void changedFile_isReadOrIsAFault(Format format) throws IOException {
        Path file = fileOf(format);
        right = rightContent(format, file);
        read(file, format, ReadOptions.defaults());
        long first = Seed.first();
        for (long seed = first; seed < first + ROUNDS; seed++) {
            SplittableRandom random = Seed.random(seed);
            Files.write(file, changed(right, random));
            ReadOptions options = ReadOptions.defaults().withNamed(random.nextBoolean())
                .withPartBytes(1 + random.nextInt(64));
            try {
                read(file, format, options);
            } catch (GraphFileException e) {
                assertTrue(e.getMessage().startsWith(folder.resolve("a").toString())
                    && e.getMessage().contains(": expected ") && e.getMessage().contains(", found "), e.getMessage());
            } catch (IOException | RuntimeException e) {
                throw new AssertionError(Seed.reproduce(getClass(), seed), e);
            }
        }
    }

    private static byte[] changed(byte[] content, SplittableRandom random) {
        byte[] bytes = content.clone();
        for (int i = 1 + random.nextInt(4); i > 0 && bytes.length > 0; i--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(6)) {
                case 0 -> bytes[at] = (byte) random.nextInt();
                case 1 -> bytes = Arrays.copyOf(bytes, at);
                case 2 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 3 -> bytes[at] = (byte) TELLING.charAt(random.nextInt(TELLING.length()));
                case 4 -> Arrays.fill(bytes, at, Math.min(bytes.length, at + random.nextInt(9)), (byte) 0xFF);
                default -> bytes = doubled(bytes, at, random.nextInt(40));
            }
        }
        return bytes;
    }

    private static byte[] doubled(byte[] bytes, int at, int length) {
        int end = Math.min(bytes.length, at + length);
        byte[] longer = new byte[bytes.length + end - at];
        System.arraycopy(bytes, 0, longer, 0, end);
        System.arraycopy(bytes, at, longer, end, bytes.length - at);
        return longer;
    }

    @Test
    void claimedSize_takesNoMemory() throws IOException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        byte[] gt = BinaryFormatsTest.graphTool(ByteOrder.LITTLE_ENDIAN, true);
        List<Runnable> claims = new ArrayList<>();
        for (long claim : new long[] {1 << 28, Integer.MAX_VALUE - 8, 1L << 40, Long.MAX_VALUE, -1}) {
            for (int place : new int[] {8, 26, 34, 61, 70}) {   // comment, vertices, neighbours, properties, name
                claims.add(() -> refuse("a.gt", ByteBuffer.wrap(gt.clone()).order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(place, claim).array()));
            }
            ByteBuffer header = ByteBuffer.allocate(BinaryEdgesLayout.HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            header.putLong(BinaryEdgesLayout.MAGIC).putInt(1).putInt(3).putLong(5).putLong(claim);
            claims.add(() -> refuse("a.bin", header.array()));
            String number = String.valueOf(Math.max(claim, 2));
            claims.add(() -> refuse("a.metis", (number + " 5\n2\n1\n").getBytes(StandardCharsets.UTF_8)));
            claims.add(() -> refuse("a.mtx", ("%%MatrixMarket matrix coordinate pattern general\n2 2 " + number
                + "\n1 1\n").getBytes(StandardCharsets.UTF_8)));
        }
        refuse("a.txt", "9".repeat(100).getBytes(StandardCharsets.UTF_8));
        for (Runnable claim : claims) {
            long before = threads.getCurrentThreadAllocatedBytes();
            claim.run();
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertTrue(allocated < ALLOCATED_MAX, allocated + " bytes");
        }
    }

    private void refuse(String name, byte[] content) {
        Path file = folder.resolve(name);
        right = content;
        assertThrows(GraphFileException.class, () -> read(Files.write(file, content), GraphFiles.formatOf(file),
            ReadOptions.defaults()));
    }

    @Test
    void compressedFile_cutOrChanged_isAFault() throws IOException {
        Path file = folder.resolve("a.txt.gz");
        EdgeWriters.writeText(edges, null, file);
        right = Files.readAllBytes(file);
        for (int length = 2; length < right.length; length++) {
            Files.write(file, Arrays.copyOf(right, length));
            assertThrows(GraphFileException.class, () -> read(file, Format.EDGES, ReadOptions.defaults()),
                length + " bytes");
        }
        byte[] bytes = right.clone();
        bytes[bytes.length - 5] ^= 1;
        Files.write(file, bytes);
        assertThrows(GraphFileException.class, () -> read(file, Format.EDGES, ReadOptions.defaults()));
    }
}
