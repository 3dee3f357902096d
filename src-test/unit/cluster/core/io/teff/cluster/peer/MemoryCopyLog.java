package io.teff.cluster.peer;

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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A log of backups in memory, which a test can make refuse, forget and fail. */
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
    private volatile @Nullable StoreException failure;

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
    public int cutIncarnation() {
        return cutIncarnation;
    }

    @Override
    public boolean isDamaged(ZoneCopy copy) {
        return isUnreadable;
    }

    /** Reads no slots from now on. */
    void forgetSlots() {
        hasNoSlots = true;
    }

    /** Reads its copies again: the damage was one of the disk's cable. */
    void repair() {
        isUnreadable = false;
    }

    /** Refuses to read its copies, because the disk has no room for what was appended last; or reads them again. */
    void refuseReads(boolean is) {
        areReadsRefused = is;
    }

    /** Fails for good, as after a sync that the device has refused. */
    void fail() {
        failure = new StoreException(Category.FATAL, "fdatasync has failed: errno 5");
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
        List<Entry> entries = copies.computeIfAbsent(copy, _ -> new ArrayList<>());
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
            }
        }
        return true;
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

    @Override
    public long synced(ZoneCopy copy) {
        return logged(copy);
    }

    @Override
    public void whenSynced(ZoneCopy copy, long number, Consumer<@Nullable RuntimeException> then) {
        then.accept(null);
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
        for (Entry entry : entries(copy)) {
            MemorySegment run = MemorySegment.ofArray(entry.bytes());
            reader.check(run, 0, entry.bytes().length, copy.zone());
            reader.nextRecord();
            while (reader.nextEntry()) {
                Newest next = new Newest(reader.entryNumber(), reader.cid(), reader.kind(), run,
                    reader.contentOffset(), reader.length());
                newest.merge(Cid.index(reader.cid()), next, MemoryCopyLog::later);
            }
        }
        newest.values().stream().filter(chunk -> !hasNoSlots || !SlotLayout.isSlot(chunk.cid()))
            .forEach(chunk -> chunk.restore(restorer));
    }

    private static Newest later(Newest known, Newest next) {
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
        copies.remove(copy);
    }
}
