package io.teff.engine;

import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreException;
import io.teff.engine.journal.AbandonedRecords;
import io.teff.engine.journal.ChangedBytes;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.engine.journal.Journal;
import io.teff.engine.journal.JournaledStores;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps records in the order of their claims, and restores stores from the first records. Memory is used as a ring, so
 * records are copied when they are committed.
 */
final class RecordingJournal implements Journal {
    /** One entry. */
    record Entry(long cid, int kind, byte[] content, long number) {
        @Override
        public String toString() {
            return Cid.toString(cid) + " kind " + kind + " of " + content.length + " bytes";
        }
    }

    private static final long MEMORY_BYTES = 8L << 20;
    private static final int HEAD_BYTES = 32;
    private static final int LENGTH_AT = 16;
    private static final int NUMBER_AT = 24;
    private static final int RECORD_BYTES_MAX = 2 << 20;

    /** Allocated at first use, because many stores are restored only to be read. */
    private volatile MemorySegment memory = MemorySegment.NULL;
    private final AtomicLong tail = new AtomicLong(Long.BYTES);
    private final Map<Long, Integer> claimed = new ConcurrentHashMap<>();
    private final Map<Long, Integer> zones = new ConcurrentHashMap<>();
    private final ConcurrentSkipListMap<Long, List<Entry>> records = new ConcurrentSkipListMap<>();
    private final AbandonedRecords abandoned = new AbandonedRecords();
    private final ThreadLocal<Integer> written = ThreadLocal.withInitial(() -> 0);
    /** How many records are kept before nothing is kept any more. */
    private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
    /** Runs once, at the next claim. */
    final AtomicReference<@Nullable Runnable> beforeClaim = new AtomicReference<>();
    /** Runs once, at the next commit: its record has a number, and no other thread sees the change. */
    final AtomicReference<@Nullable Runnable> beforeCommit = new AtomicReference<>();
    /** Number of changes that may begin before they are refused. */
    final AtomicInteger beginsLeft = new AtomicInteger(Integer.MAX_VALUE);
    /** Number of changes that may wait for the device before waiting is refused. */
    final AtomicInteger donesLeft = new AtomicInteger(Integer.MAX_VALUE);
    /** Runs once, when a thread next waits for room. */
    final AtomicReference<@Nullable Runnable> atRoom = new AtomicReference<>();
    /** Runs once, at the next check whether changes are refused. */
    final AtomicReference<@Nullable Runnable> beforeAnswer = new AtomicReference<>();
    final AtomicInteger dones = new AtomicInteger();
    final AtomicInteger groups = new AtomicInteger();
    /** Number of records at each sync. */
    final List<Integer> syncs = new CopyOnWriteArrayList<>();

    private volatile boolean takesBytes = true;
    /** Entries of bytes of chunks. */
    final AtomicInteger bytesEntries = new AtomicInteger();

    /** Lets the stores opened from now on record whole chunks only. */
    RecordingJournal takeWholeChunks() {
        takesBytes = false;
        return this;
    }

    @Override
    public boolean takesBytes() {
        return takesBytes;
    }

    /** Lets the given number of claims succeed, then refuses everything. */
    void failAfter(int claims) {
        left.set(claims);
    }

    private void check() {
        if (left.get() <= 0) {
            throw StoreException.fatal("nothing is kept any more");
        }
    }

    @Override
    public void sync() {
        check();
        syncs.add(size());
    }

    @Override
    public boolean isReadOnly() {
        run(beforeAnswer);
        return false;
    }

    private static void run(AtomicReference<@Nullable Runnable> once) {
        Runnable action = once.getAndSet(null);
        if (action != null) {
            action.run();
        }
    }

    @Override
    public void begin() {
        check();
        if (beginsLeft.getAndDecrement() <= 0) {
            throw new StoreException(StoreException.Category.DEGRADED, "no room: nothing was changed");
        }
    }

    @Override
    public void awaitRoom(int entries, long contentBytes) {
        check();
        run(atRoom);
    }

