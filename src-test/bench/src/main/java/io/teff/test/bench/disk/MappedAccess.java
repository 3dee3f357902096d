package io.teff.test.bench.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The file mapped into memory: writing is a copy. */
final class MappedAccess implements Access {
    private final MemorySegment source = MemorySegment.ofBuffer(Content.direct());
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment file;

    MappedAccess(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            file = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size(), arena);
        }
    }

    @Override
    public void write(long at, int bytes) {
        MemorySegment.copy(source, 0, file, at, bytes);
    }

    @Override
    public void sync() {
        file.force();
    }

    @Override
    public void writeSynced(long at, int bytes) {
        write(at, bytes);
        file.asSlice(at, bytes).force();
    }

    @Override
    public ByteBuffer read(long at, int bytes) {
        return file.asSlice(at, bytes).asByteBuffer();
    }

    @Override
    public void close() {
        arena.close();
    }
}
