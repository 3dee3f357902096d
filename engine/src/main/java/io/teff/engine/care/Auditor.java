package io.teff.engine.care;

import io.teff.engine.alloc.PageAudit;
import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.config.DebugLevel;
import io.teff.engine.error.StoreException;
import io.teff.engine.memory.RegionLayout;
import io.teff.engine.report.AuditReport;
import io.teff.engine.report.StoreStats;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.CreatorTables;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.StoredLength;
import io.teff.engine.table.Table;
import io.teff.engine.table.Zone;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Recomputes every invariant of a store in a quiet moment: each entry against its memory and its lock record, each slot
 * against the entries, each list and counter against a recount. Needs Java heap of 1/64 of the chunks' memory, 1/16 if
 * their lengths are not multiples of 8. Throws at the first violation, and names it.
 */
final class Auditor implements PageAudit.Visitor {
    private final ChunkSpace space;
    private final Set<Long> tablePages = new HashSet<>();
    /** Start addresses of the chunks. */
    private final AddressMarks marks = new AddressMarks();
    /** Start addresses of the runs of large chunks. */
    private final Set<Long> runs = new HashSet<>();
    /** States of the chunks whose entry marks a lock record, by CID. */
    private final Map<Long, Integer> lockStates = new HashMap<>();
    private long chunks;
    private long payload;
    private long taken;
    private long slotsInUse;
    private long pages;
    private long freeSlots;
    private long otherRuns;

    Auditor(ChunkSpace space) {
        this.space = space;
    }

    AuditReport audit(StoreStats stats) {
        long inFlight = space.inFlight.sum();                    // read first: it shrinks when a waiter gives up
        space.heap.drainQuarantine();
        CreatorTables.Inventory all = space.tables.inventory();
        all.visible().forEach(this::auditTable);
        all.hidden().forEach(zone -> auditTable(zone.table()));
        long locked = auditLocks();
        space.runs.audit();
        all.visible().forEach(table -> auditIds(table.zone()));
        auditMemory(inFlight);
        require(stats.chunks() == chunks, "chunks=" + stats.chunks() + " are counted, but " + chunks + " exist");
        require(stats.payloadBytes() == payload, "payload=" + stats.payloadBytes() + " is counted, but it is "
            + payload);
        require(stats.takenBytes() == taken, "taken=" + stats.takenBytes() + " is counted, but it is " + taken);
        require(stats.tableBytes() == (long) tablePages.size() << RegionLayout.UNIT_SHIFT + 3,
            "table=" + stats.tableBytes() + " is counted for " + tablePages.size() + " pages");
        return new AuditReport(chunks, payload, pages, freeSlots, locked);
    }

    /** Checks that each allocated slot or run belongs to a chunk, except for as many as are in flight now. */
    private void auditMemory(long inFlight) {
        long unaccounted;
        if (space.config.debugLevel() == DebugLevel.GUARD_PAGES) {
            unaccounted = space.heap.guarded() - marks.count();
        } else {
            space.allocator.audit().run(run -> !tablePages.contains(run) && !runs.contains(run), this);
            unaccounted = slotsInUse + otherRuns - (marks.count() - runs.size());
        }
        require(unaccounted >= 0 && unaccounted <= inFlight, unaccounted + " slots and runs are in use "
            + "without a chunk; at most " + inFlight + " may be");
    }

    private void auditTable(Table table) {
        table.forEachPage(tablePages::add);
        final long before = chunks;
        final long payloadBefore = payload;
        final long takenBefore = taken;
        auditEntries(table);
        Zone zone = table.zone();
        if (zone != null && !zone.equals(space.ownZone)) {
            require(zone.chunks() == chunks - before && zone.payloadBytes() == payload - payloadBefore
                && zone.takenBytes() == taken - takenBefore, "zone " + zone.nid() + " counts chunks=" + zone.chunks()
                + " payload=" + zone.payloadBytes() + " taken=" + zone.takenBytes() + ", but has " + (chunks - before)
                + ", " + (payload - payloadBefore) + ", " + (taken - takenBefore));
        }
    }

    private void auditEntries(Table table) {
        for (long page = table.nextMade(0); page >= 0; page = table.nextMade(Table.nextPage(page))) {
            long entry = table.entry(page);
            for (long index = page; index < Table.nextPage(page); index++) {
                long word = space.memory.getLong(entry);
                if (EntryWord.state(word) >= EntryWord.EXCLUSIVE) {
                    auditChunk(CidLayout.pack(table.nid(), EntryWord.generation(word), index), word);
                }
                entry += Long.BYTES;
            }
        }
    }

    private static void auditIds(@Nullable Zone zone) {
        if (zone != null) {
            zone.ids().audit();
        }
    }

    private void auditChunk(long cid, long word) {
        long length = space.chunks.length(word);
        long address = EntryWord.address(word);
        if (StoredLength.field(length) != EntryWord.length(word)) {
            throw violated(CidLayout.toString(cid) + " has length=" + length + ", but its entry has length="
                + EntryWord.length(word));
        }
        if (!space.chunks.isInUse(address, length)) {
            throw violated(CidLayout.toString(cid) + " has memory at 0x" + Long.toHexString(address) + " of " + length
                + " bytes that is not in use");
        }
        if (length > 0) {
            if (!marks.add(address)) {
                throw violated(CidLayout.toString(cid) + " shares the memory at 0x" + Long.toHexString(address));
            }
            if (space.chunks.isRun(length)) {
                runs.add(address & -RegionLayout.UNIT_BYTES);
            }
        }
        chunks++;
        payload += length;
        taken += space.chunks.takenBytes(length);
        int state = EntryWord.state(word);
        if (state != EntryWord.PLAIN && state != EntryWord.READ_ONLY) {
            lockStates.put(cid, state);
        }
    }

    private long auditLocks() {
        long[] count = {0};
        space.locks.forEach(true, (cid, writer, readers, pins, waiters) -> {
            boolean exists = EntryWord.isChunk(space.word(cid), cid);
            int state = lockStates.getOrDefault(cid, EntryWord.FREE);
            lockStates.remove(cid);
            require(exists == (state != EntryWord.FREE), CidLayout.toString(cid)
                + " has a lock record, but its entry does not mark one");
            require(!exists || (writer != null) == (state == EntryWord.EXCLUSIVE), CidLayout.toString(cid)
                + " has a writer=" + (writer != null) + ", but its state is " + state);
            require(writer == null || readers.length == 0, CidLayout.toString(cid) + " has a writer and readers");
            require(exists || writer == null && readers.length == 0 && pins == 0, CidLayout.toString(cid)
                + " does not exist, but is held");
            count[0]++;
        });
        require(lockStates.isEmpty(), lockStates.size() + " entries mark a lock record that does not exist, first "
            + lockStates.keySet().stream().findFirst().map(CidLayout::toString).orElse(""));
        return count[0];
    }

    @Override
    public void page(long page, int slots, int inUse) {
        pages++;
        slotsInUse += inUse;
        freeSlots += slots - inUse;
    }

    @Override
    public void run(long run, long units) {
        otherRuns++;
    }

    private void require(boolean isValid, String violation) {
        if (!isValid) {
            throw violated(violation);
        }
    }

    private StoreException violated(String violation) {
        return StoreException.fatal("audit of " + space.config.name() + ": " + violation);
    }
}