    @Override
    public long claim(int zone, int entries, long contentBytes) {
        check();
        left.decrementAndGet();
        run(beforeClaim);
        if (contentBytes > recordBytesMax(entries)) {
            throw new IllegalArgumentException(entries + " entries of " + contentBytes + " bytes");
        }
        long bytes = entries * (long) HEAD_BYTES + contentBytes + Long.BYTES - 1 & -Long.BYTES;
        long record = tail.getAndAdd(bytes);
        while (record % MEMORY_BYTES + bytes > MEMORY_BYTES) {
            record = tail.getAndAdd(bytes);
        }
        if (memory.byteSize() == 0) {
            makeMemory();
        }
        claimed.put(record, entries);
        zones.put(record, zone);
        written.set(0);
        return record;
    }

    private synchronized void makeMemory() {
        if (memory.byteSize() == 0) {
            memory = Arena.ofAuto().allocate(MEMORY_BYTES, Long.BYTES);
        }
    }

    @Override
    public long recordBytesMax(int entries) {
        return RECORD_BYTES_MAX - entries * (long) HEAD_BYTES;
    }

    @Override
    public long now(int zone) {
        return tail.get() - 1;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public long entry(long record, long after, long cid, int kind, int length, long number) {
        long at = after == 0 ? record % MEMORY_BYTES : after;
        memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, cid);
        memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at + Long.BYTES, kind);
        memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at + LENGTH_AT, length);
        memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at + NUMBER_AT, number == 0 ? record : number);
        written.set(written.get() + 1);
        return at + HEAD_BYTES;
    }

    @Override
    public void commit(long record, boolean isGroup) {
        run(beforeCommit);
        int entries = claimed.remove(record);
        if (written.get() != entries) {
            throw new AssertionError(written.get() + " of " + entries + " entries are written");
        }
        List<Entry> kept = new ArrayList<>();
        long at = record % MEMORY_BYTES;
        for (int i = 0; i < entries; i++) {
            int length = (int) memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at + LENGTH_AT);
            byte[] content = memory.asSlice(at + HEAD_BYTES, length).toArray(ValueLayout.JAVA_BYTE);
            if (memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at + Long.BYTES) == BYTES) {
                bytesEntries.incrementAndGet();
            }
            kept.add(new Entry(memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at),
                (int) memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at + Long.BYTES), content,
                memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at + NUMBER_AT)));
            at += HEAD_BYTES + length;
        }
        checkZone(zones.remove(record), kept);
        records.put(record, kept);
        if (isGroup) {
            groups.incrementAndGet();
        }
    }

    /** All entries are of the record's zone, but for the root of a store's own names. */
    private static void checkZone(int zone, List<Entry> entries) {
        for (Entry entry : entries) {
            if (Cid.nid(entry.cid) != zone && Cid.nid(entry.cid) != Names.DIRECTORY_NID) {
                throw new AssertionError(entry + " in a record of zone " + zone);
            }
        }
    }

    @Override
    public AbandonedRecords abandoned() {
        return abandoned;
    }

    @Override
    public void putLong(long cid, int kind, long length, Content content) {
        awaitRoom(1, length);
        check();
        MemorySegment copy = MemorySegment.ofArray(new byte[Math.toIntExact(length)]);
        for (long from = 0; from < length; from += CONTENT_BYTES_MAX) {
            content.copy(from, copy, from, Math.min(CONTENT_BYTES_MAX, length - from));
        }
        long record = tail.getAndAdd(Long.BYTES);
        records.put(record, List.of(new Entry(cid, kind, copy.toArray(ValueLayout.JAVA_BYTE), record)));
    }

    @Override
    public void done() {
        LongStream.of(abandoned.places()).forEach(claimed::remove);
        if (!claimed.isEmpty() && claimed.size() > Thread.activeCount()) {
            throw new AssertionError("records are never ended: " + claimed);
        }
        dones.incrementAndGet();
        if (donesLeft.getAndDecrement() <= 0) {
            throw new StoreException(StoreException.Category.DEGRADED, "no room: it is made, and not synced");
        }
    }

    // ---- what was kept ----

    /** Returns the bytes of the contents of the last record. */
    long lastBytes() {
        return records.lastEntry().getValue().stream().mapToLong(entry -> entry.content().length).sum();
    }

    int size() {
        return records.size();
    }

    /** Returns the latest entry of each creator and index among the first {@code count} records. */
    private Map<Long, Entry> latest(int count) {
        Map<Long, Entry> latest = new HashMap<>();
        records.values().stream().limit(count).forEach(record -> record.forEach(entry -> {
            long key = Cid.of(Cid.nid(entry.cid), Cid.index(entry.cid));
            Entry before = latest.get(key);
            if (before == null || before.number <= entry.number) {
                latest.put(key, entry.kind == BYTES ? changed(before, entry) : entry);
            }
        }));
        return latest;
    }

    /** Returns the whole chunk after an entry of bytes, which must follow the entry that it names. */
    private static Entry changed(@Nullable Entry before, Entry entry) {
        MemorySegment content = MemorySegment.ofArray(entry.content);
        if (before == null || before.cid != entry.cid || before.kind != PUT
            || before.number != ChangedBytes.predecessor(content, 0)
            || !ChangedBytes.isPossible(content, 0, entry.content.length)) {
            throw new AssertionError(entry + " with number " + entry.number + " is of bytes, and does not follow "
                + before);
        }
        byte[] whole = Arrays.copyOf(before.content, ChangedBytes.chunkBytes(content, 0));
        ChangedBytes.forEachPart(content, 0, entry.content.length,
            (at, from, length) -> System.arraycopy(entry.content, (int) from, whole, at, length));
        return new Entry(entry.cid, PUT, whole, entry.number);
    }

    /** {@return a number below those of all records claimed later} */
    long position() {
        return tail.get() - 1;
    }

    /** Fills a zone with what was recorded of it after a position. */
    void fill(int zone, long position, ChunkRestorer restorer) {
        Map<Long, Entry> latest = new HashMap<>();
        records.tailMap(position).values().forEach(record -> record.forEach(entry -> {
            if (Cid.nid(entry.cid) == zone) {
                latest.merge(Cid.index(entry.cid), entry,
                    (before, after) -> before.number <= after.number ? after : before);
            }
        }));
        latest.values().forEach(entry -> {
            restoreOther(entry, restorer);
            restore(entry, restorer);
        });
    }

    /** Fills a zone with the first records. */
    void fillFirst(int zone, int count, ChunkRestorer restorer) {
        latest(count).values().stream().filter(entry -> Cid.nid(entry.cid) == zone).forEach(entry -> {
            restoreOther(entry, restorer);
            restore(entry, restorer);
        });
    }

    /** Opens a store restored from the first records; its changes are recorded by the given journal. */
    Store restore(int count, StoreConfig config, Journal next) {
        return JournaledStores.open(Store.class, config, next, restorer -> latest(count).values().forEach(entry -> {
            restoreOther(entry, restorer);
            restore(entry, restorer);
        }));
    }

    /** Restores another entry for some indexes first, which must leave no trace. */
    private static void restoreOther(Entry entry, ChunkRestorer restorer) {
        long other = Cid.of(Cid.nid(entry.cid), Cid.lid(entry.cid) ^ 1L << 40);
        switch ((int) (entry.cid ^ entry.number >>> 3) & 3) {
            case 0 -> restorer.put(other, true, MemorySegment.ofArray(new byte[4000]), 0, (entry.cid & 3) * 1000);
            case 1 -> restorer.removed(entry.cid);
            case 2 -> restorer.begin(3).discard();
            default -> { }
        }
    }

    private static void restore(Entry entry, ChunkRestorer restorer) {
        MemorySegment content = MemorySegment.ofArray(entry.content);
        boolean isReadOnly = entry.kind == PUT_READ_ONLY;
        switch (entry.kind) {
            case REMOVED -> restorer.removed(entry.cid);
            case RESERVED -> restorer.reserved(entry.cid);
            default -> {
                if (entry.content.length % 2 == 0) {
                    restorer.put(entry.cid, isReadOnly, content, 0, entry.content.length);
                } else {
                    int half = entry.content.length / 2;
                    ChunkRestorer.Pieces pieces = restorer.begin(entry.content.length);
                    pieces.write(half, content, half, entry.content.length - half);
                    pieces.write(0, content, 0, half);
                    pieces.put(entry.cid, isReadOnly);
                }
            }
        }
    }
}
