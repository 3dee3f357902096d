package io.teff.recovery.restore;

import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.engine.os.DiskFullException;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Platform;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.clean.ZoneVisitor;
import io.teff.recovery.log.file.FileDamage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Restores all zones of a log into a store, by several threads at once. Zones share no index, so the threads share
 * nothing but the store.
 *
 * <p><b>Short of memory.</b> A pass over a zone may meet outdated entries before newer entries, and so needs more
 * memory at times than at its end. A zone that does not fit is removed from memory by a second pass. After all other
 * zones, this zone is read again, first to learn its newest entries, then to restore these entries alone.
 *
 * <p><b>A dense restore</b> restores all zones in this way, by one thread: a dense restore takes no memory for outdated
 * entries, which would leave sparse pages behind, and no memory for pages of several threads. So the restored store is
 * as dense as a store filled without removals. A dense restore takes three times as long or more.
 */
public final class Restore {
    /** The log to restore from. */
    public interface Source {
        /** {@return all zones, those with most bytes first} */
        List<ZoneId> zones();

        /**
         * Returns the bytes of all files.
         *
         * @return bytes
         * @throws IOException if the disk fails
         */
        long bytes() throws IOException;

        /**
         * Shows all entries of a zone.
         *
         * @param zone name of the zone
         * @param visitor receives all entries
         * @return the parts that should be present and cannot be read
         * @throws IOException if the disk fails
         */
        List<FileDamage> read(ZoneId zone, ZoneVisitor visitor) throws IOException;
    }

