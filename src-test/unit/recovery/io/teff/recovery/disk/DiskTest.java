package io.teff.recovery.disk;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.LockedException;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Goal: the system disk and the disk of the tests behave alike. */
final class DiskTest {
    /** The disk under test. */
    enum Kind { SYSTEM, FAULT }

    @TempDir
    private Path temporary;

    private Disk disk = Disk.SYSTEM;
    private Path folder = Path.of("");

    private void use(Kind kind) throws IOException {
        disk = kind == Kind.SYSTEM ? Disk.SYSTEM : new FaultDisk();
        folder = (kind == Kind.SYSTEM ? temporary : FaultDisk.ROOT).resolve("a/b");
        disk.createFolders(folder);
        disk.createFolders(folder);
    }

    private static byte[] read(DiskFile file, long offset, int bytes) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(bytes);
        int count = file.read(target, offset);
        assertEquals(count, target.position());
        byte[] read = new byte[count];
        target.flip().get(read);
        return read;
    }

    @ParameterizedTest
    @EnumSource
    void write_atAnyPlace_isRead(Kind kind) throws IOException {
        use(kind);
        try (DiskFile file = disk.create(folder.resolve("file"), 0)) {
            assertEquals(0, file.size());
            assertArrayEquals(new byte[0], read(file, 0, 5));
            ByteBuffer source = ByteBuffer.allocateDirect(10).put(new byte[] {1, 2, 3, 4}).flip();
            source.get();
            file.write(source, 6);
            assertEquals(0, source.remaining());
            assertEquals(9, file.size());
            file.write(ByteBuffer.wrap(new byte[] {9}), 0);
            assertArrayEquals(new byte[] {9, 0, 0, 0, 0, 0, 2, 3, 4}, read(file, 0, 20));
            assertArrayEquals(new byte[] {3, 4}, read(file, 7, 2));
            assertArrayEquals(new byte[] {4}, read(file, 8, 2));
            assertArrayEquals(new byte[0], read(file, 100, 2));
            file.force();
        }
        try (DiskFile file = disk.open(folder.resolve("file"))) {
            assertEquals(9, file.size());
            assertArrayEquals(new byte[] {3, 4}, read(file, 7, 10));
        }
    }

    @ParameterizedTest
    @EnumSource
    void create_withBytes_hasZeros(Kind kind) throws IOException {
        use(kind);
        for (int bytes : new int[] {1, 4096, (1 << 20) - 1, (1 << 20) + 5, 3 << 20}) {
            try (DiskFile file = disk.create(folder.resolve("file" + bytes), bytes)) {
                assertEquals(bytes, file.size());
                assertArrayEquals(new byte[bytes], read(file, 0, bytes + 1));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void names_thatAreThereOrNot_areRefused(Kind kind) throws IOException {
        use(kind);
        disk.create(folder.resolve("file"), 0).close();
        assertThrows(FileAlreadyExistsException.class, () -> disk.create(folder.resolve("file"), 0));
        assertThrows(NoSuchFileException.class, () -> disk.create(folder.resolve("none/file"), 0));
        assertThrows(NoSuchFileException.class, () -> disk.open(folder.resolve("none")));
        assertThrows(NoSuchFileException.class, () -> disk.delete(folder.resolve("none")));
        assertThrows(NoSuchFileException.class, () -> disk.rename(folder.resolve("none"), folder.resolve("file")));
        assertThrows(NoSuchFileException.class, () -> disk.list(folder.resolve("none")));
        assertEquals(List.of("file"), disk.list(folder));
        assertEquals(List.of("b"), disk.list(folder.getParent()));
    }

    @ParameterizedTest
    @EnumSource
    void rename_ontoAFile_replacesIt(Kind kind) throws IOException {
        use(kind);
        try (DiskFile file = disk.create(folder.resolve("new"), 0)) {
            file.write(ByteBuffer.wrap(new byte[] {1}), 0);
        }
        disk.create(folder.resolve("c"), 5).close();
        disk.create(folder.resolve("a"), 5).close();
        assertEquals(List.of("a", "c", "new"), disk.list(folder));
        disk.rename(folder.resolve("new"), folder.resolve("c"));
        disk.delete(folder.resolve("a"));
        disk.forceFolder(folder);
        assertEquals(List.of("c"), disk.list(folder));
        try (DiskFile file = disk.open(folder.resolve("c"))) {
            assertEquals(1, file.size());
        }
    }

    @ParameterizedTest
    @EnumSource
    void map_ofAFile_isTheFile(Kind kind) throws IOException {
        use(kind);
        try (DiskFile file = disk.create(folder.resolve("file"), 8192)) {
            file.write(ByteBuffer.wrap(new byte[] {1, 2}), 4095);
            try (Arena arena = Arena.ofShared()) {
                MemorySegment memory = file.map(8192, arena);
                assertEquals(8192, memory.byteSize());
                assertEquals(0, memory.address() % 4096);
                assertEquals(1, memory.get(ValueLayout.JAVA_BYTE, 4095));
                memory.set(ValueLayout.JAVA_BYTE, 4096, (byte) 7);
                file.write(ByteBuffer.wrap(new byte[] {5}), 4097);
                assertEquals(5, memory.get(ValueLayout.JAVA_BYTE, 4097));
                assertArrayEquals(new byte[] {1, 7, 5, 0}, read(file, 4095, 4));
            }
            try (Arena arena = Arena.ofShared()) {
                assertEquals(7, file.map(8192, arena).get(ValueLayout.JAVA_BYTE, 4096));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void lock_thatIsHeld_namesItsHolder(Kind kind) throws IOException {
        use(kind);
        Path lock = folder.resolve("lock");
        Closeable held = disk.lock(lock, "process 1");
        for (int i = 0; i < 2; i++) {
            IOException refused = assertThrows(LockedException.class, () -> disk.lock(lock, "process 2"));
            assertTrue(String.valueOf(refused.getMessage()).endsWith("lock is locked by process 1"),
                refused.getMessage());
        }
        held.close();
        Closeable again = disk.lock(lock, "process 3");
        held.close();
        assertThrows(LockedException.class, () -> disk.lock(lock, "process 2"));
        again.close();
    }

    @ParameterizedTest
    @EnumSource
    void lockShared_bySeveral_keepsOthersAway(Kind kind) throws IOException {
        use(kind);
        Path lock = folder.resolve("lock");
        Closeable one = disk.lockShared(lock, "reader 1");
        Closeable two = disk.lockShared(lock, "reader 2");
        one.close();
        one.close();
        IOException refused = assertThrows(LockedException.class, () -> disk.lock(lock, "writer"));
        assertTrue(String.valueOf(refused.getMessage()).contains("lock is locked by reader"), refused.getMessage());
        two.close();
        Closeable writer = disk.lock(lock, "writer");
        refused = assertThrows(LockedException.class, () -> disk.lockShared(lock, "reader 3"));
        assertTrue(String.valueOf(refused.getMessage()).endsWith("lock is locked by writer"), refused.getMessage());
        writer.close();
        disk.lockShared(lock, "reader 4").close();
    }

    @ParameterizedTest
    @EnumSource
    void openToRead_ofAFile_readsAndNothingElse(Kind kind) throws IOException {
        use(kind);
        Path path = folder.resolve("file");
        assertThrows(NoSuchFileException.class, () -> disk.openToRead(path));
        try (DiskFile file = disk.create(path, 0)) {
            file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0);
        }
        try (DiskFile file = disk.openToRead(path)) {
            assertEquals(3, file.size());
            assertArrayEquals(new byte[] {2, 3}, read(file, 1, 5));
            assertThrows(NonWritableChannelException.class, () -> file.write(ByteBuffer.allocate(1), 0));
            assertThrows(NonWritableChannelException.class, () -> file.map(1));
        }
    }

    @ParameterizedTest
    @EnumSource
    void usableBytes_ofAFolder_areSome(Kind kind) throws IOException {
        use(kind);
        assertTrue(disk.usableBytes(folder) > 0);
    }
}
