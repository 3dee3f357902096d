package io.teff.engine.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: mappings are memory of their own, read as zeros when given back, and leave no file. */
final class BlockFileTest {
    private static final int BYTES = 1 << 20;

    @TempDir
    private Path folder;

    private final Arena arena = Arena.ofShared();

    private BlockFile usable() {
        BlockFile file = new BlockFile(folder);
        assumeTrue(file.isUsable());
        return file;
    }

    private MemorySegment map(BlockFile file) {
        return Objects.requireNonNull(file.map(BYTES, arena));
    }

    @Test
    void mappings_areIndependent_andReadAsZerosWhenGivenBack() {
        BlockFile file = usable();
        MemorySegment first = map(file);
        MemorySegment second = map(file);
        first.fill((byte) 1);
        assertEquals(0, second.get(ValueLayout.JAVA_LONG, 8192));
        second.fill((byte) 2);
        BlockFile.giveBack(first.asSlice(4096, 8192));
        assertEquals(1, first.get(ValueLayout.JAVA_BYTE, 4095));
        assertEquals(-1, first.asSlice(4096, 8192).mismatch(MemorySegment.ofArray(new byte[8192])));
        assertEquals(1, first.get(ValueLayout.JAVA_BYTE, 4096 + 8192));
        assertEquals(2, second.get(ValueLayout.JAVA_BYTE, 4096));
        first.set(ValueLayout.JAVA_BYTE, 4096, (byte) 3);
        assertEquals(3, first.get(ValueLayout.JAVA_BYTE, 4096));
        assertEquals(0, map(file).get(ValueLayout.JAVA_BYTE, 4096));
        arena.close();
        BlockFile.giveBack(second);                             // a close meanwhile does no harm
    }

    @Test
    void file_hasNoName() throws IOException {
        map(usable());
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(0, files.count());
        }
        arena.close();
    }

    @Test
    void interruptedThread_maps_andStaysInterrupted() {
        BlockFile file = usable();
        MemorySegment before = map(file);
        before.fill((byte) 1);
        Thread.currentThread().interrupt();
        MemorySegment meanwhile = file.map(BYTES, arena);
        assertTrue(Thread.interrupted());
        assertNotNull(meanwhile);
        assertEquals(1, before.get(ValueLayout.JAVA_BYTE, 0));
        assertNotNull(file.map(BYTES, arena));
        arena.close();
    }

    @Test
    void closedArena_hasNoMapping_andTheNextMaps() {
        BlockFile file = usable();
        arena.close();
        assertNull(file.map(BYTES, arena));
        try (Arena other = Arena.ofShared()) {
            assertNotNull(file.map(BYTES, other));
        }
    }

    @Test
    void folderThatIsMissing_hasNoMappings() {
        BlockFile file = new BlockFile(folder.resolve("missing"));
        assertFalse(file.isUsable());
        assertNull(file.map(BYTES, arena));
        arena.close();
    }
}
