package io.teff.engine.os;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file of this machine, accessed through a channel. */
final class SystemFile implements DiskFile {
    private final FileChannel channel;
    private final Path path;
    private @Nullable IOException forceFailure;

    SystemFile(FileChannel channel, Path path) {
        this.channel = channel;
        this.path = path;
    }

    @Override
    public void write(ByteBuffer bytes, long offset) throws IOException {
        long at = offset;
        try {
            while (bytes.hasRemaining()) {
                at += channel.write(bytes, at);
            }
        } catch (IOException e) {
            throw DiskFailures.named(e, path);
        }
    }

    @Override
    public int read(ByteBuffer target, long offset) throws IOException {
        int total = 0;
        while (target.hasRemaining()) {
            final int count = channel.read(target, offset + total);
            if (count < 0) {
                break;
            }
            total += count;
        }
        return total;
    }

    @Override
    public long size() throws IOException {
        return channel.size();
    }

    @Override
    public void force() throws IOException {
        force(channel::force);
    }

    /** The call that waits for the device. */
    @FunctionalInterface
    interface Sync {
        void force(boolean metadata) throws IOException;
    }

    /** Syncs, unless a sync has failed before. Concurrent callers wait, and share the failure. */
    synchronized void force(Sync sync) throws IOException {
        if (forceFailure != null) {
            throw new IOException(path + ": a sync has failed before: " + FailureText.of(forceFailure), forceFailure);
        }
        try {
            sync.force(false);
        } catch (IOException e) {
            forceFailure = e;
            throw DiskFailures.named(e, path);
        }
    }

    @Override
    public MemorySegment map(long bytes, Arena arena) throws IOException {
        return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
