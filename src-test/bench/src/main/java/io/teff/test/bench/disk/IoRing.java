package io.teff.test.bench.disk;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A small io_uring: calls are put into a queue that is shared with the kernel, and submitted and awaited by one call.
 * For one thread.
 * <pre>
 *  a queue entry                                            what came of one
 *  0        1       4      8        16        24      28      32          0          8        12
 *  +--------+-------+------+--------+---------+-------+-------+-----+     +----------+--------+-------+
 *  | opcode | flags | file | offset | address | bytes | flags | tag |     | tag      | result | flags |
 *  +--------+-------+------+--------+---------+-------+-------+-----+     +----------+--------+-------+
 * </pre>
 */
final class IoRing implements AutoCloseable {
    /** Receives the tags of completed calls; the caller knows the expected results. */
    @FunctionalInterface
    interface Done {
        void done(long tag, int result) throws IOException;
    }

    private static final long SETUP = 425;
    private static final long ENTER = 426;
    private static final long WAIT_FOR_EVENTS = 1;

    private static final int FSYNC = 3;
    private static final int READ = 22;
    private static final int WRITE = 23;
    private static final int DATA_ONLY = 1;
    /** The next entry begins when this one is done. */
    private static final int LINKED = 1 << 2;

    private static final long SUBMISSION_OFFSET = 0;
    private static final long COMPLETION_OFFSET = 0x800_0000;
    private static final long ENTRIES_OFFSET = 0x1000_0000;
    private static final int READ_WRITE = 3;
    private static final int SHARED_POPULATED = 0x8001;

    private static final int PARAMETERS_BYTES = 120;
    private static final int SUBMISSION_AT = 40;
    private static final int COMPLETION_AT = 80;
    private static final int HEAD = 0;
    private static final int TAIL = 4;
    private static final int MASK = 8;
    private static final int COUNT = 12;
    private static final int ARRAY = 24;
    private static final int EVENTS = 20;
    private static final int ENTRY_BYTES = 64;
    private static final int EVENT_BYTES = 16;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final VarHandle SHARED_INT = INT.varHandle();

    private final LinuxCalls calls = new LinuxCalls();
    private final int file;
    private final MemorySegment submissions;
    private final MemorySegment completions;
    private final MemorySegment entries;
    private final long submissionHead;
    private final long submissionTail;
    private final long completionHead;
    private final long completionTail;
    private final long events;
    private final int mask;
    private final int eventMask;
    private final int capacity;

    private int tail;
    private int unsubmitted;

    /** Creates a ring for the given number of concurrent calls, a power of two, or throws the kernel's error. */
    IoRing(int capacity) throws IOException {
        this.capacity = capacity;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment p = arena.allocate(PARAMETERS_BYTES, Long.BYTES);
            file = (int) calls.call("io_uring_setup", SETUP, capacity, p.address(), 0, 0, 0, 0);
            long array = p.get(INT, SUBMISSION_AT + ARRAY);
            submissions = map(array + (long) p.get(INT, 0) * Integer.BYTES, SUBMISSION_OFFSET);
            events = p.get(INT, COMPLETION_AT + EVENTS);
            completions = map(events + (long) p.get(INT, 4) * EVENT_BYTES, COMPLETION_OFFSET);
            entries = map((long) p.get(INT, 0) * ENTRY_BYTES, ENTRIES_OFFSET);
            submissionHead = p.get(INT, SUBMISSION_AT + HEAD);
            submissionTail = p.get(INT, SUBMISSION_AT + TAIL);
            completionHead = p.get(INT, COMPLETION_AT + HEAD);
            completionTail = p.get(INT, COMPLETION_AT + TAIL);
            mask = submissions.get(INT, p.get(INT, SUBMISSION_AT + MASK));
            eventMask = completions.get(INT, p.get(INT, COMPLETION_AT + MASK));
            for (int i = 0; i < submissions.get(INT, p.get(INT, SUBMISSION_AT + COUNT)); i++) {
                submissions.set(INT, array + (long) i * Integer.BYTES, i);
            }
        }
    }

    @SuppressWarnings("restricted")
    private MemorySegment map(long bytes, long offset) throws IOException {
        long address = calls.map(bytes, READ_WRITE, SHARED_POPULATED, file, offset);
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    int capacity() {
        return capacity;
    }

    void write(int target, MemorySegment source, int bytes, long at, boolean linked, long tag) {
        add(WRITE, linked ? LINKED : 0, target, source.address(), bytes, at, 0, tag);
    }

    void read(int source, MemorySegment target, int bytes, long at, long tag) {
        add(READ, 0, source, target.address(), bytes, at, 0, tag);
    }

    void sync(int target, long tag) {
        add(FSYNC, 0, target, 0, 0, 0, DATA_ONLY, tag);
    }

    private void add(int opcode, int flags, int target, long address, int bytes, long at, int callFlags, long tag) {
        assert tail - (int) SHARED_INT.getAcquire(submissions, submissionHead) <= mask : "more than the ring has";
        long entry = (long) (tail & mask) * ENTRY_BYTES;
        entries.asSlice(entry, ENTRY_BYTES).fill((byte) 0);
        entries.set(INT, entry, opcode | flags << Byte.SIZE);
        entries.set(INT, entry + 4, target);
        entries.set(LONG, entry + 8, at);
        entries.set(LONG, entry + 16, address);
        entries.set(INT, entry + 24, bytes);
        entries.set(INT, entry + 28, callFlags);
        entries.set(LONG, entry + 32, tag);
        tail++;
        unsubmitted++;
    }

    /** Submits the added calls, waits until at least the given number is done, and reports all completed ones. */
    void await(int count, Done done) throws IOException {
        SHARED_INT.setRelease(submissions, submissionTail, tail);
        long taken = calls.call("io_uring_enter", ENTER, file, unsubmitted, count, WAIT_FOR_EVENTS, 0, 0);
        if (taken != unsubmitted) {
            throw new IOException("io_uring_enter: " + taken + " of " + unsubmitted + " calls were taken");
        }
        unsubmitted = 0;
        int head = (int) SHARED_INT.getOpaque(completions, completionHead);
        int end = (int) SHARED_INT.getAcquire(completions, completionTail);
        for (; head != end; head++) {
            long event = events + (long) (head & eventMask) * EVENT_BYTES;
            done.done(completions.get(LONG, event), completions.get(INT, event + Long.BYTES));
        }
        SHARED_INT.setRelease(completions, completionHead, head);
    }

    @Override
    public void close() throws IOException {
        calls.unmap(entries.address(), entries.byteSize());
        calls.unmap(completions.address(), completions.byteSize());
        calls.unmap(submissions.address(), submissions.byteSize());
        calls.close(file);
    }
}
