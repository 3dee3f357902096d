package io.teff.cluster.operation;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An answer that leaves when the host has given all awaited verdicts, and the executing thread has finished the answer.
 * The last of these events sends the answer: if this is the executing thread, from its own memory, and otherwise from a
 * copy. If there is no memory for the copy of a read, the peer answers that it is busy. Thread-safe.
 */
abstract class HeldAnswer {
    private static final VarHandle AWAITED;

    static {
        try {
            AWAITED = MethodHandles.lookup().findVarHandle(HeldAnswer.class, "awaited", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Reply reply;
    private final HeldBytes bytesHeld;
    /** Events to come. The executing thread's end is one of them. */
    private volatile int awaited = 1;
    /**
     * The copy. The executing thread writes the copy before counting its own event, so the last event sees the copy.
     */
    private byte @Nullable [] kept;
    /** Bytes of the copy that count as held. */
    private int keptBytes;
    /** Whether the executing thread has answered instead; written as the copy is. */
    private boolean isRefused;

    HeldAnswer(Reply reply, HeldBytes bytesHeld) {
        this.reply = reply;
        this.bytesHeld = bytesHeld;
    }

    /** Puts the code DEPOSED into the parts of the answer whose verdict is DEPOSED. */
    abstract void mark(byte[] bytes);

    /** Announces one more verdict of the host. */
    final void announce() {
        AWAITED.getAndAdd(this, 1);
    }

    /** Counts a verdict of the host. */
    final void arrived() {
        if (countDown() == 0) {
            leaveKept();
        }
    }

    private int countDown() {
        return (int) AWAITED.getAndAdd(this, -1) - 1;
    }

    /** Answers at once; for answers that wait for no verdict. */
    final void leave(MemorySegment memory, int length) {
        reply.answer(memory, length);
    }

    /** Ends the executing thread's work: the answer leaves now, or with the last verdict. */
    final void finish(byte[] bytes, MemorySegment memory, int length) {
        if (awaited > 1) {
            kept = Arrays.copyOf(bytes, length);
            if (countDown() == 0) {
                leaveKept();
            }
        } else {
            awaited = 0;
            bytesHeld.give(keptBytes);                          // the last verdict has come meanwhile
            mark(bytes);
            reply.answer(memory, length);
        }
    }

    /**
     * Ends the executing thread's work as {@link #finish(byte[], MemorySegment, int)}, for an answer that may be
     * replaced.
     *
     * @param busy replaces the answer in the memory by the answer that the peer is busy, and returns the new length
     */
    final void finish(byte[] bytes, MemorySegment memory, int length, IntSupplier busy) {
        if (awaited == 1) {
            finish(bytes, memory, length);
        } else if (bytesHeld.take(length)) {
            keptBytes = length;
            finish(bytes, memory, length);
        } else {
            isRefused = true;
            countDown();                                        // later verdicts find that
            reply.answer(memory, busy.getAsInt());
        }
    }

    private void leaveKept() {
        if (isRefused) {
            return;
        }
        bytesHeld.give(keptBytes);
        final byte[] bytes = Objects.requireNonNull(kept, "the executing thread ends before the last verdict");
        mark(bytes);
        reply.answer(MemorySegment.ofArray(bytes), bytes.length);
    }
}
