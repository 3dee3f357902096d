package io.teff.engine;

import io.teff.engine.config.StoreConfig;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskLock;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Files on the heap whose n-th call of a kind can be made to fail. Readers see a file's bytes after its first sync. */
public final class MemoryDisk implements Disk {
    /** Creates a disk without files. */
    public MemoryDisk() {}

    /** The kinds of calls that can fail. */
    public enum Fault { NONE, CREATE, APPEND, FORCE, REPLACE, OPEN, READ }

    public final Map<Path, byte[]> files = new ConcurrentHashMap<>();
    private volatile Fault fault = Fault.NONE;
    private final AtomicInteger faultAfter = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();

    /** Fails the n-th call of a kind from now on (n from 0), and all later ones. */
    public void failAfter(Fault newFault, int calls) {
        faultAfter.set(calls);
        fault = newFault;
    }

    /** Returns the number of files that were opened and not closed. */
    public int openFiles() {
        return open.get();
    }

    /** Snapshots and closes a store; returns the store restored from the snapshot, on a disk without other files. */
    public Store reopen(Store store, StoreConfig config) {
        Path path = Path.of("again.teff");
        files.clear();
        store.snapshot(path);
        store.close();
        return Store.restore(path, config);
    }

    private void maybeFail(Fault now) throws IOException {
        if (fault == now && faultAfter.getAndDecrement() <= 0) {
            throw new IOException(now == Fault.APPEND ? "No space left on device" : "Input/output error");
        }
    }

    @Override
    public DiskFile create(Path path, long bytes) throws IOException {
        maybeFail(Fault.CREATE);
        if (files.putIfAbsent(path, new byte[0]) != null) {
            throw new FileAlreadyExistsException(path.toString());
        }
        open.incrementAndGet();
        return new File(path, new byte[(int) bytes]);
    }

    @Override
    public DiskFile open(Path path) throws IOException {
        return openToRead(path);
    }

    @Override
    public DiskFile openToRead(Path path) throws IOException {
        maybeFail(Fault.OPEN);
        byte[] content = files.get(path);
        if (content == null) {
            throw new NoSuchFileException(path.toString());
        }
        open.incrementAndGet();
        return new File(path, content);
    }

    @Override
    public void rename(Path source, Path target) throws IOException {
        maybeFail(Fault.REPLACE);
        byte[] content = files.remove(source);
        if (content == null) {
            throw new NoSuchFileException(source.toString());
        }
        files.put(target, content);
    }

    @Override
    public void delete(Path path) throws IOException {
        if (files.remove(path) == null) {
            throw new NoSuchFileException(path.toString());
        }
    }

    @Override
    public void createFolders(Path folder) {}

    @Override
    public List<String> list(Path folder) {
        return files.keySet().stream().map(path -> path.getFileName().toString()).sorted().toList();
    }

    @Override
    public void forceFolder(Path folder) {}

    @Override
    public DiskLock lock(Path path, String holder) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Closeable lockShared(Path path, String holder) {
        throw new UnsupportedOperationException();
    }

    @Override
    public UUID boot() {
        return new UUID(1, 1);
    }

    @Override
    public long usableBytes(Path folder) {
        return Long.MAX_VALUE;
    }

    /** An open file; its writes are in {@link #files} after a sync. */
    private final class File implements DiskFile {
        private final Path path;
        private byte[] content;
        private int length;

        File(Path path, byte[] content) {
            this.path = path;
            this.content = content;
            this.length = content.length;
        }

        @Override
        public void write(ByteBuffer bytes, long offset) throws IOException {
            maybeFail(Fault.APPEND);
            int end = Math.toIntExact(offset + bytes.remaining());
            if (end > content.length) {
                content = Arrays.copyOf(content, Math.max(end, 2 * content.length));
            }
            bytes.get(content, (int) offset, bytes.remaining());
            length = Math.max(length, end);
            files.put(path, new byte[0]);                       // a file before its first sync
        }

        @Override
        public int read(ByteBuffer target, long offset) throws IOException {
            maybeFail(Fault.READ);
            int count = Math.clamp(length - offset, 0, target.remaining());
            target.put(content, (int) offset, count);
            return count;
        }

        @Override
        public long size() {
            return length;
        }

        @Override
        public void force() throws IOException {
            maybeFail(Fault.FORCE);
            files.put(path, Arrays.copyOf(content, length));
        }

        @Override
        public MemorySegment map(long bytes, Arena arena) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            open.decrementAndGet();
        }
    }
}
