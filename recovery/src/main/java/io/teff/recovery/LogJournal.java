package io.teff.recovery;

import io.teff.engine.Cid;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.journal.AbandonedRecords;
import io.teff.engine.journal.Journal;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Units;
import io.teff.recovery.format.ChainLink;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.RingRecord;
import io.teff.recovery.log.RecoveryLog;
import io.teff.recovery.log.WriteBuffer;
import io.teff.recovery.log.ZonePressure;
import io.teff.recovery.log.file.LogClosedException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the changes of a store to the log. Thread-safe.
 *
 * <p>A zone is an aligned range of 2^20 indexes of one creator. The number of a change is the position of its record
 * in the write buffer. {@link #done} waits as the store's level demands, or the level that a thread has chosen for a
 * block.
 */
final class LogJournal implements Journal {
    /** Indexes per zone, as a power of two. */
    static final int ZONE_SHIFT = 20;
    private static final String UNSYNCED = "what was changed is kept if the process ends, and not yet on the device";

    private final String storeName;
    private final RecoveryLog log;
    private final WriteBuffer buffer;
    private final ZonePressure pressure;
    private final boolean isSynced;
    /** Threads inside a block with its own level. */
    private final AtomicInteger blocks = new AtomicInteger();
    private final ThreadLocal<@Nullable Level> blockLevel = new ThreadLocal<>();

    LogJournal(String storeName, RecoveryLog log, Level level) {
        this.storeName = storeName;
        this.log = log;
        this.buffer = log.buffer();
        this.pressure = log.pressure();
        this.isSynced = level == Level.SYNCED;
    }

    // ---- changes ----

    @Override
    public boolean takesBytes() {
        return true;
    }

    @Override
    public void begin() {
        pressure.await();                                       // after a change whose end was not waited for
        try {
            if (!buffer.awaitRoom()) {
                throw fullToAdd();
            }
        } catch (LogClosedException e) {
            throw closed(e);
        }
    }

    @Override
    public void beginRemoval() {
        pressure.await();
        try {
            if (!buffer.awaitRoomToRemove()) {
                throw full("nothing was changed, and there is nothing to clean");
            }
        } catch (LogClosedException e) {
            throw closed(e);
        }
    }

    @Override
    public void awaitRoom(int entries, long contentBytes) {
        try {
            buffer.awaitRoomFor((long) entries * RingRecord.ENTRY_BYTES + contentBytes);
        } catch (LogClosedException e) {
            throw closed(e);
        }
    }

    @Override
    public long claim(int zone, int entries, long contentBytes) {
        try {
            return buffer.claim((long) entries * RingRecord.ENTRY_BYTES + contentBytes);
        } catch (LogClosedException e) {
            throw closed(e);
        }
    }

    @Override
    public long recordBytesMax(int entries) {
        return buffer.entriesBytesMax() - (long) entries * RingRecord.ENTRY_BYTES;
    }

    @Override
    public MemorySegment memory() {
        return buffer.memory();
    }

    @Override
    public long entry(long record, long after, long cid, int kind, int length, long number) {
        final int owner = Cid.nid(cid);
        final int zone = (int) (Cid.index(cid) >>> ZONE_SHIFT);
        pressure.note(owner, zone);
        return buffer.entry(after == 0 ? buffer.firstEntry(record) : after, cid, number == 0 ? record : number, owner,
            zone, kind, length);
    }

    @Override
    public long now(int zone) {
        return buffer.now();
    }

    @Override
    public void commit(long record, boolean isGroup) {
        buffer.commit(record, isGroup);
    }

    @Override
    public AbandonedRecords abandoned() {
        return buffer.abandoned();
    }

    @Override
    public RuntimeException memoryFailed(InternalError failure) {
        return closed(new LogClosedException(log.memoryFailed(failure)));
    }

    /**
     * Writes a long chunk as a chain: all links have the number of the first link's record. The chunk has changed in
     * memory already, so this waits while the disk is full.
     */
    @Override
    public void putLong(long cid, int kind, long length, Content content) {
        final int linkKind = kind == PUT ? EntryKind.LINK : EntryKind.LINK_READ_ONLY;
        long number = 0;
        for (int link = 0; link < ChainLink.count(length); link++) {
            final int bytes = ChainLink.pieceBytes(link, length);
            awaitRoom(1, ChainLink.HEAD_BYTES + (long) bytes);
            try {
                number = putLink(cid, linkKind, link, length, number, content);
            } catch (InternalError e) {
                throw memoryFailed(e);
            }
        }
    }

    /** Writes a link of a chain; returns the number of the chain. No class may have to be resolved to catch. */
    private long putLink(long cid, int kind, int link, long length, long first, Content content) {
        final long[] left = buffer.abandoned().places();
        final int bytes = ChainLink.pieceBytes(link, length);
        final long record = claim(Cid.nid(cid), 1, ChainLink.HEAD_BYTES + (long) bytes);
        boolean isCommitted = false;
        try {
            final long number = link == 0 ? record : first;
            final long at = entry(record, 0, cid, kind, ChainLink.HEAD_BYTES + bytes, number);
            ChainLink.writeHead(memory(), at, link, length);
            content.copy((long) link * ChainLink.PIECE_BYTES, memory(), at + ChainLink.HEAD_BYTES, bytes);
            commit(record, false);
            isCommitted = true;
            return number;
        } finally {
            if (!isCommitted) {
                // The stack may have ended, so there is no call from here on.
                final long product = record * AbandonedRecords.SPREAD;
                int place = (int) ((product ^ product >>> Integer.SIZE) * AbandonedRecords.SPREAD
                    >>> AbandonedRecords.SHIFT) & AbandonedRecords.FIRST;
                while (left[place] != 0 && (place & AbandonedRecords.LAST) != AbandonedRecords.LAST) {
                    place++;
                }
                left[place] = record;
            }
        }
    }

    @Override
    public void done() {
        pressure.await();
        if (isWaiting()) {
            sync();
        }
    }

    /** Does not wait for the cleaner; the next change of the calling thread does. */
    @Override
    public void whenDone(Consumer<@Nullable RuntimeException> then) {
        if (!isWaiting()) {
            then.accept(null);
            return;
        }
        whenSynced(then);
    }

    private boolean isWaiting() {
        if (blocks.get() > 0) {
            final Level chosen = blockLevel.get();
            if (chosen != null) {
                return false;                                   // the block waits at its end
            }
        }
        return isSynced;
    }

    // ---- levels ----

    /** Runs a block; changes in the block have another level than the store. */
    <T extends @Nullable Object> T at(Level level, Supplier<T> block) {
        final Level before = blockLevel.get();
        blocks.incrementAndGet();
        blockLevel.set(level);
        final T result;
        try {
            result = block.get();
        } finally {
            if (before == null) {
                blockLevel.remove();
            } else {
                blockLevel.set(before);
            }
            blocks.decrementAndGet();
        }
        if (level == Level.SYNCED) {
            sync();
        }
        return result;
    }

    @Override
    public void sync() {
        try {
            if (!log.sync()) {
                throw full(UNSYNCED);
            }
        } catch (LogClosedException e) {
            throw closed(e);
        }
    }

    /** Requests a sync like {@link #sync}, without waiting. */
    CompletionStage<Void> syncAsync() {
        final CompletableFuture<Void> result = new CompletableFuture<>();
        whenSynced(failure -> {
            if (failure == null) {
                result.complete(null);
            } else {
                result.completeExceptionally(failure);
            }
        });
        return result.minimalCompletionStage();
    }

    /** Requests a sync. Calls back on a thread of the common pool, with the exception of {@link #sync} or null. */
    private void whenSynced(Consumer<@Nullable RuntimeException> then) {
        final var _ = log.syncAsync().whenComplete((isDone, thrown) ->
            then.accept(thrown != null ? failure(thrown) : isDone ? null : full(UNSYNCED)));
    }

    private RuntimeException failure(Throwable thrown) {
        final Throwable cause = thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause()
            : thrown;
        return cause instanceof LogClosedException closed ? closed(closed)
            : cause instanceof RuntimeException known ? known
            : new StoreException(Category.FATAL, FailureText.of(cause), cause);
    }

    private StoreException fullToAdd() {
        if (!log.hasReserve()) {
            return full("nothing was changed");
        }
        final long missing = log.missingReserveBytes();         // 0 if a cleaning has made room since
        return full("nothing was changed. Removals are accepted; other changes are, again, "
            + (missing == 0 ? "by now" : "when " + Units.bytes(missing) + " more are free"));
    }

    static StoreException full(String then) {
        return new StoreException(Category.DEGRADED, "the disk is full: " + then);
    }

    /** Returns the exception for a log that accepts no changes: the store was closed, or the log has failed. */
    RuntimeException closed(LogClosedException e) {
        return e.getCause() == null ? new StoreClosedException(storeName)
            : new StoreException(Category.FATAL, FailureText.of(e), e);
    }
}
