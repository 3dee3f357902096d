package io.teff.engine.table;

import io.teff.engine.alloc.RunMap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The tables of all creators: the store's own table, and foreign tables, created on demand and never dropped.
 * Thread-safe.
 */
public final class Tables {
    private static final int GROUP_BITS = 8;
    private static final int GROUP_SIZE = 1 << GROUP_BITS;

    private final Table own;
    private final RunMap runs;
    private final AtomicLong pages = new AtomicLong();
    private final AtomicReferenceArray<@Nullable AtomicReferenceArray<@Nullable Table>> groups =
        new AtomicReferenceArray<>(GROUP_SIZE);

    /**
     * Creates the store's own table, empty.
     *
     * @param nid the store's own NID
     * @param runs run map from which pages are taken
     */
    public Tables(int nid, RunMap runs) {
        this.runs = runs;
        this.own = new Table(nid, runs, pages);
    }

    /** {@return the table of this store's own NID} */
    public Table own() {
        return own;
    }

    /**
     * Finds a creator's table.
     *
     * @param nid any NID
     * @return its table, or null if the store never had a chunk of this creator
     */
    public @Nullable Table find(int nid) {
        return nid == own.nid() ? own : findForeign(nid);
    }

    private @Nullable Table findForeign(int nid) {
        AtomicReferenceArray<@Nullable Table> group = groups.get(nid >>> GROUP_BITS);
        return group == null ? null : group.get(nid & GROUP_SIZE - 1);
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
        AtomicReferenceArray<@Nullable Table> group = groups.get(nid >>> GROUP_BITS);
        if (group == null) {
            group = new AtomicReferenceArray<>(GROUP_SIZE);
            groups.set(nid >>> GROUP_BITS, group);
        }
        Table table = group.get(nid & GROUP_SIZE - 1);
        if (table == null) {
            table = new Table(nid, runs, pages);
            group.set(nid & GROUP_SIZE - 1, table);
        }
        return table;
    }

    /** {@return all tables, the own one first, then by NID} */
    public List<Table> all() {
        List<Table> all = new ArrayList<>();
        all.add(own);
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

    /** {@return bytes of all table pages; allocation-free} */
    public long bytes() {
        return pages.get() * Table.PAGE_BYTES;
    }
}
