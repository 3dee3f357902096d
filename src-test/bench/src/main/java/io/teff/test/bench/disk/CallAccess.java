package io.teff.test.bench.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The kernel's calls, without the JDK's classes in between: {@code pwrite}, {@code pwritev}, {@code fdatasync}. */
final class CallAccess implements Access {
    /** Each piece is an address and a length. */
    private static final int PIECE_BYTES = 2 * Long.BYTES;
    private static final int PIECES_MAX = 1024;

    private final LinuxCalls calls = new LinuxCalls();
    private final MemorySegment source = MemorySegment.ofBuffer(Content.direct());
    private final ByteBuffer target = Content.page(Content.BYTES);
    private final MemorySegment targetSegment = MemorySegment.ofBuffer(target);
    private final MemorySegment pieces = Arena.ofAuto().allocate((long) PIECES_MAX * PIECE_BYTES, Long.BYTES);
    private final int file;
    private final boolean gathers;

    /** Opens the file; pieces are written each from its own address, or as one. */
    CallAccess(Path path, boolean gathers) throws IOException {
        file = calls.open(path, LinuxCalls.READ_WRITE);
        this.gathers = gathers;
    }

    @Override
    public void write(long at, int bytes) throws IOException {
        calls.write(file, source, bytes, at);
    }

    @Override
    public void writePieces(long at, int count, int bytes) throws IOException {
        if (!gathers) {
            write(at, count * bytes);
            return;
        }
        for (int i = 0; i < count; i++) {
            pieces.set(ValueLayout.JAVA_LONG, (long) i * PIECE_BYTES, source.address() + (long) i * bytes);
            pieces.set(ValueLayout.JAVA_LONG, (long) i * PIECE_BYTES + Long.BYTES, bytes);
        }
        calls.writePieces(file, pieces, count, (long) count * bytes, at);
    }

    @Override
    public void sync() throws IOException {
        calls.sync(file);
    }

    @Override
    public ByteBuffer read(long at, int bytes) throws IOException {
        calls.read(file, targetSegment, bytes, at);
        return target.clear().limit(bytes);
    }

    @Override
    public void close() throws IOException {
        calls.close(file);
    }
}
