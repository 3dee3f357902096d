package io.teff.engine.snapshot;

import io.teff.engine.memory.RegionLayout;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.Table;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the records of a snapshot's map cover each unit of the region once, and that table pages are in order. A
 * map has the table pages first, in order of creator and index; then all other records, in order of addresses. So each
 * of the latter must begin where the last one ended, or behind the table pages that begin there.
 */
final class MapCover {
    private final BitSet creators = new BitSet(CidLayout.NID_MAX + 1);
    private long[] tables = new long[64];
    private int tableCount;
    private int tablesPassed;
    private int creator = -1;
    private long lastIndex;
    /** Records cover everything below this address; {@link RegionLayout#FIRST_ADDRESS} during the table pages. */
    private long next = RegionLayout.FIRST_ADDRESS;
    private boolean sorted;

    /** Adds a table page; returns null, or the reason why the page is out of place. */
    @Nullable String addTable(int nid, long firstIndex, long address) {
        if (sorted) {
            return "a page of the table behind other records";
        }
        if (nid != creator) {
            if (creators.get(nid)) {
                return "pages of the table of nid=" + nid + " in two places";
            }
            creators.set(nid);
            creator = nid;
        } else if (firstIndex <= lastIndex) {
            return "pages of the table of nid=" + nid + " out of order";
        }
        lastIndex = firstIndex;
        if (tableCount == tables.length) {
            tables = Arrays.copyOf(tables, tableCount * 2);
        }
        tables[tableCount++] = address;
        return null;
    }

    /** Adds a record of another kind; returns null, or the reason why the record is out of place. */
    @Nullable String addRecord(long address, long units) {
        passTables();
        if (address != next) {
            return "address=" + address + " where address=" + next + " must follow";
        }
        next += units << RegionLayout.UNIT_SHIFT;
        return null;
    }

    /** Ends the map; returns null, or a description of the first overlap or gap. */
    @Nullable String end(long regionEnd) {
        passTables();
        return tablesPassed < tableCount ? "a page of the table overlaps others at address=" + tables[tablesPassed]
            : next != regionEnd ? "nothing at address=" + next : null;
    }

    private void passTables() {
        if (!sorted) {
            Arrays.sort(tables, 0, tableCount);
            sorted = true;
        }
        while (tablesPassed < tableCount && tables[tablesPassed] == next) {
            next += Table.PAGE_BYTES;
            tablesPassed++;
        }
    }
}
