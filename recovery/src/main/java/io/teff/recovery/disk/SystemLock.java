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
 * <p>A process loses its locks on a file when it closes that file, by whichever handle; so a file whose lock is in this
 * process is not opened again. What is locked is one byte far behind the text, so that others can read the text where
 * locks keep them from reading.
 *
 * <p><b>Within the process</b> locks are kept in a map. Another class loader's copy of this class has another map, so
 * each lock is a system property, too: the one thing that all copies see, and a text, as whoever lists all properties
 * expects. It begins with the name of the copy that has set it. One that says to be this copy's and is not in the map
 * was put back with all properties of an earlier time, and counts for nothing.
 */
final class SystemLock implements Closeable {
    private static final Map<Path, String> HELD = new ConcurrentHashMap<>();
    /** What the names of the properties begin with; the lock's path follows. */
    private static final String PROPERTY = "io.teff.recovery.lock:";
    private static final String COPY = Integer.toHexString(System.identityHashCode(SystemLock.class)) + " ";
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
        String copys = note(real, holder);
        if (copys != null) {
            HELD.remove(real);
            throw new LockedException(path, copys);
        }
        try {
            channel = FileChannel.open(real, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE);
            lock(channel, real, holder);
            return new SystemLock(real, channel);
        } catch (IOException e) {
            if (channel != null) {
                channel.close();
            }
            forget(real);
            throw Failures.named(e, path);
        }
    }

    /** Tells other copies of this class of a lock; returns who has it if one of them does. */
    private static @Nullable String note(Path path, String holder) {
        Object before = System.getProperties().putIfAbsent(PROPERTY + path, COPY + holder);
        if (before == null) {
            return null;
        }
        String text = before.toString();
        if (text.startsWith(COPY)) {
            System.setProperty(PROPERTY + path, COPY + holder);
            return null;
        }
        return text.substring(text.indexOf(' ') + 1);
    }

    private static void forget(Path path) {
        System.clearProperty(PROPERTY + path);
        HELD.remove(path);
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
            return null;                                        // another copy's, whose property is gone
        }
    }

    @Override
    public void close() throws IOException {
        if (channel.isOpen()) {
            channel.close();
            forget(path);
        }
    }
}
