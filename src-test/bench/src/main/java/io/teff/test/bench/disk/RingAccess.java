package io.teff.test.bench.disk;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** An {@link IoRing}: several large writes or reads are in flight at once, and a write and its sync are one call. */
final class RingAccess implements Access {
    private static final int CAPACITY = 8;
    private static final int READ_BYTES_MAX = 1 << 20;

    private final LinuxCalls calls = new LinuxCalls();
    private final MemorySegment source = MemorySegment.ofBuffer(Content.direct());
    private final ByteBuffer[] targets = new ByteBuffer[CAPACITY];
    private final int file;
    private final int unitBytes;
    private final IoRing ring;
    private int underWay;

    /** Opens the file, bypassing the page cache or not. */
    RingAccess(Path path, boolean direct) throws IOException {
        ring = new IoRing(CAPACITY);
        file = calls.open(path, LinuxCalls.READ_WRITE | (direct ? LinuxCalls.DIRECT : 0));
        unitBytes = direct ? Content.PAGE_BYTES : 1;
        for (int i = 0; i < CAPACITY; i++) {
            targets[i] = Content.page(READ_BYTES_MAX);
        }
    }

    /** Returns why the kernel refuses a ring, or null. */
    static @Nullable String problem() {
        try {
            new IoRing(CAPACITY).close();
            return null;
        } catch (IOException e) {
            return "the kernel refuses it: " + e.getMessage();
        }
    }

    @Override
    public int unitBytes() {
        return unitBytes;
    }

    /** Checks a result; the tag of a call is its expected result. */
    private static void check(long expected, int result) throws IOException {
        if (result != expected) {
            throw new IOException("io_uring: a result is " + result + ", not " + expected);
        }
    }

    @Override
    public void write(long at, int bytes) throws IOException {
        ring.write(file, source, bytes, at, false, bytes);
        ring.await(1, RingAccess::check);
    }

    @Override
    public void sync() throws IOException {
        ring.sync(file, 0);
        ring.await(1, RingAccess::check);
    }

    @Override
    public void writeSynced(long at, int bytes) throws IOException {
        ring.write(file, source, bytes, at, true, bytes);
        ring.sync(file, 0);
        ring.await(2, RingAccess::check);
    }

    @Override
    public void writeAll(long bytes, int block) throws IOException {
        for (long at = 0; at < bytes; at += block) {
            ring.write(file, source, block, at, false, block);
            if (++underWay == CAPACITY) {
                ring.await(1, this::written);
            }
        }
        while (underWay > 0) {
            ring.await(underWay, this::written);
        }
        sync();
    }

    private void written(long expected, int result) throws IOException {
        check(expected, result);
        underWay--;
    }

    @Override
    public ByteBuffer read(long at, int bytes) throws IOException {
        ring.read(file, MemorySegment.ofBuffer(targets[0]), bytes, at, bytes);
        ring.await(1, RingAccess::check);
        return targets[0].clear().limit(bytes);
    }

    /** Each buffer is reused for reading as soon as it was inspected; the tag of a read is its offset. */
    @Override
    public void readAll(long bytes, int block, Look look) throws IOException {
        for (long at = 0; at < Math.min(bytes, (long) CAPACITY * block); at += block) {
            submit(at, block);
        }
        while (underWay > 0) {
            ring.await(1, (at, result) -> {
                check(block, result);
                underWay--;
                look.look(at, target(at, block).clear().limit(block));
                long next = at + (long) CAPACITY * block;
                if (next < bytes) {
                    submit(next, block);
                }
            });
        }
    }

    private ByteBuffer target(long at, int block) {
        return targets[(int) (at / block % CAPACITY)];
    }

    private void submit(long at, int block) {
        ring.read(file, MemorySegment.ofBuffer(target(at, block).clear()), block, at, at);
        underWay++;
    }

    @Override
    public void close() throws IOException {
        ring.close();
        calls.close(file);
    }
}
