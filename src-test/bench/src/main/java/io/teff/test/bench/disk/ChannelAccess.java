package io.teff.test.bench.disk;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** The JDK's {@link FileChannel}. */
final class ChannelAccess implements Access {
    private final FileChannel channel;
    private final ByteBuffer source;
    private final ByteBuffer target;
    private final int unitBytes;
    private final boolean syncs;

    /**
     * Opens the file.
     *
     * @param path the file
     * @param onHeap whether the buffers are arrays
     * @param unitBytes 1, or the unit of writes that bypass the page cache
     * @param options in addition to reading and writing
     */
    ChannelAccess(Path path, boolean onHeap, int unitBytes, OpenOption... options) throws IOException {
        Set<OpenOption> all = new HashSet<>(Set.of(options));
        all.addAll(Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
        channel = FileChannel.open(path, all);
        source = onHeap ? ByteBuffer.wrap(Content.array()) : Content.direct();
        target = onHeap ? ByteBuffer.allocate(Content.BYTES) : Content.page(Content.BYTES);
        this.unitBytes = unitBytes;
        syncs = !all.contains(StandardOpenOption.DSYNC);
    }

    /**
     * Returns the JDK's option for writes that bypass the page cache. Looked up by name, as the compiler warns of its
     * package.
     */
    static OpenOption noCache() {
        try {
            return Arrays.stream(Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants())
                .map(OpenOption.class::cast).filter(option -> option.toString().equals("DIRECT")).findFirst()
                .orElseThrow();
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public int unitBytes() {
        return unitBytes;
    }

    @Override
    public void write(long at, int bytes) throws IOException {
        int written = channel.write(source.clear().limit(bytes), at);
        if (written != bytes) {
            throw new IOException("write: " + written + " of " + bytes + " bytes");
        }
    }

    @Override
    public void sync() throws IOException {
        if (syncs) {
            channel.force(false);
        }
    }

    @Override
    public ByteBuffer read(long at, int bytes) throws IOException {
        target.clear().limit(bytes);
        while (target.hasRemaining()) {
            if (channel.read(target, at + target.position()) < 0) {
                throw new EOFException("read: the file ends before " + (at + bytes));
            }
        }
        return target.flip();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
