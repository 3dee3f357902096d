package io.teff.engine.os;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A file of the machine, through a channel. */
final class ChannelFile implements Disk.Writer, Disk.Reader {
    private final FileChannel channel;

    ChannelFile(FileChannel channel) {
        this.channel = channel;
    }

    @Override
    public void append(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Override
    public void force() throws IOException {
        channel.force(true);
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        int total = 0;
        while (target.hasRemaining()) {
            int count = channel.read(target);
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
    public void close() throws IOException {
        channel.close();
    }
}
