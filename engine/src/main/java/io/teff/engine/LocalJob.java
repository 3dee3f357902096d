package io.teff.engine;

import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobException.Reason;
import io.teff.engine.error.Status;
import io.teff.engine.os.Clock;
import io.teff.engine.work.TrackedChanges;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A run of a job on a store of this JVM. For one thread. */
class LocalJob implements JobContext {
    /** Pause before a chunk that others have locked is tried again. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final LocalCompute home;
    private final byte[] argument;
    private final long cid;
    private final int attempt;
    private final boolean isOnce;
    private final BooleanSupplier cancelled;
    private final TrackedChanges changes = new TrackedChanges();

    LocalJob(LocalCompute home, byte[] argument, long cid, int attempt, boolean isOnce, BooleanSupplier cancelled) {
        this.home = home;
        this.argument = argument;
        this.cid = cid;
        this.attempt = attempt;
        this.isOnce = isOnce;
        this.cancelled = cancelled;
    }

    @Override
    public byte[] argument() {
        return argument.clone();
    }

    @Override
    public int zone() {
        return home.zone();
    }

    @Override
    public long cid() {
        return cid;
    }

    @Override
    public int attempt() {
        return attempt;
    }

    @Override
    public boolean isCancelled() {
        return cancelled.getAsBoolean();
    }

    private void check(long chunk) {
        if (Cid.nid(chunk) != home.zone()) {
            throw new JobException(Reason.REFUSED, "chunk " + Cid.toString(chunk) + " is not of zone " + home.zone());
        }
    }

    @Override
    public byte @Nullable [] get(long chunk) {
        check(chunk);
        return changes.get(chunk, it -> home.store().chunks().get(it).orElse(null));
    }

    @Override
    public void put(long chunk, byte[] content) {
        check(chunk);
        changes.change(chunk, content);
    }

    @Override
    public void remove(long chunk) {
        check(chunk);
        changes.change(chunk, null);
    }

    @Override
    public boolean commit() {
        if (isOnce) {
            throw new IllegalStateException("the changes of this job are made once, when it has returned");
        }
        return end();
    }

    /** Makes the noted changes; false if another change was faster. */
    boolean end() {
        if (changes.count() == 0) {
            changes.clear();
            return true;
        }
        int result = home.change(changes.changes());
        final Clock clock = home.clock();
        while (result == Status.LOCKED || result == Status.PINNED) {
            if (isCancelled()) {
                throw new JobException(Reason.TIMED_OUT, "a chunk of the job stays locked");
            }
            clock.pause(this, PAUSE_NS);
            result = home.change(changes.changes());
        }
        return ended(result);
    }

    private boolean ended(int result) {
        if (result != Status.OK && Status.isStatus(result)) {
            throw new JobException(Reason.FAILED, "the changes of the job were refused: " + Status.name(result));
        }
        if (result == Status.OK) {
            changes.clear();
            return true;
        }
        int index = result - 1;
        for (TrackedChanges.Change change : changes.changes()) {
            if (index-- == 0 && change.expected() == null) {
                throw new JobException(Reason.FAILED, "chunk " + Cid.toString(change.cid()) + " does not exist");
            }
        }
        changes.clear();
        return false;
    }

    @Override
    public void forEachCid(LongConsumer consumer) {
        home.store().ids().forEach(consumer);
    }

    @Override
    public ChunkStore store() {
        return home.store();
    }
}