    /** Receives the progress, about once per segment, by one thread at a time. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Receives the progress; an exception ends the restore.
         *
         * @param doneBytes bytes of files read so far
         * @param totalBytes bytes of all files
         * @param entries entries read so far, outdated ones included
         * @param elapsedNs nanoseconds since the first byte was read
         */
        void at(long doneBytes, long totalBytes, long entries, long elapsedNs);
    }

    private final Source source;
    private final int threads;
    private final Progress progress;
    private final Queue<ZoneId> zones;
    private final int zoneCount;
    private final long totalBytes;
    private final List<FileDamage> damage = new ArrayList<>();
    private final SortedSet<Long> outdated = new TreeSet<>();
    private final Platform platform;
    private final long start;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final Queue<ZoneId> shorts = new ConcurrentLinkedQueue<>();
    private final boolean isDense;
    private long doneBytes;
    private long entryCount;

    /** There is no memory for an entry. */
    private static final class ShortException extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final StoreException shortage;

        ShortException(StoreException shortage) {
            super(shortage);
            this.shortage = shortage;
        }
    }

    /**
     * Prepares a restore.
     *
     * @param source the log
     * @param platform clock, and threads
     * @param threads number of threads to make for the restore; 0: the calling thread restores, and must not be
     *     interrupted
     * @param progress receives the progress
     * @throws IOException if the disk fails
     */
    public Restore(Source source, Platform platform, int threads, Progress progress) throws IOException {
        this(source, platform, threads, progress, false);
    }

    /**
     * Prepares a dense restore, by one thread.
     *
     * @param source the log
     * @param platform clock, and threads
     * @param progress receives the progress
     * @return the restore
     * @throws IOException if the disk fails
     */
    public static Restore dense(Source source, Platform platform, Progress progress) throws IOException {
        return new Restore(source, platform, 1, progress, true);
    }

    private Restore(Source source, Platform platform, int threads, Progress progress, boolean isDense)
        throws IOException {
        this.isDense = isDense;
        this.source = source;
        this.platform = platform;
        this.start = platform.clock().nowNs();
        this.threads = threads;
        this.progress = progress;
        this.zones = new ConcurrentLinkedQueue<>(source.zones());
        this.zoneCount = zones.size();
        this.totalBytes = source.bytes();
    }

    /**
     * Restores all zones.
     *
     * @param restorer receives the chunks
     * @return the parts that cannot be read
     * @throws DiskFullException if there is no room to move the latest changes to segments
     * @throws IOException if the disk fails, for the first thread that failed
     * @throws StoreException of category DEGRADED if the restorer has too little memory
     */
    public List<FileDamage> run(ChunkRestorer restorer) throws IOException {
        final List<CompletableFuture<Void>> all = new ArrayList<>();
        if (threads == 0) {
            restoreZones(restorer);
        }
        for (int i = 0; i < Math.min(threads, zoneCount); i++) {
            all.add(CompletableFuture.runAsync(() -> restoreZones(restorer), task ->
                platform.threads().start("teff-restore", task)));
        }
        all.forEach(CompletableFuture::join);
        final Throwable thrown = failure.get();
        if (thrown instanceof RuntimeException runtimeException) {
            throw runtimeException;
        }
        if (thrown instanceof DiskFullException) {
            throw new DiskFullException("there is no room to read the log: " + FailureText.of(thrown), thrown);
        }
        if (thrown != null) {
            throw new IOException("the log cannot be read: " + FailureText.of(thrown), thrown);
        }
        for (ZoneId zone : shorts) {
            fillAgain(restorer, zone);
        }
        return damage;
    }

    private void restoreZones(ChunkRestorer restorer) {
        try {
            for (ZoneId zone = zones.poll(); zone != null && failure.get() == null; zone = zones.poll()) {
                if (isDense) {
                    fillAgain(restorer, zone);
                } else {
                    restoreZone(restorer, zone);
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        }
    }

    private void restoreZone(ChunkRestorer restorer, ZoneId zone) throws IOException {
        final ZoneRestore into = new ZoneRestore(restorer, zone);
        final Watched watched = new Watched(into, into);
        try {
            add(source.read(zone, watched));
            while (into.endPass()) {
                source.read(zone, new Watched(into, into, false));
            }
            addOutdated(into.outdated());
        } catch (ShortException _) {
            into.end();
            watched.takeBack();
            shorts.add(zone);
            source.read(zone, new ZoneRestore(new DiscardingRestorer(restorer), zone));
        } finally {
            into.end();
        }
    }

    /** Reads a zone that did not fit again; if it still does not fit, with the memory kept for this case. */
    private void fillAgain(ChunkRestorer restorer, ZoneId zone) throws IOException {
        try {
            refillZone(restorer, zone);
        } catch (StoreException e) {
            if (!restorer.useHeadroom()) {
                throw e;
            }
            refillZone(restorer, zone);
        }
    }

    private void refillZone(ChunkRestorer restorer, ZoneId zone) throws IOException {
        final ZoneRestore first = new ZoneRestore(new DiscardingRestorer(restorer), zone, true, WaitingBytes.BYTES_MAX);
        source.read(zone, first);
        while (first.endPass()) {
            source.read(zone, first);
        }
        final ZoneRefill refill = new ZoneRefill(restorer, first);
        final Watched watched = new Watched(refill, first);
        try {
            source.read(zone, watched);
            refill.endPass();
            watched.takeBack();
            add(source.read(zone, watched));
            while (refill.endPass()) {
                source.read(zone, new Watched(refill, first, false));
            }
            addOutdated(first.outdated());
        } catch (ShortException e) {
            watched.takeBack();
            throw new StoreException(Category.DEGRADED, FailureText.of(e.shortage) + ": zone " + zone
                + " does not fit", e.shortage);
        } finally {
            refill.endPass();
        }
    }

    private synchronized void add(List<FileDamage> found) {
        damage.addAll(found);
    }

    private synchronized void addOutdated(Set<Long> cids) {
        outdated.addAll(cids);
    }

    /** Counts entries, and throws when another thread has failed. */
    private final class Watched implements ZoneVisitor {
        private final EntryVisitor into;
        private final ZoneVisitor counted;
        private final boolean isTold;
        private long bytes;
        private long entries;
        private long entriesTold;

        Watched(EntryVisitor into, ZoneVisitor counted) {
            this(into, counted, true);
        }

        /** {@code isTold}: whether the pass is a part of the progress. */
        Watched(EntryVisitor into, ZoneVisitor counted, boolean isTold) {
            this.isTold = isTold;
            this.into = into;
            this.counted = counted;
        }

        @Override
        public Live live() {
            return counted.live();
        }

        @Override
        public void segment(long more) {
            if (failure.get() != null) {
                throw new IllegalStateException("another thread has failed");
            }
            if (!isTold) {
                return;
            }
            tell(more, entries - entriesTold);
            bytes += more;
            entriesTold = entries;
        }

        @Override
        public void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset,
                          int length) {
            entries++;
            try {
                into.entry(cid, sequence, owner, zone, kind, bytes, offset, length);
            } catch (StoreException e) {
                throw new ShortException(e);
            }
        }

        /** Subtracts everything this pass has reported, because another pass reports the same again. */
        void takeBack() {
            tell(-bytes, -entriesTold);
            bytes = 0;
            entries = 0;
            entriesTold = 0;
        }
    }

    private synchronized void tell(long bytes, long entries) {
        doneBytes += bytes;
        entryCount += entries;
        progress.at(doneBytes, totalBytes, entryCount, platform.clock().nowNs() - start);
    }

    /**
     * Returns the chunks of which newer bytes were found, without the entry in front of these bytes. Damage is a
     * reason; after a power cut another is the end of a segment that was not synced.
     *
     * @return CIDs, in order; at most some thousand of each zone
     */
    public synchronized List<Long> outdated() {
        return List.copyOf(outdated);
    }

    /** {@return the number of zones} */
    public int zoneCount() {
        return zoneCount;
    }

    /** {@return the bytes of all files} */
    public long bytes() {
        return totalBytes;
    }

    /** {@return the number of entries read} */
    public synchronized long entryCount() {
        return entryCount;
    }
}
