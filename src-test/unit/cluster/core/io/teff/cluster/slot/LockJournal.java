package io.teff.cluster.slot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.engine.ChunkStore;
import io.teff.engine.journal.AbandonedRecords;
import io.teff.engine.journal.Journal;
import io.teff.engine.zone.ChunkChange;
import io.teff.engine.zone.ZoneChanges;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A journal that keeps the newest content of each CID, with the slot of its record, and shows each state. */
final class LockJournal implements Journal {
    private static final int ENTRY_AT = 0;
    private static final int SLOT_AT = 1_024;

    private final int zone;
    private final Consumer<Map<Long, byte[]>> committed;
    private final MemorySegment memory = Arena.ofAuto().allocate(4_096, 8);
    private final AbandonedRecords abandoned = new AbandonedRecords();
    private final Map<Long, byte[]> contents = new TreeMap<>();
    private final List<Entry> history = new ArrayList<>();
    private long number = 1L << 48;
    private long cid;
    private int kind;
    private int length;

    LockJournal(int zone, Consumer<Map<Long, byte[]>> committed) {
        this.zone = zone;
        this.committed = committed;
    }

    /** An entry; without content it is a removal. */
    private record Entry(long cid, byte @Nullable [] content) {}

    /** Restores all entries, also those that later ones have replaced: as a log that was not cleaned. */
    void restore(SlotTable table) {
        for (Entry entry : history) {
            if (entry.content == null) {
                table.restoreRemoved(entry.cid);
            } else {
                table.restore(entry.cid, MemorySegment.ofArray(entry.content), 0, entry.content.length);
            }
        }
    }

    private void keep(long of, byte @Nullable [] content) {
        history.add(new Entry(of, content));
        if (content == null) {
            contents.remove(of);
        } else {
            contents.put(of, content);
        }
    }

    /** What the log has, as after cleaning. */
    Map<Long, byte[]> contents() {
        return contents;
    }

    void clear() {
        contents.clear();
        history.clear();
    }

    @Override
    public void begin() {
        // has room
    }

    @Override
    public void awaitRoom(int entries, long contentBytes) {
        // has room
    }

    @Override
    public long claim(int of, int entries, long contentBytes) {
        assertEquals(zone, of);
        number++;
        return 8;
    }

    @Override
    public long recordBytesMax(int entries) {
        return 4_096;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public long entry(long record, long after, long of, int as, int bytes, long numbered) {
        cid = of;
        kind = as;
        length = bytes;
        return ENTRY_AT;
    }

    @Override
    public long now(int of) {
        return number;
    }

    @Override
    public void commit(long record, boolean isGroup) {
        keep(cid, kind == REMOVED ? null : memory.asSlice(ENTRY_AT, length).toArray(ValueLayout.JAVA_BYTE));
        committed.accept(contents);
    }

    /** Returns a zone whose records have the slot of a writer. */
    RecordedZone recorded(ChunkStore store) {
        SlotWriter writer = new SlotWriter();
        Journal journal = (Journal) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Journal.class},
            (_, method, it) -> {
                if (method.getName().equals("commit")) {
                    int bytes = writer.write(memory, cid, ENTRY_AT, SLOT_AT);
                    keep(writer.cid(), memory.asSlice(SLOT_AT, bytes).toArray(ValueLayout.JAVA_BYTE));
                }
                return method.invoke(this, it);
            });
        return new RecordedZone(store, new ZoneChanges() {
            @Override
            public ChunkStore store() {
                return store;
            }

            @Override
            public int change(List<ChunkChange> changes) {
                throw new AssertionError("locks are no chunks");
            }
        }, new SlotLog(journal), writer);
    }

    @Override
    public AbandonedRecords abandoned() {
        return abandoned;
    }

    @Override
    public void putLong(long of, int as, long bytes, Content content) {
        throw new AssertionError("a lock is short");
    }

    @Override
    public void done() {
        // nothing to wait for
    }
}
