package io.teff.cluster.peer;

import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.ChunkStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The zones of this node, and the zones with work for the next cycle. The thread that acts on the tables adds and
 * removes zones. Any thread may look zones up, without a lock.
 */
final class LocalZones {
    private final AtomicReferenceArray<@Nullable LocalZone> zones = new AtomicReferenceArray<>(ZoneRow.ZONE_MAX + 1);
    /** The same zones in ascending order, for the thread that acts. */
    private final SortedMap<Integer, LocalZone> ordered = new TreeMap<>();
    /** Numbers of zones, also of zones that are not here. */
    private final Set<Integer> unfinished = new HashSet<>();

    // ---- for any thread ----

    /** Returns a zone, or null. */
    @Nullable LocalZone zone(int zone) {
        return zone < 0 || zone > ZoneRow.ZONE_MAX ? null : zones.get(zone);
    }

    /** Returns the chunks of a zone that this node owns, or null. The lease is not checked. */
    @Nullable ChunkStore served(int zone) {
        final LocalZone known = zone(zone);
        return known == null ? null : known.store();
    }

    /** Notes an operation in a zone. */
    void used(int zone) {
        final LocalZone known = zone(zone);
        if (known != null) {
            known.used();
        }
    }

    /** Returns the number of operations in a zone since this node serves the zone; 0 for another zone. */
    long operations(int zone) {
        final LocalZone known = zone(zone);
        return known == null ? 0 : known.operations();
    }

    /** Returns the slots of a zone that this node owns, or null. */
    @Nullable SlotTable slots(int zone) {
        final LocalZone known = zone(zone);
        return known == null ? null : known.slots();
    }

    /** Returns whether this node serves a zone. */
    boolean isServed(int zone) {
        return served(zone) != null;
    }

    // ---- for the thread that acts ----

    /** Returns a zone, and adds the zone if it is missing. */
    LocalZone begin(int zone) {
        LocalZone known = zones.get(zone);
        if (known == null) {
            known = new LocalZone(zone);
            ordered.put(zone, known);
            zones.set(zone, known);
        }
        return known;
    }

    /** Removes a zone. */
    void remove(LocalZone zone) {
        zones.set(zone.zone(), null);
        ordered.remove(zone.zone());
    }

    /** Returns all zones in ascending order, as a copy. */
    List<LocalZone> all() {
        return new ArrayList<>(ordered.values());
    }

    /** Notes that the next cycle must act on a zone's row, although the row has not changed. */
    void unfinished(int zone) {
        unfinished.add(zone);
    }

    /** Notes that nothing is left to do for a zone until its row changes. */
    void finished(int zone) {
        unfinished.remove(zone);
    }

    /** Returns the numbers of the zones with work for the next cycle, as a copy. */
    List<Integer> unfinished() {
        return List.copyOf(unfinished);
    }

    /** Returns whether there is work for the next cycle. */
    boolean hasUnfinished() {
        return !unfinished.isEmpty();
    }

    /** Returns whether the chunks of any zone are being read. */
    boolean isReading() {
        return ordered.values().stream().anyMatch(zone -> zone.state() == LocalZone.State.READING);
    }
}
