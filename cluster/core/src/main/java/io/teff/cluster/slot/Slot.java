package io.teff.cluster.slot;

import io.teff.engine.error.Status;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The newest change of a slot, at the owner of the zone.
 * <pre>
 *            a later ticket              executed, or found to be impossible
 *   EMPTY ------------------> EXECUTING ------------------------------------> DONE --+
 *                              ^   |  the journal has refused it: nothing was done   | a later ticket
 *                              +---+                                                 |
 *                              ^-----------------------------------------------------+
 * </pre>
 * A thread enters before it uses a slot, and leaves afterwards; all other state belongs to the thread inside. The
 * result in the record of a change is noted at the commit of the record. Only this owner knows the result of an
 * impossible change. Such a change had no effect, so the next owner executes the change at most once, too.
 */
public final class Slot {
    /** Result of an entry of a batch if the result is not known. */
    public static final long NOT_DONE = Long.MIN_VALUE;

    private static final int NONE = -1;
    private static final VarHandle ENTERED;

    static {
        try {
            ENTERED = MethodHandles.lookup().findVarHandle(Slot.class, "entered", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final int session;
    final int number;
    @SuppressWarnings("unused")                               // by its handle
    private volatile int entered;
    private long sequence;
    private boolean isDone;
    private boolean hasChanged;
    private int code;
    private long result;
    /** Number of CIDs of a range that are reserved. */
    private int made;
    private long @Nullable [] results;
    /** The value that is the result of a change of a collection, or null. */
    private byte @Nullable [] value;
    /** Place in the log of each part; -1 for no place. */
    private int[] places = {NONE};

    // ---- of the part that is being executed ----
    private int part = NONE;
    private long bits;
    private long first;
    private long last;
    private boolean isZero;
    private boolean isRising;

    Slot(int session, int number) {
        this.session = session;
        this.number = number;
    }

    boolean tryEnter() {
        return ENTERED.compareAndSet(this, 0, 1);
    }

    /** Ends the use of a slot after {@link SlotTable#enter}. */
    public void leave() {
        entered = 0;
    }

    /** Begins a change unless the change is known; false if the slot has had a later change. */
    boolean begin(long next) {
        if (next < sequence) {
            return false;
        }
        if (next > sequence) {
            sequence = next;
            isDone = false;
            hasChanged = false;
            code = 0;
            result = 0;
            made = 0;
            results = null;
            value = null;
            part = NONE;
        }
        return true;
    }

    long ticket() {
        return Ticket.of(sequence, number);
    }

    // ---- single changes ----

    /** {@return whether the result is known} */
    public boolean isDone() {
        return isDone;
    }

    /** {@return whether the change had an effect} */
    public boolean hasChanged() {
        return hasChanged;
    }

    /** {@return the code of the answer} */
    public int code() {
        return code;
    }

    /** {@return the result} */
    public long result() {
        return result;
    }

    /** {@return how many CIDs of a range exist, from {@link #result} on} */
    public int made() {
        return made;
    }

    /** A record with the effect is being committed. */
    void recorded(long value) {
        result = value;
        code = 0;
        hasChanged = true;
        isDone = true;
    }

    /** A record with the effect on a collection is being committed. */
    void recorded(long of, byte @Nullable [] valueOf) {
        recorded(of);
        value = valueOf;
    }

    /**
     * Notes the answer of a change of a collection whose execution has ended.
     *
     * @param answerCode code of the answer
     * @param of the result; the length of the value if there is a value
     * @param valueOf the value of the answer, or null
     * @param isChanged whether it had an effect
     */
    public void answered(int answerCode, long of, byte @Nullable [] valueOf, boolean isChanged) {
        answered(answerCode, of, isChanged);
        value = valueOf;
    }

    /** {@return the value of the answer of a change of a collection, or null} */
    public byte @Nullable [] value() {
        return value;
    }

    /** A record of one CID of a range is being committed. */
    void recordedNext(long cid) {
        result = made == 0 ? cid : result;
        made++;
        hasChanged = true;
    }

    /**
     * Notes the answer of a change whose execution has ended.
     *
     * @param answerCode code of the answer
     * @param value the result
     * @param isChanged whether it had an effect
     */
    public void answered(int answerCode, long value, boolean isChanged) {
        code = answerCode;
        result = value;
        hasChanged = isChanged;
        isDone = true;
    }

    /** Forgets a range of which only a part existed, after this part was given back. */
    public void unmade() {
        made = 0;
        hasChanged = false;
    }

    // ---- batches ----

    /**
     * {@return the results of a batch, NOT_DONE for entries that are not known}
     *
     * @param count number of its entries
     */
    public long[] results(int count) {
        final long[] known = results;
        if (known != null && known.length >= count) {
            return known;
        }
        final long[] next = new long[count];
        Arrays.fill(next, NOT_DONE);
        if (known != null) {
            System.arraycopy(known, 0, next, 0, known.length);
        }
        results = next;
        return next;
    }

    /** A record of an entry of a batch is being committed. */
    void recorded(int entry, long value) {
        final int of = entry / SlotLayout.PART_ENTRIES;
        final long[] all = results(entry + 1);
        if (of != part) {
            beginPart(of, all);
        }
        all[entry] = value;
        add(entry % SlotLayout.PART_ENTRIES, value);
        hasChanged = true;
    }

    private void beginPart(int of, long[] all) {
        part = of;
        bits = 0;
        isZero = true;
        isRising = true;
        final int from = of * SlotLayout.PART_ENTRIES;
        for (int i = from; i < Math.min(all.length, from + SlotLayout.PART_ENTRIES); i++) {
            if (all[i] != NOT_DONE && !Status.isStatus(all[i])) {
                add(i - from, all[i]);
            }
        }
    }

    private void add(int bit, long value) {
        isZero &= value == 0;
        isRising &= bits == 0 || value == last + 1 && bits >>> bit == 0;
        first = bits == 0 ? value : first;
        last = value;
        bits |= 1L << bit;
    }

    // ---- places in the log ----

    int place(int of) {
        return of < places.length ? places[of] : NONE;
    }

    void place(int of, int place) {
        if (of >= places.length) {
            final int had = places.length;
            places = Arrays.copyOf(places, Math.max(of + 1, 2 * had));
            Arrays.fill(places, had, places.length, NONE);
        }
        places[of] = place;
    }

    int parts() {
        return places.length;
    }

    // ---- bytes ----

    /** Writes the known results of a single change or a range; returns the number of bytes. */
    int write(MemorySegment to, long at) {
        if (made > 0) {
            SlotLayout.putHead(to, at, session, 0, SlotLayout.RANGE, ticket());
            SlotLayout.putResult(to, at, 0, result);
            SlotLayout.putResult(to, at, 1, made);
            return SlotLayout.HEAD_BYTES + 2 * Long.BYTES;
        }
        final byte[] kept = value;
        return kept == null ? SlotLayout.putOne(to, at, session, ticket(), result)
            : SlotLayout.putValue(to, at, session, ticket(), kept);
    }

    /** Writes the known results of the current part of a batch; returns the number of bytes. */
    int writePart(MemorySegment to, long at) {
        if (isRising && !isZero) {
            return SlotLayout.putManyFrom(to, at, session, part, ticket(), bits, first);
        }
        SlotLayout.putResult(to, at, 0, bits);
        if (isZero) {
            SlotLayout.putHead(to, at, session, part, SlotLayout.MANY, ticket());
            return SlotLayout.HEAD_BYTES + Long.BYTES;
        }
        SlotLayout.putHead(to, at, session, part, SlotLayout.MANY_EACH, ticket());
        final long[] all = results(0);
        int count = 1;
        for (long rest = bits; rest != 0; rest &= rest - 1) {
            SlotLayout.putResult(to, at, count++,
                all[part * SlotLayout.PART_ENTRIES + Long.numberOfTrailingZeros(rest)]);
        }
        return SlotLayout.HEAD_BYTES + count * Long.BYTES;
    }

    /** Writes a part, or the single change, once more; returns the number of bytes, 0 if nothing is kept. */
    int writeAgain(int of, MemorySegment to, long at) {
        if (!hasChanged || place(of) == NONE) {
            return 0;
        }
        final long[] all = results;
        if (all == null) {
            return of == 0 ? write(to, at) : 0;
        }
        beginPart(of, all);
        return bits == 0 ? 0 : writePart(to, at);
    }

    // ---- restoring ----

    /** Takes over an entry of a log; returns whether the content is valid. */
    boolean restore(MemorySegment from, long at, long length) {
        final long next = Ticket.sequence(SlotLayout.ticket(from, at));
        if (!begin(next)) {
            return true;                                        // a part of an earlier batch
        }
        final long values = (length - SlotLayout.HEAD_BYTES) / Long.BYTES;
        final int kind = SlotLayout.kind(from, at);
        switch (kind) {
            case SlotLayout.ONE -> recorded(values == 0 ? 0 : SlotLayout.result(from, at, 0));
            case SlotLayout.RANGE -> {
                result = SlotLayout.result(from, at, 0);
                made = (int) SlotLayout.result(from, at, 1);
                hasChanged = true;
            }
            case SlotLayout.VALUE -> {
                final byte[] kept = SlotLayout.value(from, at, length);
                if (kept == null) {
                    return false;
                }
                recorded(kept.length, kept);
            }
            case SlotLayout.MANY, SlotLayout.MANY_FROM, SlotLayout.MANY_EACH -> restoreMany(from, at, kind);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void restoreMany(MemorySegment from, long at, int kind) {
        final int firstEntry = SlotLayout.part(from, at) * SlotLayout.PART_ENTRIES;
        final long[] all = results(firstEntry + SlotLayout.PART_ENTRIES);
        int count = 0;
        for (long rest = SlotLayout.result(from, at, 0); rest != 0; rest &= rest - 1) {
            all[firstEntry + Long.numberOfTrailingZeros(rest)] = switch (kind) {
                case SlotLayout.MANY -> 0;
                case SlotLayout.MANY_FROM -> SlotLayout.result(from, at, 1) + count;
                default -> SlotLayout.result(from, at, 1 + count);
            };
            count++;
        }
        hasChanged = true;
        part = NONE;
    }

    /** {@return session, slot and newest change, for people} */
    @Override
    public String toString() {
        return "slot " + number + " of session " + session + " at " + sequence + (isDone ? ", done" : "");
    }
}
