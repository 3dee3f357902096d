package io.teff.test.launcher;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Lets one process at a time build the programs of a folder. A second process waits, and says for which process. The
 * end of a process releases the lock.
 */
final class BuildLock implements AutoCloseable {
    private static final String NAME = "teff-build.lock";
    private static final int PID_BYTES_MAX = 20;

    private final FileChannel channel;

    private BuildLock(FileChannel channel) {
        this.channel = channel;
    }

    /** Takes the lock of a folder; waits while another process has the lock. */
    static BuildLock take(Path root) throws IOException {
        Path file = Files.createDirectories(root.resolve("target")).resolve(NAME);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
            StandardOpenOption.WRITE);
        boolean isTaken = false;
        try {
            if (channel.tryLock() == null) {
                System.err.println("teff: process " + holder(channel) + " builds in this folder; waiting for its end");
                channel.lock();
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(String.valueOf(ProcessHandle.current().pid())
                .getBytes(StandardCharsets.US_ASCII)), 0);
            isTaken = true;
            return new BuildLock(channel);
        } finally {
            if (!isTaken) {
                channel.close();
            }
        }
    }

    private static String holder(FileChannel channel) throws IOException {
        ByteBuffer pid = ByteBuffer.allocate(PID_BYTES_MAX);
        channel.read(pid, 0);
        return new String(pid.array(), 0, pid.position(), StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
