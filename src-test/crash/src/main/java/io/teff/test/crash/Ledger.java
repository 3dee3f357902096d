package io.teff.test.crash;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The begun and the acknowledged changes, in a mapped file that both processes see and that survives each of them.
 * <pre>
 * one page of figures per thread:
 *   operations, refused, reads, removals made and refused, counters' acknowledged and intended, queue's added and
 *   intended, polling, taken ...
 * slots of 32 bytes, of each thread those of all groups:
 * +--------+--------+--------+--------+
 * | cid    | acked  | intent | seen   |
 * +--------+--------+--------+--------+
 * issued CIDs, of each thread: their number, and the CIDs
 * </pre>
 * A slot or page is written by one thread, except {@code seen}, which the reader writes. All accesses are volatile, so
 * that after a kill the stores of a thread are found in their order.
 */
final class Ledger implements AutoCloseable {
    /** Number of threads that change keys. */
    static final int THREADS = 3;
    /** Number of counters shared by the threads. */
    static final int COUNTERS = 8;
    /** Maximum number of CIDs that a thread issues over all processes. */
    static final int ISSUED_MAX = 1 << 21;

    private static final int PAGE_BYTES = 4096;
    private static final int OPERATIONS = 0;
    private static final int REFUSED = 8;
    private static final int READS = 16;
    private static final int ADDED = 24;
    private static final int ADDING = 32;
    private static final int POLLING = 40;
    private static final int FLAGS = 48;
    private static final int REMOVED = 56;
    private static final int TAKEN = 64;
    private static final int REMOVALS_REFUSED = 256;
    private static final int COUNTED = 512;
    private static final int COUNTING = 1024;

    private static final int SLOT_BYTES = 32;
    private static final int CID = 0;
    private static final int ACKED = 8;
    private static final int INTENT = 16;
    private static final int SEEN = 24;

    private static final long SLOTS = (THREADS + 1L) * PAGE_BYTES;
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final int slotsPerThread;
    private final long issued;

    private Ledger(FileChannel channel) throws IOException {
        int count = 0;
        for (Group group : Group.values()) {
            count += group.count;
        }
        this.slotsPerThread = count;
        this.issued = SLOTS + (long) THREADS * count * SLOT_BYTES;
        final long bytes = issued + (long) THREADS * (ISSUED_MAX + 1) * Long.BYTES;
        this.memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
    }

