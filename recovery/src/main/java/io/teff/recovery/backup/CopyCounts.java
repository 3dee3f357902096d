package io.teff.recovery.backup;

import io.teff.engine.os.FailureText;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.ZoneId;
import io.teff.recovery.log.RecoveryLog;
import io.teff.recovery.log.clean.Counting;
import io.teff.recovery.log.file.FileDamage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log after its opening: finds the last number of each copy and its damage, and lets the log count the live
 * bytes. Several threads read, each a range at a time.
 */
final class CopyCounts {
    private final RecoveryLog log;
    private final Queue<ZoneId> zones;
    private final Map<ZoneCopy, Long> last = new HashMap<>();
    private final Map<ZoneCopy, List<String>> damage = new HashMap<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private CopyCounts(RecoveryLog log) throws IOException {
        this.log = log;
        this.zones = new ConcurrentLinkedQueue<>(log.zones());
    }

    /**
     * Reads a log.
     *
     * @param log just opened
     * @param config number of threads, and the maker of threads
     * @return what was found
     * @throws IOException if the disk fails
     */
    static CopyCounts of(RecoveryLog log, BackupConfig config) throws IOException {
        final CopyCounts counts = new CopyCounts(log);
        final int count = Math.min(config.threads(), counts.zones.size());
        if (count <= 1 && !config.hasOwnThreads()) {
            counts.run();
        } else {
            final List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                all.add(CompletableFuture.runAsync(counts::run, task ->
                    config.platform().threads().start("teff-backup", task)));
            }
            all.forEach(CompletableFuture::join);
        }
        final Throwable thrown = counts.failure.get();
        if (thrown != null) {
            throw thrown instanceof IOException e ? e
                : new IOException("the log cannot be read: " + FailureText.of(thrown), thrown);
        }
        log.endReading();
        return counts;
    }

    private void run() {
        try {
            for (ZoneId zone = zones.poll(); zone != null && failure.get() == null; zone = zones.poll()) {
                count(zone);
            }
        } catch (IOException | RuntimeException | Error e) {
            failure.compareAndSet(null, e);
        }
    }

    private void count(ZoneId zone) throws IOException {
        final long[] highest = new long[1];
        final EntryVisitor numbers = (cid, sequence, owner, number, kind, bytes, offset, length) ->
            highest[0] = Long.compareUnsigned(sequence, highest[0]) > 0 ? sequence : highest[0];
        final List<FileDamage> found = log.count(zone, new Counting(zone, numbers));
        add(name(zone), highest[0], found);
    }

    private synchronized void add(ZoneCopy copy, long highest, List<FileDamage> found) {
        last.merge(copy, highest, (a, b) -> Long.compareUnsigned(a, b) > 0 ? a : b);
        if (!found.isEmpty()) {
            damage.computeIfAbsent(copy, _ -> new ArrayList<>()).addAll(texts(found));
        }
    }

    /** Returns the copy that a zone belongs to. */
    static ZoneCopy name(ZoneId zone) {
        return new ZoneCopy(zone.owner(), ZoneId.copy(zone.zone()));
    }

    /** Returns descriptions of damage. */
    static List<String> texts(List<FileDamage> found) {
        return found.stream().map(FileDamage::toString).toList();
    }

    /** Returns the last number of each copy. */
    synchronized Map<ZoneCopy, Long> last() {
        return Map.copyOf(last);
    }

    /** Returns the damage of each copy that has any. */
    synchronized Map<ZoneCopy, List<String>> damage() {
        return Map.copyOf(damage);
    }
}
