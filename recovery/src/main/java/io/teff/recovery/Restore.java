package io.teff.recovery;

import io.teff.engine.journal.ChunkRestorer;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.FileDamage;
import io.teff.recovery.os.Machine;
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
    private final long start = Machine.SYSTEM.nowNs();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private long doneBytes;
    private long entryCount;

    Restore(Source source, int threads, RestoreProgress progress) throws IOException {
        this.source = source;
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
                Machine.SYSTEM.thread("teff-restore", task).start()));
        }
        all.forEach(CompletableFuture::join);
        final Throwable thrown = failure.get();
        if (thrown instanceof RuntimeException it) {
            throw it;
        }
        if (thrown != null) {
            throw new IOException("the log cannot be read: " + thrown.getMessage(), thrown);
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
        try {
            add(source.read(zone, new Watched(into)));
        } finally {
            into.end();
        }
    }

    private synchronized void add(List<FileDamage> found) {
        damage.addAll(found);
    }

    /** Counts, and stops when another thread has failed. */
    private final class Watched implements EntryVisitor {
        private final ZoneRestore into;
        private long counted;

        Watched(ZoneRestore into) {
            this.into = into;
        }

        @Override
        public void segment(long bytes) {
            if (failure.get() != null) {
                throw new IllegalStateException("another thread has failed");
            }
            tell(bytes, into.entryCount() - counted);
            counted = into.entryCount();
        }

        @Override
        public void entry(long cid, long sequence, int owner, int zone, int kind, MemorySegment bytes, long offset,
                          int length) {
            into.entry(cid, sequence, owner, zone, kind, bytes, offset, length);
        }
    }

    private synchronized void tell(long bytes, long entries) {
        doneBytes += bytes;
        entryCount += entries;
        progress.at(doneBytes, totalBytes, entryCount, Machine.SYSTEM.nowNs() - start);
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
