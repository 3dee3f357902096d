package io.teff.recovery.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A lock by a file of the machine.
 *
 * <p>A process loses its locks on a file when it closes that file, by whichever handle; so within this process locks
 * are kept in a map, and a file whose lock is here is not opened again. What is locked is one byte far behind the text,
 * so that others can read the text where locks keep them from reading.
 */
final class SystemLock implements Closeable {
    private static final Map<Path, String> HELD = new ConcurrentHashMap<>();
    private static final long LOCKED_AT = Long.MAX_VALUE - 1;

    private final Path path;
    private final FileChannel channel;

    private SystemLock(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    static Closeable take(Path path, String holder) throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        Path real = folder == null ? path : folder.toRealPath().resolve(path.getFileName());
        String other = HELD.putIfAbsent(real, holder);
        if (other != null) {
            throw new LockedException(path, other);
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(real, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE);
            lock(channel, real, holder);
            return new SystemLock(real, channel);
        } catch (IOException e) {
            if (channel != null) {
                channel.close();
            }
            HELD.remove(real);
            throw Failures.named(e, path);
        }
    }

    private static void lock(FileChannel channel, Path path, String holder) throws IOException {
        if (tryLock(channel) == null) {
            throw new LockedException(path, Files.readString(path).strip());
        }
        channel.truncate(0);
        ByteBuffer text = StandardCharsets.UTF_8.encode(holder + System.lineSeparator());
        while (text.hasRemaining()) {
            channel.write(text);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock(LOCKED_AT, 1, false);
        } catch (OverlappingFileLockException _) {
            return null;                                        // another loader's copy of this class has it
        }
    }

    @Override
    public void close() throws IOException {
        if (channel.isOpen()) {
            channel.close();
            HELD.remove(path);
        }
    }
}
