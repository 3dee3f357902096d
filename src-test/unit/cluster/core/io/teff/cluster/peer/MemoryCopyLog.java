package io.teff.cluster.peer;

import io.teff.cluster.slot.SlotEntries;
import io.teff.cluster.slot.SlotLayout;
import io.teff.engine.Cid;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.error.StoreException;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.engine.journal.Journal;
import io.teff.engine.os.FailureText;
import io.teff.recovery.backup.RunReader;
import io.teff.recovery.backup.RunSink;
import io.teff.recovery.backup.ZoneCopy;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A log of backups in memory, which a test can make refuse, forget and fail. As in the log on a disk, what is dropped
 * is gone with all earlier copies of its zone, and comes back as a whole or not at all if a power cut takes the drop
 * back.
 *
 * <p>With a device it gets what was appended when it is told to {@link #sync}: always the first records of all, in the
 * order in which they were appended, whatever their copies.
 */
final class MemoryCopyLog implements CopyLog {
    private static final int LOST_ENTRIES = 3;

    private final Map<ZoneCopy, List<Entry>> copies = new HashMap<>();
    private final Observer observer;
    private volatile boolean isFull;
    private volatile boolean hasHoles;
    private volatile boolean areHidden;
    private volatile boolean hasNoTail;
    private volatile boolean isUnreadable;
    private volatile boolean hasNoSlots;
    private volatile boolean areReadsRefused;
    private volatile int cutIncarnation;
    private volatile boolean hasNoEnds;
    private volatile boolean hasNoLocks;
    private volatile boolean hasNoSecondEntries;
    private volatile @Nullable StoreException failure;
    /** The highest copy of each zone that was dropped. */
    private final Map<Integer, Integer> dropped = new HashMap<>();
    /** Asks for a sync; null without a device. */
    private @Nullable Runnable wantsSync;
    /** The copies of the records that the device does not have, in the order of these records. */
    private final List<ZoneCopy> unsynced = new ArrayList<>();
    private final Map<ZoneCopy, Long> synced = new HashMap<>();
    private final List<Wish> wishes = new ArrayList<>();
    /** What was dropped, but not on the device yet. */
    private final Map<Integer, Drop> drops = new HashMap<>();
    /** Copies that may have lost their ends by a power cut. */
    private final Set<ZoneCopy> cutCopies = new HashSet<>();
    private boolean doesNotSync;
    private boolean keepsLocks;
    private boolean adopts;

    /** A caller that waits for the device. */
    private record Wish(ZoneCopy copy, long number, Consumer<@Nullable RuntimeException> then) {}

    /** What a zone had when copies of it were dropped, and what was dropped before. */
    private record Drop(int before, Map<ZoneCopy, List<Entry>> entries) {}

    /** One record: its number, and its bytes as a run of one record. */
    private record Entry(long number, byte[] bytes) {}

    /** Sees each record that is added. */
    @FunctionalInterface
    interface Observer {
        void added(ZoneCopy copy, long last, long number, byte[] record);
    }

    MemoryCopyLog() {
        this((_, _, _, _) -> { });
    }

    MemoryCopyLog(Observer observer) {
        this.observer = observer;
    }

    /** Refuses appends for now, or takes them again. */
    void full(boolean is) {
        isFull = is;
    }

    /** From now on does not tell which copies it has. */
    void hideCopies() {
        areHidden = true;
    }

    /** From now on takes records behind a gap, which no log of the product does. */
    void takeHoles() {
        hasHoles = true;
    }

    /** Has no records one by one any more. */
    void forgetTail() {
        hasNoTail = true;
    }

    /** Refuses to read its copies, whose files are damaged. */
    void damage() {
        isUnreadable = true;
    }

    /** Says that lives up to this one may have lost their ends. */
    void cut(int incarnation) {
        cutIncarnation = incarnation;
    }

    @Override
    public boolean hasLived(int incarnation) {
        return true;
    }

    @Override
    public int cutIncarnation() {
        return cutIncarnation;
    }

    @Override
    public Map<ZoneCopy, List<String>> damagedCopies() {
        return Map.of();
    }

    @Override
    public long diskBytes() {
        return 0;
    }

    @Override
    public boolean isDamaged(ZoneCopy copy) {
        return isUnreadable;
    }

    /** Reads no slots from now on. */
    void forgetSlots() {
        hasNoSlots = true;
    }

    /** Reads no locks from now on. */
    void forgetLocks() {
        hasNoLocks = true;
    }

    /** Reads the locks that were removed, too, from now on. */
    void keepLocks() {
        keepsLocks = true;
    }

    /** From now on begins each copy with what it has of an earlier copy of the zone. */
    void adoptEarlierCopies() {
        adopts = true;
        hasHoles = true;
    }

    /** From now on reads the first entry of the last record of a copy only, whatever else this record has. */
    void forgetSecondEntries() {
        hasNoSecondEntries = true;
    }

    /** Reads its copies again: the damage was one of the disk's cable. */
    void repair() {
        isUnreadable = false;
    }

    /** Refuses to read its copies, because the disk has no room for what was appended last; or reads them again. */
    void refuseReads(boolean is) {
        areReadsRefused = is;
    }

    /** Fails for good, as after a sync that the device has refused. Those that wait for one are told so. */
    void fail() {
        final StoreException why = new StoreException(Category.FATAL, "fdatasync has failed: errno 5");
        List<Wish> due;
        synchronized (this) {
            failure = why;
            due = List.copyOf(wishes);
            wishes.clear();
        }
        due.forEach(wish -> wish.then.accept(why));
    }

    /**
     * Is opened by another process, after it has failed or not. What the device has refused to sync is lost in part, as
     * after a power cut.
     */
    void reopen(SplittableRandom random) {
        if (failure != null) {
            cutPower(random);
            failure = null;
        }
    }

    @Override
    public @Nullable Throwable failure() {
        return failure;
    }

    private void check() {
        final StoreException why = failure;
        if (why != null) {
            throw new StoreException(Category.FATAL, FailureText.of(why), why);
        }
    }

    @Override
    public synchronized boolean append(ZoneCopy copy, MemorySegment run, long offset, long length) {
        check();
        RunReader reader = new RunReader();
        String fault = reader.check(run, offset, length, copy.zone());
        if (fault != null) {
            throw new IllegalArgumentException(fault);
        }
        if (isFull) {
            return false;
        }
        if (copy.copy() <= dropped.getOrDefault(copy.zone(), -1)) {
            throw new IllegalArgumentException("copy " + copy + " was dropped");
        }
        List<Entry> entries = copies.computeIfAbsent(copy, _ -> new ArrayList<>(earlier(copy)));
        while (reader.nextRecord()) {
            long last = entries.isEmpty() ? 0 : entries.getLast().number();
            if (counter(reader.number()) > counter(last)) {
                if (last != 0 && counter(reader.number()) != counter(last) + 1 && !hasHoles) {
                    throw new IllegalArgumentException("a record is missing");
                }
                byte[] record = run.asSlice(reader.recordOffset(), reader.recordBytes())
                    .toArray(ValueLayout.JAVA_BYTE);
                observer.added(copy, last, reader.number(), record);
                entries.add(new Entry(reader.number(), record));
                if (wantsSync != null) {
                    unsynced.add(copy);
                }
            }
        }
        return true;
    }

    /** Returns what the copies that are adopted begin with. */
    private List<Entry> earlier(ZoneCopy copy) {
        return !adopts ? List.of() : copies.entrySet().stream()
            .filter(it -> it.getKey().zone() == copy.zone() && it.getKey().copy() < copy.copy())
            .max(Comparator.comparingInt(it -> it.getKey().copy())).map(Map.Entry::getValue).orElse(List.of());
    }

    /** Returns the counter of the last record of a zone. */
    synchronized long last(int zone) {
        return copies.keySet().stream().filter(copy -> copy.zone() == zone).mapToLong(copy -> counter(logged(copy)))
            .max().orElse(0);
    }

    private static long counter(long number) {
        return number & (1L << 48) - 1;
    }

    @Override
    public synchronized long logged(ZoneCopy copy) {
        List<Entry> entries = copies.getOrDefault(copy, List.of());
        return entries.isEmpty() ? 0 : entries.getLast().number();
    }

    // ---- the device ----

    /**
     * From now on has a device.
     *
     * @param wanted called when somebody waits for it
     */
    synchronized void withDevice(Runnable wanted) {
        wantsSync = wanted;
    }

    /** From now on says that the device has everything, and syncs nothing. */
    void neverSync() {
        doesNotSync = true;
    }

    @Override
    public synchronized long synced(ZoneCopy copy) {
        return wantsSync == null || doesNotSync ? logged(copy) : synced.getOrDefault(copy, 0L);
    }

    @Override
    public void whenSynced(ZoneCopy copy, long number, Consumer<@Nullable RuntimeException> then) {
        check();
        Runnable wanted;
        synchronized (this) {
            wanted = Long.compareUnsigned(synced(copy), number) >= 0 ? null : wantsSync;
            if (wanted != null) {
                wishes.add(new Wish(copy, number, then));
            }
        }
        if (wanted == null) {
            then.accept(null);
        } else {
            wanted.run();
        }
    }

    /** Brings everything to the device, and tells those that wait. */
    void sync() {
        List<Wish> due;
        synchronized (this) {
            if (doesNotSync || failure != null) {
                return;
            }
            unsynced.clear();
            drops.clear();
            copies.keySet().forEach(copy -> synced.put(copy, logged(copy)));
            due = wishes.stream().filter(wish -> Long.compareUnsigned(synced(wish.copy), wish.number) >= 0).toList();
            wishes.removeAll(due);
        }
        due.forEach(wish -> wish.then.accept(null));
    }

    /** The process ends: nobody waits for the device any more. */
    synchronized void processEnds() {
        wishes.clear();
    }

    /** The power is cut: the device keeps what was synced, and perhaps some of the first records behind it. */
    synchronized void cutPower(SplittableRandom random) {
        int lost = random.nextInt(unsynced.size() + 1);
        for (int i = unsynced.size() - 1; i >= unsynced.size() - lost; i--) {
            List<Entry> entries = entriesOrDropped(unsynced.get(i));
            entries.removeLast();
        }
        unsynced.clear();
        List.copyOf(drops.keySet()).forEach(zone -> {
            Drop drop = drops.remove(zone);
            if (random.nextBoolean()) {
                dropped.put(zone, drop.before);
                copies.putAll(drop.entries);
            }
        });
        cutCopies.addAll(copies.keySet());
        copies.values().removeIf(List::isEmpty);
        copies.keySet().forEach(copy -> synced.put(copy, logged(copy)));
    }

    private List<Entry> entriesOrDropped(ZoneCopy copy) {
        List<Entry> known = copies.get(copy);
        return known != null ? known : drops.get(copy.zone()).entries.get(copy);
    }

    /** Returns whether a copy may have lost its end. */
    synchronized boolean wasCut(ZoneCopy copy) {
        return cutCopies.contains(copy);
    }

    /** From now on loses the last records of all copies with each life, as by a power cut, and does not say so. */
    void forgetEnds() {
        hasNoEnds = true;
    }

    @Override
    public synchronized Set<ZoneCopy> copies() {
        if (hasNoEnds) {
            copies.values().forEach(entries -> entries.subList(Math.max(0, entries.size() - LOST_ENTRIES),
                entries.size()).clear());
        }
        return areHidden ? Set.of() : Set.copyOf(copies.keySet());
    }

    @Override
    public void read(ZoneCopy copy, int threads, ChunkRestorer restorer) {
        check();
        if (isUnreadable) {
            throw StoreException.fatal("copy " + copy + " cannot be read: a segment is damaged");
        }
        if (areReadsRefused) {
            throw new StoreException(Category.DEGRADED, "no room for what was appended last");
        }
        Map<Long, Newest> newest = new TreeMap<>();
        RunReader reader = new RunReader();
        List<Entry> all = entries(copy);
        for (int i = 0; i < all.size(); i++) {
            Entry entry = all.get(i);
            MemorySegment run = MemorySegment.ofArray(entry.bytes());
            reader.check(run, 0, entry.bytes().length, copy.zone());
            reader.nextRecord();
            boolean isCut = hasNoSecondEntries && i == all.size() - 1;
            for (boolean isFirst = true; reader.nextEntry() && (isFirst || !isCut); isFirst = false) {
                Newest next = new Newest(reader.entryNumber(), reader.cid(), reader.kind(), run,
                    reader.contentOffset(), reader.length());
                newest.merge(Cid.index(reader.cid()), next, this::later);
            }
        }
        newest.values().stream().filter(this::isRead).forEach(chunk -> chunk.restore(restorer));
    }

    private boolean isRead(Newest chunk) {
        boolean isLock = SlotLayout.isSlot(chunk.cid()) && SlotEntries.isLock(chunk.run(), chunk.offset(),
            chunk.length());
        return (!hasNoSlots || isLock || !SlotLayout.isSlot(chunk.cid())) && (!hasNoLocks || !isLock);
    }

    private Newest later(Newest known, Newest next) {
        if (keepsLocks && next.kind() == Journal.REMOVED && SlotLayout.isSlot(known.cid())
            && SlotEntries.isLock(known.run(), known.offset(), known.length())) {
            return known;
        }
        int order = Long.compareUnsigned(next.number(), known.number());
        return order > 0 || order == 0 && next.kind() == Journal.REMOVED ? next : known;
    }

    private record Newest(long number, long cid, int kind, MemorySegment run, long offset, int length) {
        void restore(ChunkRestorer restorer) {
            switch (kind) {
                case Journal.PUT, Journal.PUT_READ_ONLY ->
                    restorer.put(cid, kind == Journal.PUT_READ_ONLY, run, offset, length);
                case Journal.REMOVED -> restorer.removed(cid);
                default -> restorer.reserved(cid);
            }
        }
    }

    /** Passes on the content of each entry of a copy, also of outdated ones. */
    void entries(ZoneCopy copy, BiConsumer<Long, byte[]> visitor) {
        RunReader reader = new RunReader();
        for (Entry entry : entries(copy)) {
            MemorySegment run = MemorySegment.ofArray(entry.bytes());
            reader.check(run, 0, entry.bytes().length, copy.zone());
            reader.nextRecord();
            while (reader.nextEntry()) {
                visitor.accept(reader.cid(), run.asSlice(reader.contentOffset(), reader.length())
                    .toArray(ValueLayout.JAVA_BYTE));
            }
        }
    }

    private synchronized List<Entry> entries(ZoneCopy copy) {
        return List.copyOf(copies.getOrDefault(copy, List.of()));
    }

    @Override
    public boolean tail(ZoneCopy copy, long after, RunSink sink) {
        if (hasNoTail) {
            return false;
        }
        List<Entry> wanted = entries(copy).stream()
            .filter(entry -> Long.compareUnsigned(entry.number(), after) > 0).toList();
        if (!wanted.isEmpty() && counter(wanted.getFirst().number()) > counter(after) + 1) {
            return false;                                       // the copy begins with a later change
        }
        wanted.forEach(entry -> sink.run(MemorySegment.ofArray(entry.bytes()), 0, entry.bytes().length));
        return true;
    }

    @Override
    public synchronized void drop(ZoneCopy copy) {
        Map<ZoneCopy, List<Entry>> gone = new HashMap<>();
        copies.forEach((known, entries) -> {
            if (known.zone() == copy.zone() && known.copy() <= copy.copy()) {
                gone.put(known, entries);
            }
        });
        copies.keySet().removeAll(gone.keySet());
        int before = dropped.getOrDefault(copy.zone(), -1);
        dropped.put(copy.zone(), Math.max(before, copy.copy()));
        if (wantsSync != null) {
            drops.computeIfAbsent(copy.zone(), _ -> new Drop(before, new HashMap<>())).entries.putAll(gone);
        }
        wishes.removeIf(wish -> gone.containsKey(wish.copy));
    }
}
