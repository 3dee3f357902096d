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
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A lock on a file of this machine: exclusive for one writer, or shared by any number of readers.
 *
 * <p>A process loses its locks on a file when it closes the file through any handle. So a file locked by this process
 * is not opened again: readers share the handle of the first reader, and the last reader closes the handle. The locked
 * region is one byte far behind the text, so that others can read the text on systems where locks block reads.
 *
 * <p><b>A lost lock.</b> Other code of this process may open and close the file, and anyone may delete it; then another
 * process gets the lock. So the file has a second line for the writer that has the lock: the process, its start, the
 * file's key and a number of this lock. A new writer refuses while the process of this line still runs, unless the file
 * is a copy. A new writer waits a second for a process that is being killed. A process that has ended unnoticed by its
 * parent, a zombie, counts as ended. The holder of the lock checks that the path still leads to its file and its line.
 *
 * <p><b>Readers</b> need a handle to read and nothing else, and write no text; so the text may name a process that has
 * ended. If there is no file and none can be created, there has never been a writer: then nothing is locked, and only
 * the closing of the lock checks whether a writer has appeared.
 *
 * <p><b>Within the process</b> locks are kept in a map. A copy of this class in another class loader has another map,
 * so each lock is also a system property, visible to all copies. The value is a string, as expected by code that lists
 * all properties. The string begins with an id of the copy that has set the property. A property with the id of this
 * copy that is not in the map was restored together with all properties of an earlier time, and is ignored.
 */
final class SystemLock {
    /** Guarded by itself, including the locks in it. */
    private static final Map<Path, SystemLock> HELD = new HashMap<>();
    /** Names of the properties begin with this; the path of the lock follows. */
    private static final String PROPERTY = "io.teff.recovery.lock:";
    private static final String COPY = Integer.toHexString(System.identityHashCode(SystemLock.class)) + " ";
    private static final long LOCKED_AT = Long.MAX_VALUE - 1;
    private static final int TEXT_BYTES_MAX = 4096;
    /** How long a process that has lost its lock may take to end. */
    private static final long END_NS_MAX = 1_000_000_000;

    private final Path path;
    private final String holder;
    private final boolean isShared;
    private final FileChannel channel;
    /** All text of the file of a writer, and the file's key, or null if the system has none. */
    private final String text;
    private final @Nullable Object key;
    private int userCount;

    private SystemLock(Path path, String holder, boolean isShared, FileChannel channel) throws IOException {
        this.path = path;
        this.holder = holder;
        this.isShared = isShared;
        this.channel = channel;
        this.key = key(path);
        this.text = isShared ? "" : holder + "\n" + LockLine.of(String.valueOf(key)) + "\n";
    }

    /** Takes the exclusive lock. */
    static DiskLock take(Path path, String holder) throws IOException {
        return take(path, holder, false);
    }

    /** Takes a shared lock. */
    static Closeable share(Path path, String holder) throws IOException {
        return take(path, holder, true);
    }

    private static DiskLock take(Path path, String holder, boolean isShared) throws IOException {
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
                held = held(real, holder, isShared, channel);
                HELD.put(real, held);
            }
            held.userCount++;
            return new Use(held, new AtomicBoolean());
        }
    }

    private static SystemLock held(Path path, String holder, boolean isShared, FileChannel channel) throws IOException {
        boolean isHeld = false;
        try {
            final SystemLock lock = new SystemLock(path, holder, isShared, channel);
            if (!isShared) {
                write(channel, lock.text);
            }
            isHeld = true;
            return lock;
        } catch (IOException e) {
            throw DiskFailures.named(e, path);
        } finally {
            if (!isHeld) {
                end(channel, path);
            }
        }
    }

    private static @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    /**
     * Replaces the text of a file. The file is never empty in between: a process that ends here leaves the new text,
     * perhaps with a rest of the former text behind. Readers ignore such a rest as a third line.
     */
    static void write(FileChannel channel, String content) throws IOException {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(content);
        long at = 0;
        while (bytes.hasRemaining()) {
            at += channel.write(bytes, at);
        }
        channel.truncate(at);
    }

    private static String read(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(TEXT_BYTES_MAX);
        for (int count = 0; count >= 0 && bytes.hasRemaining();) {
            count = channel.read(bytes, bytes.position());
        }
        return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
    }

    /** Checks the lock of a writer. */
    private void check() throws IOException {
        Object found;
        try {
            found = key(path);
        } catch (NoSuchFileException _) {
            throw new FileLockLostException(path, "its file was deleted");
        }
        if (!Objects.equals(found, key)) {
            throw new FileLockLostException(path, "its file was replaced by another one");
        }
        String now = read(channel);
        if (!now.equals(text)) {
            throw new FileLockLostException(path, "it was taken by " + LockLine.holder(now));
        }
    }

    /** Removes the line of the writer, unless the file has another one by now. */
    private void endLine() throws IOException {
        if (!isShared && read(channel).equals(text)) {
            write(channel, holder + "\n");
        }
    }

    /** Opens and locks the file. Returns null if there is no file, and the reader cannot create it. */
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
                lock(channel, real, isShared);
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

    private static void lock(FileChannel channel, Path path, boolean isShared) throws IOException {
        if (tryLock(channel, isShared) == null) {
            boolean areReaders = !isShared && tryLock(channel, true) != null;
            throw new LockedException(path, areReaders ? "a reader" : LockLine.holder(read(channel)));
        }
        String before = read(channel);
        String key = String.valueOf(key(path));
        if (LockLine.isAlive(before, key)) {
            awaitEnd(before, key);
        }
        if (LockLine.isAlive(before, key)) {
            throw new LockedException(path, LockLine.holder(before) + ", which still runs and has lost its lock");
        }
    }

    /** A dying process has closed its files, and thus lost its locks, before its end. */
    private static void awaitEnd(String text, String key) {
        long start = System.nanoTime();
        while (LockLine.isAlive(text, key) && System.nanoTime() - start < END_NS_MAX) {
            LockSupport.parkNanos(HELD, END_NS_MAX / 100);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel, boolean isShared) throws IOException {
        try {
            return channel.tryLock(LOCKED_AT, 1, isShared);
        } catch (OverlappingFileLockException _) {
            return null;                                        // locked by another copy of this class
        }
    }

    /** Announces a lock to other copies of this class. Returns the owner if one of them has the lock, else null. */
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

    /** One use of a lock, by one owner. */
    private record Use(SystemLock lock, AtomicBoolean isEnded) implements DiskLock {
        @Override
        public void check() throws IOException {
            lock.check();
        }

        @Override
        public void close() throws IOException {
            if (isEnded.compareAndSet(false, true)) {
                synchronized (HELD) {
                    if (--lock.userCount == 0) {
                        HELD.remove(lock.path);
                        try {
                            lock.endLine();
                        } finally {
                            end(lock.channel, lock.path);
                        }
                    }
                }
            }
        }
    }

    /** A reader's lock on a missing file: it locks nothing. */
    private record Absence(Path path) implements DiskLock {
        @Override
        public void close() throws IOException {
            if (Files.exists(path)) {
                throw new LockedException(path, "a writer that has opened it meanwhile");
            }
        }
    }
}
