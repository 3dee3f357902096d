package io.teff.recovery.disk;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskLock;
import io.teff.engine.os.DiskFullException;
import io.teff.engine.os.FileLockLostException;
import io.teff.engine.os.LockedException;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A disk in memory with planned failures, of which images can be taken as crashes would leave it.
 *
 * <p><b>Crashes.</b> {@link #killed} returns the disk after the death of the process: everything written, renamed,
 * deleted and stored to mapped memory; unsynced changes are unsynced there too. {@link #powerCut} returns a possible
 * state after the death of the machine: for each unsynced write, and for each page of mapped memory that differs from
 * the file, it is decided whether it is kept, lost, or torn between sectors of 512 bytes; for each name that was made,
 * renamed or deleted and whose folder was not synced, whether the change is kept. A file that grows may have its new
 * length without its new bytes. Only the last content of a page of memory is tried; take images in between for others.
 * Both results are new disks, independent of this one. An image is exact only if no thread stores to mapped memory
 * while it is taken.
 *
 * <p><b>Failures.</b> A call fails before it has any effect, but a write may be short. A failed sync behaves as on
 * Linux: the written bytes stay readable, and the next sync reports success; but they are on no device, and a power cut
 * may remove them. So a log that retries a sync loses data, and a test sees it.
 */
public final class FaultDisk implements Disk {
    /** The only folder. */
    public static final Path ROOT = Path.of("/");

    /** Decision of a power cut: the write is kept. */
    static final int KEEP = 0;
    /** Decision of a power cut: the write is lost. */
    static final int DROP = 1;
    /** Number of decisions on a write: keep, drop, or tear. */
    static final int DECISIONS = 3;

    /** The calls that can be made to fail. */
    public enum Call {
        CREATE, OPEN, FOLDERS, LIST, DELETE, RENAME, LINK, FORCE_FOLDER, LOCK, USABLE, WRITE, READ, SIZE, FORCE, MAP
    }

    /** The kind of a failure. */
    public enum Fault { BROKEN, FULL }

    /** A planned failure of a range of calls, counted from the first one. */
    private record Plan(long from, long end, Fault fault, int bytesBefore) {}

    /** A held lock; each use is a separate object. */
    private record Lock(String holder, boolean isShared, Object use) {}

    private final FaultNames names;
    private final UUID boot;
    private final Map<Path, List<Lock>> locks = new HashMap<>();
    private final Map<Call, Long> counts = new EnumMap<>(Call.class);
    private final Map<Call, Plan> plans = new EnumMap<>(Call.class);
    /** Limit of the bytes of all files, in blocks of 4 KiB. */
    private long limit = Integer.MAX_VALUE;
    private volatile Runnable beforeCall = () -> {};
    private volatile boolean hasLinks = true;

    /** An empty disk. */
    public FaultDisk() {
        this(new FaultNames(), new UUID(1, 1));
    }

    private FaultDisk(FaultNames names, UUID boot) {
        this.names = names;
        this.boot = boot;
    }

    // ---- crashes ----

    /** Returns the disk as it is if the process is killed now. */
    public synchronized FaultDisk killed() {
        return limited(new FaultDisk(names.copy(FaultContent::copy), boot));
    }

    private FaultDisk limited(FaultDisk image) {
        image.limit = limit;
        return image;
    }

    /** Kills the process and gives this disk to another one; former mappings are no longer used. */
    public synchronized void kill() {
        names.unmapAll();
    }

    /** Returns a possible state of the disk if the power fails now. */
    public synchronized FaultDisk powerCut(Choices choices) {
        return limited(new FaultDisk(names.powerCut(choices), new UUID(boot.getMostSignificantBits(),
            boot.getLeastSignificantBits() + 1)));
    }

    // ---- failures ----

    /** Makes one call of a kind fail: the n-th from now on, n from 0. */
    public void fail(Call call, int n, Fault fault) {
        fail(call, n, 1, fault, 0);
    }

    /** Makes the n-th call of a kind from now on fail, and all later ones, until {@link #heal}. */
    public void failFrom(Call call, int n, Fault fault) {
        fail(call, n, Integer.MAX_VALUE, fault, 0);
    }

    /** Makes the n-th write from now on fail after the given number of bytes. */
    public void writeShort(int n, Fault fault, int bytesBefore) {
        fail(Call.WRITE, n, 1, fault, bytesBefore);
    }

    /**
     * Sets the size of the disk, also for its images. A file takes blocks of 4 KiB; names take nothing. What does not
     * fit is refused as a whole, like a write to a full disk.
     */
    public synchronized void limit(long bytes) {
        limit = bytes;
    }

    /** Leaves no room but some bytes. */
    public synchronized void fillUp(long left) {
        limit = names.blockBytes() + left;
    }

    private void checkRoom(long before, long after) throws DiskFullException {
        final long more = FaultNames.blockBytes(after) - FaultNames.blockBytes(before);
        if (more > 0 && names.blockBytes() + more > limit) {
            throw new DiskFullException("the disk has " + limit + " bytes", null);
        }
    }

    /** Makes each read of a byte of a file fail from now on, on this disk and on its images. */
    public synchronized void breakAt(Path path, long offset) throws IOException {
        names.file(path).breakAt(offset);
    }

    private synchronized void fail(Call call, int n, int count, Fault fault, int bytesBefore) {
        long from = calls(call) + n;
        plans.put(call, new Plan(from, from + count, fault, bytesBefore));
    }

    /** Ends all planned failures. */
    public synchronized void heal() {
        plans.clear();
    }

    /** Returns the number of calls of a kind. */
    public synchronized long calls(Call call) {
        return counts.getOrDefault(call, 0L);
    }

    /** From now on the disk cannot give a file a second name. */
    public void refuseLinks() {
        hasLinks = false;
    }

    /** Sets an action that runs before each call, for example to take an image. */
    public void beforeEachCall(Runnable action) {
        beforeCall = action;
    }

    /** Counts a call; returns the failure due, or null. */
    private IOException failure(Call call) {
        beforeCall.run();
        synchronized (this) {
            long number = counts.merge(call, 1L, Long::sum) - 1;
            Plan plan = plans.get(call);
            if (plan == null || number < plan.from() || number >= plan.end()) {
                return null;
            }
            IOException broken = new IOException("Input/output error, planned for call " + number + " of " + call);
            return plan.fault() == Fault.FULL ? new DiskFullException("planned", broken) : broken;
        }
    }

    private void maybeFail(Call call) throws IOException {
        IOException failure = failure(call);
        if (failure != null) {
            throw failure;
        }
    }

    // ---- the disk ----

    @Override
    public DiskFile create(Path path, long bytes) throws IOException {
        maybeFail(Call.CREATE);
        synchronized (this) {
            checkRoom(0, bytes);
            return new File(names.create(path, Math.toIntExact(bytes)), false);
        }
    }

    @Override
    public DiskFile open(Path path) throws IOException {
        return open(path, false);
    }

    @Override
    public DiskFile openToRead(Path path) throws IOException {
        return open(path, true);
    }

    private DiskFile open(Path path, boolean isToRead) throws IOException {
        maybeFail(Call.OPEN);
        synchronized (this) {
            return new File(names.file(path), isToRead);
        }
    }

    @Override
    public void createFolders(Path folder) throws IOException {
        maybeFail(Call.FOLDERS);
        synchronized (this) {
            names.createFolders(folder);
        }
    }

    @Override
    public List<String> list(Path folder) throws IOException {
        maybeFail(Call.LIST);
        synchronized (this) {
            return names.list(folder);
        }
    }

    @Override
    public void delete(Path path) throws IOException {
        maybeFail(Call.DELETE);
        synchronized (this) {
            names.delete(path);
        }
    }

    @Override
    public void rename(Path source, Path target) throws IOException {
        maybeFail(Call.RENAME);
        synchronized (this) {
            names.rename(source, target);
        }
    }

    @Override
    public boolean link(Path existing, Path link) throws IOException {
        maybeFail(Call.LINK);
        synchronized (this) {
            if (hasLinks) {
                names.link(existing, link);
            }
            return hasLinks;
        }
    }

    @Override
    public Path real(Path path) throws IOException {
        Path real = path.toAbsolutePath().normalize();
        synchronized (this) {
            names.checkThere(real);
        }
        return real;
    }

    @Override
    public long birthNs(Path path) throws IOException {
        synchronized (this) {
            return names.file(path).birth();
        }
    }

    @Override
    public void forceFolder(Path folder) throws IOException {
        maybeFail(Call.FORCE_FOLDER);
        synchronized (this) {
            names.force(folder);
        }
    }

    @Override
    public DiskLock lock(Path path, String holder) throws IOException {
        return lock(path, new Lock(holder, false, new Object()));
    }

    @Override
    public Closeable lockShared(Path path, String holder) throws IOException {
        return lock(path, new Lock(holder, true, new Object()));
    }

    /** Takes all locks away from their owners, as if their files had been deleted. */
    public synchronized void loseLocks() {
        locks.clear();
    }

    /** A lock that is held until it is closed, or lost. */
    private final class HeldLock implements DiskLock {
        private final Path path;
        private final Lock lock;

        HeldLock(Path path, Lock lock) {
            this.path = path;
            this.lock = lock;
        }

        @Override
        public void check() throws IOException {
            synchronized (FaultDisk.this) {
                if (!locks.getOrDefault(path, List.of()).contains(lock)) {
                    throw new FileLockLostException(path, "planned");
                }
            }
        }

        @Override
        public void close() {
            synchronized (FaultDisk.this) {
                locks.getOrDefault(path, new ArrayList<>()).remove(lock);
            }
        }
    }

    private DiskLock lock(Path path, Lock lock) throws IOException {
        maybeFail(Call.LOCK);
        synchronized (this) {
            List<Lock> held = locks.computeIfAbsent(path, _ -> new ArrayList<>());
            if (!held.isEmpty() && !(lock.isShared && held.getFirst().isShared)) {
                throw new LockedException(path, held.getFirst().holder);
            }
            held.add(lock);
        }
        return new HeldLock(path, lock);
    }

    @Override
    public UUID boot() {
        return boot;
    }

    @Override
    public long usableBytes(Path folder) throws IOException {
        maybeFail(Call.USABLE);
        synchronized (this) {
            return Math.max(0, limit - names.blockBytes());
        }
    }

    /** An open file. */
    private final class File implements DiskFile {
        private final FaultContent content;
        private final boolean isToRead;
        private volatile boolean closed;

        File(FaultContent content, boolean isToRead) {
            this.content = content;
            this.isToRead = isToRead;
        }

        private IOException enter(Call call) {
            if (closed) {
                throw new IllegalStateException("the file is closed");
            }
            if (isToRead && (call == Call.WRITE || call == Call.MAP)) {
                throw new NonWritableChannelException();
            }
            return failure(call);
        }

        private void enterOrFail(Call call) throws IOException {
            IOException failure = enter(call);
            if (failure != null) {
                throw failure;
            }
        }

        @Override
        public void write(ByteBuffer bytes, long offset) throws IOException {
            IOException failure = enter(Call.WRITE);
            synchronized (FaultDisk.this) {
                Plan plan = plans.get(Call.WRITE);              // none if it was healed meanwhile
                int count = failure == null ? bytes.remaining()
                    : plan == null ? 0 : Math.min(bytes.remaining(), plan.bytesBefore());
                checkRoom(content.length(), Math.max(content.length(), offset + count));
                byte[] copy = new byte[count];
                bytes.get(copy);
                if (count > 0) {
                    content.write(copy, offset);
                }
            }
            if (failure != null) {
                throw failure;
            }
        }

        @Override
        public int read(ByteBuffer target, long offset) throws IOException {
            enterOrFail(Call.READ);
            synchronized (FaultDisk.this) {
                if (content.isBroken(offset, offset + target.remaining())) {
                    throw new IOException("Input/output error, planned for a byte");
                }
                return content.read(target, offset);
            }
        }

        @Override
        public long size() throws IOException {
            enterOrFail(Call.SIZE);
            synchronized (FaultDisk.this) {
                return content.length();
            }
        }

        @Override
        public void force() throws IOException {
            IOException failure = enter(Call.FORCE);
            synchronized (FaultDisk.this) {
                if (failure != null) {
                    content.forget();
                    throw failure;
                }
                content.force();
            }
        }

        @Override
        public MemorySegment map(long bytes, Arena arena) throws IOException {
            enterOrFail(Call.MAP);
            synchronized (FaultDisk.this) {
                return content.map(bytes);
            }
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
