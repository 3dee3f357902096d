package io.teff.engine.os;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A lock by a file of the machine: of one that writes, or of any number that read.
 *
 * <p>A process loses its locks on a file when it closes that file, by whichever handle; so a file whose lock is in this
 * process is not opened again: those who read share the handle of the first one, and the last one closes it. What is
 * locked is one byte far behind the text, so that others can read the text where locks keep them from reading.
 *
 * <p><b>Who reads</b> needs a handle to read and nothing else, and writes no text; so the text may name a process that
 * is gone. Where there is no file and none can be made, nobody has ever written there: then nothing is locked, and it
 * is only looked whether somebody has come in the end.
 *
 * <p><b>Within the process</b> locks are kept in a map. Another class loader's copy of this class has another map, so
 * each lock is a system property, too: the one thing that all copies see, and a text, as whoever lists all properties
 * expects. It begins with the name of the copy that has set it. One that says to be this copy's and is not in the map
 * was put back with all properties of an earlier time, and counts for nothing.
 */
final class SystemLock {
    /** Guarded by itself, and so is what is in it. */
    private static final Map<Path, SystemLock> HELD = new HashMap<>();
    /** What the names of the properties begin with; the lock's path follows. */
    private static final String PROPERTY = "io.teff.recovery.lock:";
    private static final String COPY = Integer.toHexString(System.identityHashCode(SystemLock.class)) + " ";
    private static final long LOCKED_AT = Long.MAX_VALUE - 1;

    private final Path path;
    private final String holder;
    private final boolean isShared;
    private final FileChannel channel;
    private int userCount;

    private SystemLock(Path path, String holder, boolean isShared, FileChannel channel) {
        this.path = path;
        this.holder = holder;
        this.isShared = isShared;
        this.channel = channel;
    }

    /** Takes a lock for one that writes. */
    static Closeable take(Path path, String holder) throws IOException {
        return take(path, holder, false);
    }

    /** Takes a lock for one of those that read. */
    static Closeable share(Path path, String holder) throws IOException {
        return take(path, holder, true);
    }

    private static Closeable take(Path path, String holder, boolean isShared) throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        Path real = folder == null ? path : folder.toRealPath().resolve(path.getFileName());
        synchronized (HELD) {
            SystemLock held = HELD.get(real);
            if (held != null && !(held.isShared && isShared)) {
                throw new LockedException(path, held.holder);
            }
            if (held == null) {
                FileChannel channel = open(path, real, holder, isShared);
                if (channel == null) {
                    return new Absence(real);
                }
                held = new SystemLock(real, holder, isShared, channel);
                HELD.put(real, held);
            }
            held.userCount++;
            return new Use(held, new AtomicBoolean());
        }
    }

    /** Opens and locks the file; null if there is none, and whoever wants to read cannot make it. */
    private static @Nullable FileChannel open(Path path, Path real, String holder, boolean isShared)
        throws IOException {
        String copys = note(real, holder);
        if (copys != null) {
            throw new LockedException(path, copys);
        }
        FileChannel channel = null;
        boolean isLocked = false;
        try {
            channel = isShared ? openToRead(real) : FileChannel.open(real, StandardOpenOption.CREATE,
                StandardOpenOption.READ, StandardOpenOption.WRITE);
            if (channel != null) {
                lock(channel, real, holder, isShared);
                isLocked = true;
            }
            return channel;
        } catch (IOException e) {
            throw DiskFailures.named(e, path);
        } finally {
            if (!isLocked) {
                end(channel, real);
            }
        }
    }

    private static void end(@Nullable FileChannel channel, Path path) throws IOException {
        System.clearProperty(PROPERTY + path);
        if (channel != null) {
            channel.close();
        }
    }

    private static @Nullable FileChannel openToRead(Path path) throws IOException {
        try {
            return FileChannel.open(path, StandardOpenOption.READ);
        } catch (NoSuchFileException _) {
            try {
                return FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
            } catch (IOException _) {
                return null;
            }
        }
    }

    private static void lock(FileChannel channel, Path path, String holder, boolean isShared) throws IOException {
        if (tryLock(channel, isShared) == null) {
            boolean areReaders = !isShared && tryLock(channel, true) != null;
            throw new LockedException(path, areReaders ? "somebody who reads it" : Files.readString(path).strip());
        }
        if (!isShared) {
            channel.truncate(0);
            ByteBuffer text = StandardCharsets.UTF_8.encode(holder + System.lineSeparator());
            while (text.hasRemaining()) {
                channel.write(text);
            }
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel, boolean isShared) throws IOException {
        try {
            return channel.tryLock(LOCKED_AT, 1, isShared);
        } catch (OverlappingFileLockException _) {
            return null;                                        // another copy's, whose property is gone
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

    /** One of those who have a lock. */
    private record Use(SystemLock lock, AtomicBoolean isEnded) implements Closeable {
        @Override
        public void close() throws IOException {
            if (isEnded.compareAndSet(false, true)) {
                synchronized (HELD) {
                    if (--lock.userCount == 0) {
                        HELD.remove(lock.path);
                        end(lock.channel, lock.path);
                    }
                }
            }
        }
    }

    /** One who reads where nobody has ever written, and cannot keep others from it. */
    private record Absence(Path path) implements Closeable {
        @Override
        public void close() throws IOException {
            if (Files.exists(path)) {
                throw new LockedException(path, "somebody who has come while it was read");
            }
        }
    }
}