    /** Opens the ledger in a file; a new one is full of zeros. */
    static Ledger open(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
            return new Ledger(channel);
        }
    }

    @Override
    public void close() {
        arena.close();
    }

    private long get(long at) {
        return (long) LONG.getVolatile(memory, at);
    }

    private void set(long at, long value) {
        LONG.setVolatile(memory, at, value);
    }

    // ---- slots ----

    private long slot(long key, int field) {
        int index = Group.number(key);
        for (Group group : Group.values()) {
            if (group == Group.of(key)) {
                break;
            }
            index += group.count;
        }
        return SLOTS + ((long) Group.thread(key) * slotsPerThread + index) * SLOT_BYTES + field;
    }

    long cid(long key) {
        return get(slot(key, CID));
    }

    void setCid(long key, long cid) {
        set(slot(key, CID), cid);
    }

    long acked(long key) {
        return get(slot(key, ACKED));
    }

    long intent(long key) {
        return get(slot(key, INTENT));
    }

    long seen(long key) {
        return get(slot(key, SEEN));
    }

    void setSeen(long key, long state) {
        set(slot(key, SEEN), state);
    }

    /** Records the start of a change; returns the resulting state. */
    long intend(long key, int kind) {
        final long next = State.next(acked(key), kind);
        set(slot(key, INTENT), next);
        return next;
    }

    /** Records that a change has returned. */
    void ack(long key) {
        set(slot(key, ACKED), intent(key));
        count(Group.thread(key), 1);
    }

    /** Records the outcome of a change that was in doubt. */
    void settle(long key, long state) {
        set(slot(key, ACKED), state);
        set(slot(key, INTENT), state);
    }

    // ---- figures ----

    private long page(int thread, long field) {
        return (long) thread * PAGE_BYTES + field;
    }

    private void add(long at, long count) {
        set(at, get(at) + count);
    }

    private long sum(int field) {
        long sum = 0;
        for (int thread = 0; thread <= THREADS; thread++) {
            sum += get(page(thread, field));
        }
        return sum;
    }

    /** Adds acknowledged operations of a thread. */
    void count(int thread, long operations) {
        add(page(thread, OPERATIONS), operations);
    }

    long operations(int thread) {
        return get(page(thread, OPERATIONS));
    }

    /** Returns the number of acknowledged operations. */
    long operations() {
        return sum(OPERATIONS);
    }

    void countRefused(int thread) {
        add(page(thread, REFUSED), 1);
    }

    long refused() {
        return sum(REFUSED);
    }

    /** Counts a removal: whether it was made, or refused. */
    void countRemoval(int thread, boolean isMade) {
        add(page(thread, isMade ? REMOVED : REMOVALS_REFUSED), 1);
    }

    /** Returns the number of removals that were made. */
    long removed() {
        return sum(REMOVED);
    }

    /** Returns the number of removals that were refused. */
    long removalsRefused() {
        return sum(REMOVALS_REFUSED);
    }

    /** Counts a read of the reader, whose page follows those of the other threads. */
    void countRead() {
        add(page(THREADS, READS), 1);
    }

    long reads() {
        return sum(READS);
    }

    /** Whether the counters and collections have been created. */
    boolean isSetUp() {
        return get(page(THREADS, FLAGS)) != 0;
    }

    void setUp() {
        set(page(THREADS, FLAGS), 1);
    }

    // ---- counters ----

    long counted(int thread, int counter) {
        return get(page(thread, COUNTED + (long) counter * Long.BYTES));
    }

    void setCounted(int thread, int counter, long value) {
        set(page(thread, COUNTED + (long) counter * Long.BYTES), value);
    }

    long counting(int thread, int counter) {
        return get(page(thread, COUNTING + (long) counter * Long.BYTES));
    }

    void setCounting(int thread, int counter, long value) {
        set(page(thread, COUNTING + (long) counter * Long.BYTES), value);
    }

    // ---- queue ----

    long added(int thread) {
        return get(page(thread, ADDED));
    }

    void setAdded(int thread, long number) {
        set(page(thread, ADDED), number);
    }

    long adding(int thread) {
        return get(page(thread, ADDING));
    }

    void setAdding(int thread, long number) {
        set(page(thread, ADDING), number);
    }

    boolean isPolling(int thread) {
        return get(page(thread, POLLING)) != 0;
    }

    void setPolling(int thread, boolean isPolling) {
        set(page(thread, POLLING), isPolling ? 1 : 0);
    }

    /** Returns the last element of one thread that another has taken. */
    long taken(int thread, int of) {
        return get(page(thread, TAKEN + (long) of * Long.BYTES));
    }

    void setTaken(int thread, int of, long number) {
        set(page(thread, TAKEN + (long) of * Long.BYTES), number);
    }

    // ---- issued CIDs ----

    private long issued(int thread, long at) {
        return issued + ((long) thread * (ISSUED_MAX + 1) + at) * Long.BYTES;
    }

    boolean canIssue(int thread) {
        return get(issued(thread, 0)) < ISSUED_MAX;
    }

    /** Records an issued CID. */
    void issue(int thread, long cid) {
        final long count = get(issued(thread, 0));
        set(issued(thread, count + 1), cid);
        set(issued(thread, 0), count + 1);
    }

    /** Returns all issued CIDs, unordered. */
    long[] issued() {
        int total = 0;
        for (int thread = 0; thread < THREADS; thread++) {
            total += (int) get(issued(thread, 0));
        }
        final long[] all = new long[total];
        int at = 0;
        for (int thread = 0; thread < THREADS; thread++) {
            final int count = (int) get(issued(thread, 0));
            MemorySegment.copy(memory, ValueLayout.JAVA_LONG, issued(thread, 1), all, at, count);
            at += count;
        }
        return all;
    }
}
