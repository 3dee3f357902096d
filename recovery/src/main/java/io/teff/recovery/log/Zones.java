package io.teff.recovery.log;

import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.format.ZoneId;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The secondary logs of all zones, as they are written. For one thread, the drainer.
 *
 * <p><b>Bounds.</b> Only so many zones hold a buffer, and only so many a file that is not synced: where one more needs
 * one, the zone that has had it for the longest time gives its own up, written or synced.
 *
 * <p><b>Which zones there are</b> is in the manifest. The name of a zone that was dropped is not used again: what is
 * found of it after a crash is known by that.
 */
final class Zones implements Closeable {
    private final ZoneLog.Shared shared;
    private final int openZones;
    private final Map<ZoneId, ZoneLog> zones = new HashMap<>();
    private final Set<ZoneLog> buffered = new LinkedHashSet<>();
    private final Set<ZoneLog> dirty = new LinkedHashSet<>();

    /**
     * Opens the zones that the manifest has.
     *
     * @param shared what all zones share
     * @param openZones most zones that hold a buffer, and that hold a file
     */
    Zones(ZoneLog.Shared shared, int openZones) {
        this.shared = shared;
        this.openZones = openZones;
        shared.manifest().state().zones().forEach(zone -> zones.put(zone, new ZoneLog(zone, shared)));
    }

    /** Whether there is a zone. */
    boolean has(ZoneId zone) {
        return zones.containsKey(zone);
    }

    /** Makes a zone; must be done before a frame has anything of it. */
    void make(ZoneId zone) throws IOException {
        shared.manifest().append(new ManifestRecord.ZoneMade(zone));
        zones.put(zone, new ZoneLog(zone, shared));
    }

    /**
     * Drops a zone and deletes its files. Everything of it must be drained, and nothing of it may come any more.
     *
     * @param zone its name, not to be used again
     * @throws IOException as {@link LogFailure#step}
     */
    void drop(ZoneId zone) throws IOException {
        final List<Long> segments = new ArrayList<>(shared.manifest().state().segments(zone).keySet());
        shared.manifest().append(new ManifestRecord.ZoneDropped(zone));
        final ZoneLog log = log(zone);
        buffered.remove(log);
        dirty.remove(log);
        log.closeFile();
        zones.remove(zone);
        for (long number : segments) {
            shared.failure().step(() -> shared.disk().delete(shared.folder().resolve(ZoneLog.FOLDER)
                .resolve(zone.segment(number).fileName())));
        }
    }

    private ZoneLog log(ZoneId zone) {
        final ZoneLog log = zones.get(zone);
        if (log == null) {
            throw new IllegalArgumentException("there is no zone " + zone);
        }
        return log;
    }

    /** Adds an entry to a zone, see {@link ZoneLog#add}. */
    void add(ZoneId zone, long cid, long sequence, int kind, MemorySegment source, long from, int length, long frame)
        throws IOException {
        final ZoneLog log = log(zone);
        if (!log.isBuffered() && buffered.size() == openZones) {
            final ZoneLog oldest = buffered.iterator().next();
            oldest.flush();
            note(oldest);
        }
        if (!log.isDirty() && dirty.size() >= openZones) {
            sync(dirty.iterator().next());
        }
        try {
            log.add(cid, sequence, kind, source, from, length, frame);
        } finally {
            note(log);
        }
    }

    private void note(ZoneLog log) {
        note(buffered, log, log.isBuffered());
        note(dirty, log, log.isDirty());
    }

    private static void note(Set<ZoneLog> set, ZoneLog log, boolean isIn) {
        if (isIn) {
            set.add(log);
        } else {
            set.remove(log);
        }
    }

    private void sync(ZoneLog log) throws IOException {
        try {
            log.sync();
        } finally {
            note(log);
        }
    }

    /** Waits until everything that was added to a zone is on the device. */
    void sync(ZoneId zone) throws IOException {
        sync(log(zone));
    }

    /** Waits until everything that frames in front of this one have is on the device in segments. */
    void syncBefore(long frame) throws IOException {
        for (ZoneLog log : zones.values()) {
            if (log.firstFrame() < frame) {
                sync(log);
            }
        }
    }

    /** The number of the first frame that has something which is not in synced segments, or this one if none has. */
    long firstFrame(long next) {
        return zones.values().stream().mapToLong(ZoneLog::firstFrame).reduce(next, Math::min);
    }

    /** Puts everything into sealed segments. */
    void seal() throws IOException {
        for (ZoneLog log : zones.values()) {
            try {
                log.seal();
            } finally {
                note(log);
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (ZoneLog log : zones.values()) {
            log.closeFile();
        }
    }
}
