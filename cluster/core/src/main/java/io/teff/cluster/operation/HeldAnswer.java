package io.teff.cluster.operation;

import io.teff.cluster.operation.ZoneHost.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An answer that leaves when the host has allowed it for each of its parts, and when the executing thread has finished
 * it. The last of these events sends it: if that is the executing thread, from its own memory, and otherwise from a
 * copy. If there is no memory for the copy of a read, the answer is that the peer is busy. Thread-safe.
 */
final class HeldAnswer {
    private final Reply reply;
    private final HeldBytes bytesHeld;
    /** Events to come, of which the executing thread's own is one. */
    private final AtomicInteger awaited = new AtomicInteger(1);
    /** The copy; its thread has written it before it counts its own event, so the last event sees it. */
    private byte @Nullable [] kept;
    /** Bytes of the copy that count as held. */
    private int keptBytes;
    /** Whether the executing thread has answered instead; written as the copy is. */
    private boolean isRefused;
    private @Nullable Part first;

    /** Part of an answer: a single operation, or a section of a batch. */
    static final class Part implements Consumer<Verdict> {
        private final HeldAnswer answer;
        /** Byte of the answer that has the code of the part. */
        private final int codeAt;
        private volatile boolean isDeposed;
        private @Nullable Part next;

        private Part(HeldAnswer answer, int codeAt) {
            this.answer = answer;
            this.codeAt = codeAt;
        }

        /** Announces one more verdict, which the host gives. */
        Part await() {
            answer.awaited.incrementAndGet();
            return this;
        }

        @Override
        public void accept(Verdict verdict) {
            if (verdict == Verdict.DEPOSED) {
                isDeposed = true;
            }
            if (answer.awaited.decrementAndGet() == 0) {
                answer.leaveKept();
            }
        }
    }

    HeldAnswer(Reply reply, HeldBytes bytesHeld) {
        this.reply = reply;
        this.bytesHeld = bytesHeld;
    }

    /** Adds a part; by the executing thread. */
    Part part(int codeAt) {
        final Part part = new Part(this, codeAt);
        part.next = first;
        first = part;
        return part;
    }

    /** Ends the executing thread's work: the answer leaves now, or with the last verdict. */
    void finish(byte[] bytes, MemorySegment memory, int length) {
        if (awaited.get() > 1) {
            kept = Arrays.copyOf(bytes, length);
            if (awaited.decrementAndGet() == 0) {
                leaveKept();
            }
        } else {
            awaited.set(0);
            bytesHeld.give(keptBytes);                          // the last verdict has come meanwhile
            mark(bytes);
            reply.answer(memory, length);
        }
    }

    /**
     * Does what {@link #finish(byte[], MemorySegment, int)} does for an answer of which nothing is left if it does not
     * leave.
     *
     * @param busy writes the answer that the peer is busy to the memory in place of the other one, and returns its
     *     length
     */
    void finish(byte[] bytes, MemorySegment memory, int length, IntSupplier busy) {
        if (awaited.get() == 1) {
            finish(bytes, memory, length);
        } else if (bytesHeld.take(length)) {
            keptBytes = length;
            finish(bytes, memory, length);
        } else {
            isRefused = true;
            awaited.decrementAndGet();                          // verdicts that are still to come find that
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

    private void mark(byte[] bytes) {
        for (Part part = first; part != null; part = part.next) {
            if (part.isDeposed) {
                bytes[part.codeAt] = OperationFormat.DEPOSED;
            }
        }
    }
}
