package io.teff.engine.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;

/**
 * A fixed array of 64-bit words that all operations access. The name of a method states its memory order.
 *
 * <p>Where the JDK does not check native memory (see {@link Memory#RESERVED}), the words lie off the heap, on pages of
 * their own, and a <b>place</b> is a machine address: a single value to keep in a register. An array needs three values
 * (address, length, index) and a range check for each access. Otherwise the words are a {@code long[]}, and a place is
 * an index. The memory is freed when this object is unreachable.
 */
public final class Words {
    private static final VarHandle HEAP = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle NATIVE = ValueLayout.JAVA_LONG.varHandle();
    private static final ValueLayout.OfLong UNTESTED = ValueLayout.JAVA_LONG_UNALIGNED;

    private final long start;
    private final long[] heap;

    /**
     * Creates words with value 0.
     *
     * @param count number of words
     * @throws io.teff.engine.error.StoreException of category RETRY if the kernel has no address space
     */
    public Words(int count) {
        if (Memory.RESERVED) {
            start = Reserve.untilUnreachable(this, (long) count * Long.BYTES).start();
            heap = new long[0];
        } else {
            start = 0;
            heap = new long[count];
        }
    }

    /**
     * Returns the words as a segment, for readers outside of this process. Only where places are machine addresses.
     *
     * @param count number of words
     * @return the words from the first one on; the caller keeps this object reachable
     */
    @SuppressWarnings("restricted")
    public MemorySegment segment(int count) {
        assert Memory.RESERVED : "the words are on the heap";
        return MemorySegment.ofAddress(start).reinterpret((long) count * Long.BYTES);
    }

    /** {@return the start for {@link #place}, which callers keep in a field} */
    public long start() {
        return start;
    }

    /**
     * Returns the place of a word.
     *
     * @param start result of {@link #start}
     * @param index number of the word, from 0; not checked
     * @return the place to pass to the methods that read and write
     */
    public static long place(long start, long index) {
        return Memory.RESERVED ? start + index * Long.BYTES & Memory.MACHINE_ADDRESS_MASK : index;
    }

    /**
     * Reads a word; later accesses do not move before it.
     *
     * @param words the array; the caller keeps it reachable
     * @param place result of {@link #place}
     * @return the word
     */
    public static long getThenFence(Words words, long place) {
        final long word = get(words, place);
        VarHandle.acquireFence();
        return word;
    }

    /**
     * Reads a word; earlier reads do not move after it.
     *
     * @param words the array; the caller keeps it reachable
     * @param place result of {@link #place}
     * @return the word
     */
    public static long fenceThenGet(Words words, long place) {
        VarHandle.acquireFence();
        return get(words, place);
    }

    /** Static, because the JIT would otherwise load and test the reference again after each fence. */
    private static long get(Words words, long place) {
        return Memory.RESERVED ? Memory.EVERYTHING.get(UNTESTED, place)
            : (long) HEAP.getOpaque(words.heap, (int) place);
    }

    /**
     * Reads a word, ordered only with other accesses to the same word.
     *
     * @param place result of {@link #place}
     * @return the word
     */
    public long getOpaque(long place) {
        final long word = Memory.RESERVED ? (long) NATIVE.getOpaque(Memory.EVERYTHING, place)
            : (long) HEAP.getOpaque(heap, (int) place);
        Reference.reachabilityFence(this);
        return word;
    }

    /**
     * Reads a word, plain.
     *
     * @param place result of {@link #place}
     * @return the word
     */
    public long getPlain(long place) {
        final long word = Memory.RESERVED ? (long) NATIVE.get(Memory.EVERYTHING, place)
            : (long) HEAP.get(heap, (int) place);
        Reference.reachabilityFence(this);
        return word;
    }

    /**
     * Writes a word, plain.
     *
     * @param place result of {@link #place}
     * @param word the new word
     */
    public void putPlain(long place, long word) {
        if (Memory.RESERVED) {
            NATIVE.set(Memory.EVERYTHING, place, word);
        } else {
            HEAP.set(heap, (int) place, word);
        }
        Reference.reachabilityFence(this);
    }

    /**
     * Writes a word; earlier accesses do not move after it.
     *
     * @param place result of {@link #place}
     * @param word the new word
     */
    public void putRelease(long place, long word) {
        if (Memory.RESERVED) {
            NATIVE.setRelease(Memory.EVERYTHING, place, word);
        } else {
            HEAP.setRelease(heap, (int) place, word);
        }
        Reference.reachabilityFence(this);
    }

    /**
     * Writes a word; a full fence.
     *
     * @param place result of {@link #place}
     * @param word the new word
     */
    public void putVolatile(long place, long word) {
        if (Memory.RESERVED) {
            NATIVE.setVolatile(Memory.EVERYTHING, place, word);
        } else {
            HEAP.setVolatile(heap, (int) place, word);
        }
        Reference.reachabilityFence(this);
    }

    /**
     * Replaces a word if it has the expected value; a full fence.
     *
     * @param place result of {@link #place}
     * @param expected the expected word
     * @param update the new word
     * @return whether the word was replaced
     */
    public boolean cas(long place, long expected, long update) {
        final boolean done = Memory.RESERVED ? NATIVE.compareAndSet(Memory.EVERYTHING, place, expected, update)
            : HEAP.compareAndSet(heap, (int) place, expected, update);
        Reference.reachabilityFence(this);
        return done;
    }
}
