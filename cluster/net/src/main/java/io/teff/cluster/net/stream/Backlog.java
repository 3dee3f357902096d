package io.teff.cluster.net.stream;

import io.teff.cluster.net.ring.SendStream;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;

/**
 * Frames waiting for room in the stream to a node while no thread waits with them: answers, and rests of messages whose
 * senders have returned. The agent puts the frames, answers first, because messages cannot take the credit for answers.
 *
 * <p>A waiting answer keeps the credit of its request. Answers may be much longer than their requests, so while a
 * window's worth of answer bytes waits, incoming requests are deferred as well. While as many bytes of messages wait,
 * the next message without room is cut off in the middle.
 *
 * <p>Thread-safe; {@link #putAll} is the agent's.
 */
final class Backlog {
    /** Deferred requests resumed in one turn. */
    private static final int TURN = 64;
    /** Estimated heap bytes of a waiting answer besides the payload. */
    private static final int OVERHEAD_BYTES = 128;

    /**
     * Rests of answers. Further long answers cannot begin before some of these answers have ended, so begun answers go
     * first.
     */
    private final Queue<Waiting> begunAnswers = new ConcurrentLinkedQueue<>();
    private final Queue<Waiting> answers = new ConcurrentLinkedQueue<>();
    private final Queue<Waiting> messages = new ConcurrentLinkedQueue<>();
    private final Queue<DeferredRequest> requests = new ConcurrentLinkedQueue<>();
    /**
     * Bounded by the number of open requests in the stream: withdrawals wait only while the stream takes no more
     * frames.
     */
    private final Queue<Withdrawal> withdrawals = new ConcurrentLinkedQueue<>();
    private final AtomicLong answerBytes = new AtomicLong();
    private final AtomicLong messageBytes = new AtomicLong();
    /** The size of a window, for answers and for messages. */
    private final long bytesMax;

    /**
     * A message waiting for room, and the credit waiting with the message.
     *
     * @param message to be put
     * @param bytes occupied by the message
     * @param taken credit of the answered request, if the message is an answer
     */
    private record Waiting(OutgoingMessage message, int bytes, long taken) {}

    /**
     * The end of a request given up by its caller.
     *
     * @param type of the request
     * @param correlation of the request
     */
    private record Withdrawal(int type, long correlation) {}

