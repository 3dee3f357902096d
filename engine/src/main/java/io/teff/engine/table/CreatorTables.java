package io.teff.engine.table;

import io.teff.engine.alloc.RunMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The tables of all creators: the store's own zone, further zones, and foreign tables, which are created on demand and
 * never dropped. Thread-safe; look-ups take no lock.
 *
 * <p>A look-up of an operation that begins uses {@link #find}. A thread that is inside a chunk's stripe since it has
 * found the chunk, or holds the chunk, uses {@link #findBegun}: it continues to find the chunk if the zone is dropped
 * meanwhile. At a drop, the zone is added to the zones searched by {@code findBegun} before {@code find} ceases to find
 * the zone.
 */
public final class CreatorTables {
    private static final int GROUP_BITS = 8;
    private static final int GROUP_SIZE = 1 << GROUP_BITS;
    private static final Zone[] NO_ZONES = {};

    private final Zone own;
    private final Table ownTable;
    private final RunMap runs;
    private final int stripes;
    private final TablePages pages = new TablePages();
    private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable Table>> groups =
        new AtomicReferenceArray<>(GROUP_SIZE);
    /** Zones that are being filled; guarded by this. */
    private final List<Zone> filling = new ArrayList<>();
    /** Zones that were visible once and are dropped, but whose memory is not yet given back. Replaced under this. */
    private volatile Zone[] dropped = NO_ZONES;
    /** Dropped zones that never were visible; guarded by this. */
    private final List<Zone> discarded = new ArrayList<>();

    /**
     * Creates the store's own zone, empty.
     *
     * @param nid the store's own NID
     * @param runs run map from which pages are taken
     * @param stripes number of allocation stripes
     */
    public CreatorTables(int nid, RunMap runs, int stripes) {
        this.runs = runs;
        this.stripes = stripes;
        this.own = Zone.own(nid, runs, pages, stripes);
        this.ownTable = own.table();
    }

    /** {@return the zone of this store's own NID} */
    public Zone own() {
        return own;
    }

    /** {@return the number of pages, and the epoch of their places} */
    public TablePages pages() {
        return pages;
    }

    // ---- look-ups ----

    /**
     * Finds a creator's table, for an operation that begins.
     *
     * @param nid any NID
     * @return its table, or null if the store has no zone of this NID and never had a chunk of this creator
     */
    public @Nullable Table find(int nid) {
        return nid == ownTable.nid() ? ownTable : findOther(nid);
    }

    private @Nullable Table findOther(int nid) {
        AtomicReferenceArray<@Nullable Table> group = groups.get(nid >>> GROUP_BITS);
        return group == null ? null : group.get(nid & GROUP_SIZE - 1);
    }

    /**
     * Finds a creator's table, for an operation that has begun: also that of a zone that was dropped meanwhile.
     *
     * @param nid any NID
     * @return its table, or null
     */
    public @Nullable Table findBegun(int nid) {
        if (nid == ownTable.nid()) {
            return ownTable;
        }
        Table found = findOther(nid);
        return found != null ? found : findDropped(nid);
    }

    private @Nullable Table findDropped(int nid) {
        for (Zone zone : dropped) {
            if (zone.nid() == nid) {
                return zone.table();
            }
        }
        return null;
    }

    /**
     * Finds a zone.
     *
     * @param nid any number
     * @return the visible zone of this number, except the store's own; or null
     */
    public @Nullable Zone zone(int nid) {
        Table table = nid >= 0 && nid <= CidLayout.NID_MAX ? findOther(nid) : null;
        return table == null ? null : table.zone();
    }

    /**
     * Finds or creates a creator's table.
     *
     * @param nid any NID
     * @return its table
     */
    public Table make(int nid) {
        Table found = find(nid);
        return found != null ? found : makeForeign(nid);
    }

    private synchronized Table makeForeign(int nid) {
        Table table = findOther(nid);
        if (table == null) {
            table = new Table(nid, runs, pages, null);
            set(nid, table);
        }
        return table;
    }

    private void set(int nid, @Nullable Table table) {
        AtomicReferenceArray<@Nullable Table> group = groups.get(nid >>> GROUP_BITS);
        if (group == null) {
            group = new AtomicReferenceArray<>(GROUP_SIZE);
            groups.set(nid >>> GROUP_BITS, group);
        }
        group.set(nid & GROUP_SIZE - 1, table);
    }

    // ---- zones ----

    /**
     * Creates a hidden zone.
     *
     * @param nid its NID
     * @return the zone
     * @throws IllegalStateException if the NID has a table or is being filled
     */
    public synchronized Zone begin(int nid) {
        requireUnused(nid);
        for (Zone zone : filling) {
            if (zone.nid() == nid) {
                throw new IllegalStateException("zone " + nid + " is being filled");
            }
        }
        Zone zone = Zone.hidden(nid, runs, pages, stripes);
        filling.add(zone);
        return zone;
    }

    private void requireUnused(int nid) {
        Table table = find(nid);
        if (table != null) {
            throw new IllegalStateException(table.zone() == null ? "the store has or had chunks of creator " + nid
                : "zone " + nid + " exists");
        }
    }

    /**
     * Makes a hidden zone visible.
     *
     * @param zone result of {@link #begin}
     * @throws IllegalStateException if the zone is not hidden, or a table of its NID was made meanwhile
     */
    public synchronized void publish(Zone zone) {
        requireUnused(zone.nid());
        if (!filling.remove(zone)) {
            throw new IllegalStateException("zone " + zone.nid() + " is not being filled");
        }
        zone.show();
        set(zone.nid(), zone.table());
    }

    /**
     * Drops the visible zone of a NID.
     *
     * @param nid any number
     * @return the zone; null if there is none, or if it is the store's own
     */
    public synchronized @Nullable Zone drop(int nid) {
        Zone zone = zone(nid);
        if (zone != null) {
            Zone[] now = dropped;
            Zone[] longer = Arrays.copyOf(now, now.length + 1);
            longer[now.length] = zone;
            dropped = longer;                                   // first, for findBegun
            zone.drop();
            set(nid, null);
            pages.endEpoch();                                   // before the stripes are entered
        }
        return zone;
    }

    /**
     * Drops a hidden zone.
     *
     * @param zone result of {@link #begin}
     * @return false if the zone is not hidden
     */
    public synchronized boolean discard(Zone zone) {
        boolean isHidden = filling.remove(zone);
        if (isHidden) {
            zone.drop();
            discarded.add(zone);
        }
        return isHidden;
    }

    /**
     * Forgets a dropped zone whose memory has been given back.
     *
     * @param zone a dropped zone
     */
    public synchronized void forget(Zone zone) {
        if (!discarded.remove(zone)) {
            List<Zone> left = new ArrayList<>(List.of(dropped));
            left.remove(zone);
            dropped = left.toArray(NO_ZONES);
        }
    }

    /**
     * Returns whether a zone of this number was dropped and its memory has not been given back yet.
     *
     * @param nid any number
     * @return whether there is such a zone that was visible once
     */
    public boolean isBeingDropped(int nid) {
        return findDropped(nid) != null;
    }

    // ---- walks ----

    /** {@return all tables that look-ups find, the own one first, then by NID} */
    public List<Table> all() {
        List<Table> all = new ArrayList<>();
        all.add(ownTable);
        for (int i = 0; i < GROUP_SIZE; i++) {
            AtomicReferenceArray<@Nullable Table> group = groups.get(i);
            for (int j = 0; group != null && j < GROUP_SIZE; j++) {
                Table table = group.get(j);
                if (table != null) {
                    all.add(table);
                }
            }
        }
        return all;
    }

    /**
     * What has memory at one time.
     *
     * @param visible all tables that look-ups find, as of {@link #all}
     * @param hidden the zones that are being filled, or dropped but not yet given back
     */
    public record Inventory(List<Table> visible, List<Zone> hidden) {}

    /** {@return all tables; in a quiet moment of the store they stay complete, whatever is dropped meanwhile} */
    public synchronized Inventory inventory() {
        List<Zone> hidden = new ArrayList<>(filling);
        hidden.addAll(List.of(dropped));
        hidden.addAll(discarded);
        return new Inventory(all(), hidden);
    }

    /** {@return bytes of all table pages; allocation-free} */
    public long bytes() {
        return pages.count() * Table.PAGE_BYTES;
    }
}
