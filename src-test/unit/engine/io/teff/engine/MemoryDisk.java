package io.teff.engine;

import io.teff.engine.config.StoreConfig;
import io.teff.engine.os.Disk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Files on the heap, that fail when they are told to. */
public final class MemoryDisk implements Disk {
    /** Without a file. */
    public MemoryDisk() {}

    /** What goes wrong. */
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

    /** Files that were opened and not closed. */
    public int openFiles() {
        return open.get();
    }

    /** Snapshots a store and closes it; the store that is restored of it, from a disk without other files. */
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
    public Writer create(Path path) throws IOException {
        maybeFail(Fault.CREATE);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        if (files.putIfAbsent(path, new byte[0]) != null) {
            throw new FileAlreadyExistsException(path.toString());
        }
        open.incrementAndGet();
        return new Writer() {
            @Override
            public void append(ByteBuffer source) throws IOException {
                maybeFail(Fault.APPEND);
                byte[] more = new byte[source.remaining()];
                source.get(more);
                bytes.write(more);
                files.put(path, new byte[0]);                   // a file whose bytes are not all there yet
            }

            @Override
            public void force() throws IOException {
                maybeFail(Fault.FORCE);
                files.put(path, bytes.toByteArray());
            }

            @Override
            public void close() {
                open.decrementAndGet();
            }
        };
    }

    @Override
    public Reader open(Path path) throws IOException {
        maybeFail(Fault.OPEN);
        byte[] content = files.get(path);
        if (content == null) {
            throw new NoSuchFileException(path.toString());
        }
        ByteBuffer bytes = ByteBuffer.wrap(content);
        open.incrementAndGet();
        return new Reader() {
            @Override
            public int read(ByteBuffer target) throws IOException {
                maybeFail(Fault.READ);
                int count = Math.min(target.remaining(), bytes.remaining());
                target.put(bytes.slice(bytes.position(), count));
                bytes.position(bytes.position() + count);
                return count;
            }

            @Override
            public long size() {
                return content.length;
            }

            @Override
            public void close() {
                open.decrementAndGet();
            }
        };
    }

    @Override
    public void replace(Path source, Path target) throws IOException {
        maybeFail(Fault.REPLACE);
        byte[] content = files.remove(source);
        if (content == null) {
            throw new NoSuchFileException(source.toString());
        }
        files.put(target, content);
    }

    @Override
    public void delete(Path path) {
        files.remove(path);
    }
}
