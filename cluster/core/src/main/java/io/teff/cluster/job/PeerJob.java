package io.teff.cluster.job;

import io.teff.cluster.ChunkGroup;
import io.teff.cluster.ClusterStore;
import io.teff.cluster.operation.JobCommit;
import io.teff.cluster.operation.JobCommit.Outcome;
import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.JobContext;
import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobException.Reason;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.raw.RawCids;
import io.teff.engine.work.TrackedChanges;
import io.teff.engine.zone.ChunkChange;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A run of a job at a peer. Reads of the zone read the memory of this peer; the answer of the job is held until
 * everything that was read is acknowledged. A job without a zone reads and changes as a client. For one thread.
 */
class PeerJob implements JobContext {
    /** Pause before a chunk that others have locked, or a busy peer, is tried again. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int CIDS = 1_024;

    private final JobHost home;
    private final Call call;
    private final BooleanSupplier cancelled;
    private final TrackedChanges changes = new TrackedChanges();

    /**
     * A call.
     *
     * @param zone of the job; 0 for none
     * @param cid of the job; 0 for none
     * @param argument for the job
     * @param attempt number of the run
     * @param session of the client; 0 for changes without a ticket
     * @param ticket of the changes
     */
    record Call(int zone, long cid, byte[] argument, int attempt, int session, long ticket) {
        Call again() {
            return new Call(zone, cid, argument, attempt + 1, session, ticket);
        }
    }

    PeerJob(JobHost home, Call call, BooleanSupplier cancelled) {
        this.home = home;
        this.call = call;
        this.cancelled = cancelled;
    }

    @Override
    public byte[] argument() {
        return call.argument.clone();
    }

    @Override
    public int zone() {
        return call.zone;
    }

    @Override
    public long cid() {
        return call.cid;
    }

    @Override
    public int attempt() {
        return call.attempt;
    }

    @Override
    public boolean isCancelled() {
        return cancelled.getAsBoolean() || call.zone != 0 && home.zones().serving(call.zone) == null;
    }

    // ---- reading ----

    private void check(long chunk) {
        if (call.zone != 0 && Cid.nid(chunk) != call.zone) {
            throw new JobException(Reason.REFUSED, "chunk " + Cid.toString(chunk) + " is not of zone " + call.zone);
        }
    }

    private ChunkStore served() {
        final ChunkStore served = home.zones().serving(call.zone);
        if (served == null) {
            throw new DeposedException(call.zone);
        }
        return served;
    }

    @Override
    public byte @Nullable [] get(long chunk) {
        check(chunk);
        return changes.get(chunk, this::read);
    }

    private byte @Nullable [] read(long chunk) {
        if (call.zone == 0) {
            return store().chunks().get(chunk).orElse(null);
        }
        while (true) {
            final ChunkStore served = served();
            try {
                return served.chunks().get(chunk).orElse(null);
            } catch (StoreClosedException | ZoneDroppedException _) {
                throw new DeposedException(call.zone);
            } catch (StoreException e) {
                if (e.status() != Status.LOCKED) {
                    throw e;
                }
                JobCommit.expire(home.zones(), served, chunk);
                pause();
            }
        }
    }

    @Override
    public void forEachCid(LongConsumer consumer) {
        if (call.zone == 0) {
            store().ids().forEach(consumer);
            return;
        }
        final long[] cids = new long[CIDS];
        int count = cids.length;
        for (long first = 0; count == cids.length; ) {
            try {
                count = RawCids.of(served()).cids(first, cids);
            } catch (StoreClosedException | ZoneDroppedException _) {
                throw new DeposedException(call.zone);
            }
            for (int i = 0; i < count; i++) {
                consumer.accept(cids[i]);
            }
            first = count == 0 ? 0 : Cid.index(cids[count - 1]) + 1;
        }
    }

    @Override
    public ClusterStore store() {
        return home.store().get();
    }

    // ---- changing ----

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
        if (call.session != 0) {
            throw new IllegalStateException("the changes of this job are made once, when it has returned");
        }
        final JobCommit.Result made = end(new byte[0]);
        return made == null || made.outcome() == Outcome.DONE;
    }

    /**
     * Makes the noted changes.
     *
     * @param value result of the job
     * @return DONE, REPEATED or CONFLICT; null if there are no changes
     * @throws DeposedException if this peer does not serve the zone any more
     * @throws JobException if the changes are impossible, or the job is cancelled
     */
    JobCommit.@Nullable Result end(byte[] value) {
        if (changes.count() == 0) {
            changes.clear();
            return null;
        }
        if (call.zone == 0) {
            final boolean isMade = changeAsClient();
            changes.clear();
            return new JobCommit.Result(isMade ? Outcome.DONE : Outcome.CONFLICT, 0, null, "");
        }
        final List<ChunkChange> all = new ArrayList<>();
        for (TrackedChanges.Change change : changes.changes()) {
            final byte[] expected = change.expected();
            all.add(new ChunkChange(change.cid(), expected == null ? ChunkChange.Condition.NONE
                : ChunkChange.Condition.EQUAL, expected, change.content() == null ? ChunkChange.Change.REMOVE
                : ChunkChange.Change.PUT, change.content()));
        }
        while (true) {
            final JobCommit.Result made = JobCommit.commit(home.zones(), call.zone, all, call.session, call.ticket,
                value);
            switch (made.outcome()) {
                case DONE, REPEATED -> {
                    changes.clear();
                    return made;
                }
                case CONFLICT -> {
                    checkExists(all.get((int) made.number()));
                    changes.clear();
                    return made;
                }
                case LOCKED, BUSY -> pause();
                case DEPOSED -> throw new DeposedException(call.zone);
                case EXPIRED -> throw new ExpiredException();
                case REFUSED -> throw new JobException(Reason.FAILED, "the changes of the job were refused: "
                    + made.text());
            }
        }
    }

    private static void checkExists(ChunkChange change) {
        if (change.expected() == null) {
            throw new JobException(Reason.FAILED, "chunk " + Cid.toString(change.cid()) + " does not exist");
        }
    }

    private void pause() {
        if (isCancelled()) {
            throw new JobException(Reason.CANCELLED, "the job was cancelled while it waited for a lock or for backups");
        }
        home.platform().clock().pause(this, PAUSE_NS);
    }

    private boolean changeAsClient() {
        final ChunkGroup group = store().group();
        boolean isChecked = true;
        for (TrackedChanges.Change change : changes.changes()) {
            final byte[] expected = change.expected();
            final byte[] content = change.content();
            if (expected != null) {
                group.ifContent(change.cid(), expected);
            }
            isChecked &= expected != null;
            if (content == null) {
                group.remove(change.cid());
            } else {
                group.put(change.cid(), content);
            }
        }
        final boolean isMade = group.commit();
        if (!isMade && !isChecked) {
            throw new JobException(Reason.FAILED, "chunk " + Cid.toString(group.refusedBy())
                + " does not exist, or has changed");
        }
        return isMade;
    }
}
