package io.teff.recovery.disk;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskLock;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;

/** Files in memory that can only be read: every modification throws. For one thread. */
public final class FrozenDisk implements Disk {
    private final NavigableMap<Path, byte[]> files = new TreeMap<>();
    private final Map<Path, Long> births = new HashMap<>();
    private final UUID boot;

    private FrozenDisk(UUID boot) {
        this.boot = boot;
    }

    /** Copies all files below a folder. */
    public static FrozenDisk of(Disk disk, Path folder, UUID boot) throws IOException {
        FrozenDisk copy = new FrozenDisk(boot);
        copy.add(disk, folder);
        return copy;
    }

    private void add(Disk disk, Path folder) throws IOException {
        for (String name : disk.list(folder)) {
            Path path = folder.resolve(name);
            try (DiskFile file = disk.open(path)) {
                byte[] bytes = new byte[(int) file.size()];
                file.read(ByteBuffer.wrap(bytes), 0);
                files.put(path, bytes);
                births.put(path, disk.birthNs(path));
            } catch (NoSuchFileException _) {
                add(disk, path);                                // it is a folder
            }
        }
    }

    /** Returns all files by path; their bytes may be modified, and entries replaced. */
    public NavigableMap<Path, byte[]> files() {
        return files;
    }

    private static AssertionError refused(Object what) {
        return new AssertionError("a reader wants to change " + what);
    }

    @Override
    public DiskFile create(Path path, long bytes) {
        throw refused(path);
    }

    @Override
    public DiskFile open(Path path) {
        throw refused(path);
    }

    @Override
    public DiskFile openToRead(Path path) throws NoSuchFileException {
        byte[] bytes = files.get(path);
        if (bytes == null) {
            throw new NoSuchFileException(path.toString());
        }
        return new File(bytes);
    }

    @Override
    public void createFolders(Path folder) {
        throw refused(folder);
    }

    @Override
    public List<String> list(Path folder) {
        int depth = folder.getNameCount();
        return files.keySet().stream().filter(path -> path.startsWith(folder))
            .map(path -> path.getName(depth).toString()).distinct().sorted().toList();
    }

    @Override
    public void delete(Path path) {
        throw refused(path);
    }

    @Override
    public void rename(Path source, Path target) {
        throw refused(source);
    }

    @Override
    public void forceFolder(Path folder) {
        throw refused(folder);
    }

    @Override
    public long birthNs(Path path) {
        return births.getOrDefault(path, NO_BIRTH);
    }

    @Override
    public DiskLock lock(Path path, String holder) {
        throw refused(path);
    }

    @Override
    public Closeable lockShared(Path path, String holder) {
        return () -> { };
    }

    @Override
    public UUID boot() {
        return boot;
    }

    @Override
    public long usableBytes(Path folder) {
        return 0;
    }

    /** An open file of this disk. */
    private record File(byte[] bytes) implements DiskFile {
        @Override
        public void write(ByteBuffer source, long offset) {
            throw refused(this);
        }

        @Override
        public int read(ByteBuffer target, long offset) {
            int count = Math.clamp(bytes.length - offset, 0, target.remaining());
            target.put(bytes, (int) Math.min(offset, bytes.length), count);
            return count;
        }

        @Override
        public long size() {
            return bytes.length;
        }

        @Override
        public void force() {
            throw refused(this);
        }

        @Override
        public MemorySegment map(long length, Arena arena) {
            throw refused(this);
        }

        @Override
        public void close() { }
    }
}