    Backlog(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Adds a message. The message owns its bytes. */
    void add(OutgoingMessage message, long taken) {
        final Waiting waiting = new Waiting(message, OVERHEAD_BYTES + message.size(), taken);
        if (message.isAnswer()) {
            answerBytes.addAndGet(waiting.bytes);
            (message.isBegun() ? begunAnswers : answers).add(waiting);
        } else {
            messageBytes.addAndGet(waiting.bytes);
            messages.add(waiting);
        }
    }

    /** Adds the withdrawal of a request already in the stream. */
    void withdraw(int type, long correlation) {
        withdrawals.add(new Withdrawal(type, correlation));
    }

    /** Returns whether withdrawals wait, so that further withdrawals queue up behind them. */
    boolean hasWithdrawals() {
        return !withdrawals.isEmpty();
    }

    /** Returns whether the limit of waiting rests of messages is reached. */
    boolean isFullOfMessages() {
        return messageBytes.get() >= bytesMax;
    }

    /** Returns whether the bytes of waiting answers are above the limit, so that further requests are deferred. */
    boolean isFull() {
        return answerBytes.get() >= bytesMax;
    }

    /** Defers a request until the backlog is not full any more. */
    void hold(DeferredRequest request) {
        requests.add(request);
    }

    /** Returns whether answers wait. */
    boolean hasAnswers() {
        return !begunAnswers.isEmpty() || !answers.isEmpty();
    }

    /** Returns whether rests of messages wait. */
    boolean hasMessages() {
        return !messages.isEmpty();
    }

    /** Returns the number of waiting answers and messages, without ended requests. */
    long count(LongPredicate isEnded) {
        return begunAnswers.size() + answers.size()
            + messages.stream().filter(it -> it.message.isBegun() && !it.message.isRequest(isEnded)).count();
    }

    /** Returns whether answers, messages or withdrawals wait. */
    boolean hasAny() {
        return hasAnswers() || hasMessages() || hasWithdrawals();
    }

    /** Returns whether nothing can continue without room, credit or memory. */
    boolean isWaiting() {
        return requests.isEmpty() || isFull() || hasAnswers();
    }

    boolean isEmpty() {
        return !hasAny() && requests.isEmpty();
    }

    /**
     * Puts messages while there is room; messages of an ended session are dropped. {@value #TURN} deferred requests
     * resume for each answer put, and as many more when no answer waits: if all deferred requests resumed at once, most
     * would be deferred again.
     */
    void putAll(MessageTarget to) {
        int turn = putAnswers(begunAnswers, to);
        turn += putAnswers(answers, to);
        Withdrawal withdrawal = withdrawals.peek();
        while (withdrawal != null && to.putWithdrawn(withdrawal.type, withdrawal.correlation) != SendStream.FULL) {
            withdrawals.poll();
            withdrawal = withdrawals.peek();
        }
        for (Waiting next = messages.peek(); next != null && put(next, to); next = messages.peek()) {
            messages.poll();
            messageBytes.addAndGet(-next.bytes);
        }
        if (requests.isEmpty()) {
            return;
        }
        for (int i = hasAnswers() ? 0 : -TURN; i < turn && !isFull(); i++) {
            final DeferredRequest next = requests.poll();
            if (next == null) {
                return;
            }
            next.resume();
        }
    }

    private int putAnswers(Queue<Waiting> queue, MessageTarget to) {
        int turn = 0;
        for (Waiting next = queue.peek(); next != null && put(next, to); next = queue.peek()) {
            queue.poll();
            answerBytes.addAndGet(-next.bytes);
            turn += TURN;
        }
        return turn;
    }

    private static boolean put(Waiting next, MessageTarget to) {
        if (next.message.put(to) == SendStream.FULL) {
            return false;
        }
        to.consumed(next.taken);
        return true;
    }

    /** Adds the waiting bytes; the backlog keeps the credit of requests. */
    void addTo(RetainedBytes held) {
        for (Queue<Waiting> queue : List.of(begunAnswers, answers, messages)) {
            queue.forEach(it -> held.creditBytes += it.taken);
        }
        requests.forEach(it -> it.addTo(held));
        held.answerBytes += answerBytes.get();
        held.messageBytes += messageBytes.get();
    }

    /**
     * Recomputes the sums, and checks that each begun message is in the backlog, within the limits; while no thread
     * puts.
     *
     * @param begunMessageCount begun and not ended messages of the session
     * @param begunAnswerCount begun and not ended answers of the session
     */
    void audit(int begunMessageCount, int begunAnswerCount) {
        long bytes = 0;
        int rests = 0;
        for (Queue<Waiting> queue : List.of(begunAnswers, answers)) {
            for (Waiting waiting : queue) {
                bytes += waiting.bytes;
                rests += waiting.message.isBegun() ? 1 : 0;
            }
        }
        final long messagesBytes = messages.stream().mapToLong(Waiting::bytes).sum();
        if (bytes != answerBytes.get() || messagesBytes != messageBytes.get() || rests != begunAnswerCount
            || messages.stream().filter(it -> it.message.isBegun()).count() != begunMessageCount
            || Math.max(begunAnswerCount, begunMessageCount) > FragmentTable.COUNT_MAX) {
            throw new IllegalStateException("late: answers of " + answerBytes + " bytes, counted " + bytes
                + ", messages of " + messageBytes + ", counted " + messagesBytes + "; " + rests
                + " rests of " + begunAnswerCount + " begun answers, " + messages.size() + " of " + begunMessageCount
                + " messages");
        }
    }
}
