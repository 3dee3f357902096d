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
 * The lock of a file of the machine, held by one writer or by any number of readers.
 *
 * <p>A process loses its locks on a file when it closes any handle of that file. So this class does not open a file
 * twice: readers share the handle of the first one, and the last one closes it. The lock covers one byte far behind the
 * text, so that other processes can read the text even where locks prevent reading.
 *
 * <p><b>Readers</b> need a handle for reading only, and write no text; so the text may name a process that has ended.
 * If the file does not exist and cannot be created, there has never been a writer. Then nothing is locked, and the end
 * of the read checks whether the file has been created meanwhile.
 *
 * <p><b>Within the process</b> locks are kept in a map. A copy of this class from another class loader has another map,
 * so each lock is a system property, too: all copies see it, and it is a string, as code that lists all properties
 * expects. Its value begins with the name of the copy that has set it. A value that names this copy, but belongs to no
 * lock in the map, was restored with all properties from an earlier time, and is ignored.
 */
final class SystemLock {
    /** The locks of this copy by real path. Its monitor guards the map and the fields of all locks in it. */
    private static final Map<Path, SystemLock> HELD = new HashMap<>();
    /** Prefix of the names of the properties; the path of the lock follows. */
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

    /** Takes the exclusive lock for a writer. */
    static Closeable take(Path path, String holder) throws IOException {
        return take(path, holder, false);
    }

    /** Takes a shared lock for a reader. */
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

    /** Opens and locks the file. Returns null if the file does not exist and a reader cannot create it. */
    private static @Nullable FileChannel open(Path path, Path real, String holder, boolean isShared)
        throws IOException {
        String copyHolder = note(real, holder);
        if (copyHolder != null) {
            throw new LockedException(path, copyHolder);
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
            throw new LockedException(path, areReaders ? "a reader" : Files.readString(path).strip());
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
            return null;                                        // held by another copy, whose property was removed
        }
    }

    /**
     * Records a lock in a system property, for other copies of this class; returns the holder if another copy has the
     * lock.
     */
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

    /** The lock of one holder. */
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

    /** The lock of a reader of a file that does not exist, which cannot keep a writer from creating it. */
    private record Absence(Path path) implements Closeable {
        @Override
        public void close() throws IOException {
            if (Files.exists(path)) {
                throw new LockedException(path, "a writer that started while it was read");
            }
        }
    }
}
