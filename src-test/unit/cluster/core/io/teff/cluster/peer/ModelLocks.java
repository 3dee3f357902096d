package io.teff.cluster.peer;

import io.teff.engine.LockOperations;
import io.teff.engine.error.Status;
import io.teff.engine.zone.RemoteHolder;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The locks of a zone's chunks as the engine has them: of holders outside of the process, for whom the calling thread
 * acts. Nothing waits.
 */
final class ModelLocks {
    private final LongPredicate exists;
    private final Runnable mayStop;
    private final Map<Long, Lock> byCid = new HashMap<>();
    private final LockOperations operations;

    /** Of one chunk: a writer, or readers. */
    private static final class Lock {
        private @Nullable RemoteHolder writer;
        private final List<RemoteHolder> readers = new ArrayList<>();

        boolean isFree() {
            return writer == null && readers.isEmpty();
        }

        boolean isReadableBy(@Nullable RemoteHolder acting) {
            return writer == null || writer.equals(acting);
        }

        boolean isWritableBy(@Nullable RemoteHolder acting) {
            return isReadableBy(acting) && readers.stream().allMatch(reader -> reader.equals(acting));
        }
    }

    /**
     * Makes the locks of a zone.
     *
     * @param exists whether there is a chunk
     * @param mayStop called where a process may stop
     */
    ModelLocks(LongPredicate exists, Runnable mayStop) {
        this.exists = exists;
        this.mayStop = mayStop;
        operations = (LockOperations) Proxy.newProxyInstance(ModelLocks.class.getClassLoader(),
            new Class<?>[] {LockOperations.class}, (_, method, it) -> switch (method.getName()) {
                case "lockWrite" -> take((long) it[0], true);
                case "lockRead" -> take((long) it[0], false);
                case "unlock" -> unlock((long) it[0]);
                case "swapToWrite" -> swap((long) it[0], true);
                case "swapToRead" -> swap((long) it[0], false);
                default -> throw new UnsupportedOperationException(method.getName());
            });
    }

    LockOperations operations() {
        return operations;
    }

    /** Returns whether the calling thread may read a chunk. */
    boolean canRead(long cid) {
        Lock lock = byCid.get(cid);
        return lock == null || lock.isReadableBy(RemoteHolder.acting());
    }

    /** Returns whether the calling thread may change a chunk. */
    boolean canWrite(long cid) {
        Lock lock = byCid.get(cid);
        return lock == null || lock.isWritableBy(RemoteHolder.acting());
    }

    /** A chunk was removed, and its locks with it. */
    void removed(long cid) {
        byCid.remove(cid);
    }

    /** Forgets all locks. */
    void clear() {
        byCid.clear();
    }

    private int take(long cid, boolean isWrite) {
        mayStop.run();
        if (!exists.test(cid)) {
            return Status.ABSENT;
        }
        RemoteHolder holder = Objects.requireNonNull(RemoteHolder.acting());
        Lock lock = byCid.computeIfAbsent(cid, _ -> new Lock());
        if (isWrite ? !lock.isFree() : lock.writer != null) {
            return Status.LOCKED;
        }
        if (isWrite) {
            lock.writer = holder;
        } else {
            lock.readers.add(holder);
        }
        mayStop.run();
        return Status.OK;
    }

    private int unlock(long cid) {
        Lock lock = byCid.get(cid);
        RemoteHolder holder = RemoteHolder.acting();
        if (lock == null) {
            return exists.test(cid) ? Status.NOT_HELD : Status.ABSENT;
        }
        boolean isHeld = lock.readers.remove(holder);
        if (lock.writer != null && lock.writer.equals(holder)) {
            lock.writer = null;
            isHeld = true;
        }
        if (lock.isFree()) {
            byCid.remove(cid);
        }
        return isHeld ? Status.OK : Status.NOT_HELD;
    }

    private int swap(long cid, boolean toWrite) {
        mayStop.run();
        Lock lock = byCid.get(cid);
        RemoteHolder holder = Objects.requireNonNull(RemoteHolder.acting());
        if (lock == null) {
            return exists.test(cid) ? Status.NOT_HELD : Status.ABSENT;
        }
        if (toWrite ? !lock.readers.contains(holder) : !holder.equals(lock.writer)) {
            return Status.NOT_HELD;
        }
        if (toWrite && lock.readers.size() > 1) {
            return Status.LOCKED;
        }
        if (toWrite) {
            lock.readers.clear();
            lock.writer = holder;
        } else {
            lock.writer = null;
            lock.readers.add(holder);
        }
        mayStop.run();
        return Status.OK;
    }
}
