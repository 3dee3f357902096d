package io.teff.recovery;

import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.engine.os.Platform;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.file.FileDamage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Puts everything that a log has into a store, zone by zone, by several threads at once. Zones share no index, so the
 * threads share nothing but the store.
 *
 * <p><b>Short of memory.</b> One pass over a zone may meet what is outdated before it meets what is newer, and so need
 * more memory than there is in the end. A zone that does not fit is forgotten, by a pass that lets go of all that the
 * log has of it; when all others are done, it is read to know its newest entries, and to put these alone.
 */
final class Restore {
    /** What has what is restored. */
    interface Source {
        /** All zones, those with most to read first. */
        List<ZoneId> zones();

        /** Bytes of all files. */
        long bytes() throws IOException;

        /** Shows everything that is kept of a zone; returns what should be there and cannot be read. */
        List<FileDamage> read(ZoneId zone, EntryVisitor visitor) throws IOException;
    }

    private final Source source;
    private final int threads;
    private final RestoreProgress progress;
    private final Queue<ZoneId> zones;
    private final int zoneCount;
    private final long totalBytes;
    private final List<FileDamage> damage = new ArrayList<>();
    private final Platform platform;
    private final long start;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final Queue<ZoneId> shorts = new ConcurrentLinkedQueue<>();
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

    Restore(Source source, Platform platform, int threads, RestoreProgress progress) throws IOException {
        this.source = source;
        this.platform = platform;
        this.start = platform.clock().nowNs();
        this.threads = threads;
        this.progress = progress;
        this.zones = new ConcurrentLinkedQueue<>(source.zones());
        this.zoneCount = zones.size();
        this.totalBytes = source.bytes();
    }

    /** Does it; returns what cannot be read. Throws what ended the first thread that failed. */
    List<FileDamage> run(ChunkRestorer restorer) throws IOException {
        final List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < Math.min(threads, zoneCount); i++) {
            all.add(CompletableFuture.runAsync(() -> restoreZones(restorer), task ->
                platform.threads().start("teff-restore", task)));
        }
        all.forEach(CompletableFuture::join);
        final Throwable thrown = failure.get();
        if (thrown instanceof RuntimeException it) {
            throw it;
        }
        if (thrown != null) {
            throw new IOException("the log cannot be read: " + thrown.getMessage(), thrown);
        }
        for (ZoneId zone : shorts) {
            refillZone(restorer, zone);
        }
        return damage;
    }

    private void restoreZones(ChunkRestorer restorer) {
        try {
            for (ZoneId zone = zones.poll(); zone != null && failure.get() == null; zone = zones.poll()) {
                restoreZone(restorer, zone);
            }
        } catch (IOException | RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        }
    }

    private void restoreZone(ChunkRestorer restorer, ZoneId zone) throws IOException {
        final ZoneRestore into = new ZoneRestore(restorer, zone);
        final Watched watched = new Watched(into);
        try {
            add(source.read(zone, watched));
        } catch (ShortException _) {
            into.end();
            watched.takeBack();
            shorts.add(zone);
            source.read(zone, new ZoneRestore(new DiscardingRestorer(restorer), zone));
        } finally {
            into.end();
        }
    }

    private void refillZone(ChunkRestorer restorer, ZoneId zone) throws IOException {
        final ZoneRestore first = new ZoneRestore(new DiscardingRestorer(restorer), zone);
        source.read(zone, first);
        final ZoneRefill refill = new ZoneRefill(restorer, first.newest());
        final Watched watched = new Watched(refill);
        try {
            source.read(zone, watched);
            refill.endPass();
            watched.takeBack();
            add(source.read(zone, watched));
        } catch (ShortException e) {
            throw new StoreException(Category.DEGRADED, e.shortage.getMessage() + ": zone " + zone
                + " does not fit", e.shortage);
        } finally {
            refill.endPass();
        }
    }

    private synchronized void add(List<FileDamage> found) {
        damage.addAll(found);
    }

    /** Counts, and stops when another thread has failed. */
    private final class Watched implements EntryVisitor {
        private final EntryVisitor into;
        private long bytes;
        private long entries;
        private long entriesTold;

        Watched(EntryVisitor into) {
            this.into = into;
        }

        @Override
        public void segment(long more) {
            if (failure.get() != null) {
                throw new IllegalStateException("another thread has failed");
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

        /** All that it has told is told again, by another one. */
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

    /** Zones there are. */
    int zoneCount() {
        return zoneCount;
    }

    /** Bytes of all files. */
    long bytes() {
        return totalBytes;
    }

    /** Entries that were seen. */
    synchronized long entryCount() {
        return entryCount;
    }
}
