package io.teff.cluster.net.stream;

import io.teff.cluster.net.ring.SendStream;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What waits for room in the stream to a node, as nobody waits for it there: answers, and rests of messages whose
 * senders go on. The agent puts them, answers first, for they need no credit that messages could keep from them.
 *
 * <p>Answers keep the credit of their requests while they wait. They may be much longer than these, so while as many
 * bytes wait as a window has, requests that are to be handled wait, too. Where rests of messages have as many, the next
 * message that finds no room ends in the middle.
 *
 * <p>Thread-safe; {@link #putAll} is the agent's.
 */
final class Backlog {
    /** So many requests at once go on. */
    private static final int TURN = 64;
    /** What keeps an answer, beside its bytes, and about as many of them. */
    private static final int OVERHEAD_BYTES = 128;

    /** Rests of answers: others may not begin before some of these have ended, so they go first. */
    private final Queue<Waiting> begunAnswers = new ConcurrentLinkedQueue<>();
    private final Queue<Waiting> answers = new ConcurrentLinkedQueue<>();
    private final Queue<Waiting> messages = new ConcurrentLinkedQueue<>();
    private final Queue<DeferredRequest> requests = new ConcurrentLinkedQueue<>();
    private final AtomicLong answerBytes = new AtomicLong();
    private final AtomicLong messageBytes = new AtomicLong();
    /** As many as a window has: then no more requests are handled, and no more messages have rests. */
    private final long bytesMax;

    /**
     * What waits for room, and with it credit.
     *
     * @param message what is to be put
     * @param bytes that it takes
     * @param taken credit of the request that it answers
     */
    private record Waiting(OutgoingMessage message, int bytes, long taken) {}

    Backlog(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** A message waits, with bytes of its own. */
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

    /** Whether so many rests of messages wait that there may be no further one. */
    boolean isFullOfMessages() {
        return messageBytes.get() >= bytesMax;
    }

    /** Whether so much waits that no further request is to be handled. */
    boolean isFull() {
        return answerBytes.get() >= bytesMax;
    }

    /** A request waits until it is not full any more. */
    void hold(DeferredRequest request) {
        requests.add(request);
    }

    /** Whether answers wait. */
    boolean hasAnswers() {
        return !begunAnswers.isEmpty() || !answers.isEmpty();
    }

    /** Whether messages wait that are no answers. */
    boolean hasMessages() {
        return !messages.isEmpty();
    }

    /** How many answers and messages wait. */
    int count() {
        return begunAnswers.size() + answers.size() + messages.size();
    }

    /** Whether nothing can go on before there is room, credit or memory. */
    boolean isWaiting() {
        return requests.isEmpty() || isFull() || hasAnswers();
    }

    boolean isEmpty() {
        return !hasAnswers() && messages.isEmpty() && requests.isEmpty();
    }

    /**
     * Puts what there is room for; of a session that has ended nobody will know. Some requests go on for each answer
     * that leaves, and more when there is none: all of them at once would mostly come back.
     */
    void putAll(MessageTarget to) {
        int turn = putAnswers(begunAnswers, to);
        turn += putAnswers(answers, to);
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

    private int putAnswers(Queue<Waiting> those, MessageTarget to) {
        int turn = 0;
        for (Waiting next = those.peek(); next != null && put(next, to); next = those.peek()) {
            those.poll();
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

    /** Adds what waits: it keeps the credit of requests. */
    void addTo(RetainedBytes held) {
        for (Queue<Waiting> its : List.of(begunAnswers, answers, messages)) {
            its.forEach(it -> held.creditBytes += it.taken);
        }
        requests.forEach(it -> it.addTo(held));
        held.answerBytes += answerBytes.get();
        held.messageBytes += messageBytes.get();
    }

    /**
     * Recomputes its sums, and looks whether what has begun to leave is here and keeps to its bounds; while nobody
     * puts.
     *
     * @param begunMessageCount messages of the session that have begun, and have not ended
     * @param begunAnswerCount the same of answers
     */
    void audit(int begunMessageCount, int begunAnswerCount) {
        long bytes = 0;
        int rests = 0;
        for (Queue<Waiting> its : List.of(begunAnswers, answers)) {
            for (Waiting it : its) {
                bytes += it.bytes;
                rests += it.message.isBegun() ? 1 : 0;
            }
        }
        final long messagesBytes = messages.stream().mapToLong(Waiting::bytes).sum();
        if (bytes != answerBytes.get() || messagesBytes != messageBytes.get() || rests != begunAnswerCount
            || messages.size() != begunMessageCount
            || Math.max(begunAnswerCount, begunMessageCount) > FragmentTable.COUNT_MAX) {
            throw new IllegalStateException("late: answers of " + answerBytes + " bytes, counted " + bytes
                + ", messages of " + messageBytes + ", counted " + messagesBytes + "; " + rests
                + " rests of " + begunAnswerCount + " begun answers, " + messages.size() + " of " + begunMessageCount
                + " messages");
        }
    }
}
