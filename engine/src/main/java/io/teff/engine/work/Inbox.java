package io.teff.engine.work;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The messages that wait for a worker, by step and sender. Thread-safe.
 *
 * <p><b>Once.</b> A batch is named by its step, its sender, the attempt of the sender, and its number in the attempt. A
 * batch that comes twice is taken once. A sender that runs again has a higher attempt: its first batch drops the
 * batches of the earlier attempts, whatever they have been, and later batches of earlier attempts are refused.
 *
 * <p><b>Bound.</b> Batches of all steps together have a bound of bytes, and all inboxes of a node share a further
 * bound; a batch above one of both is refused as FULL.
 */
public final class Inbox {
    /** Outcome of a batch. */
    public enum Verdict {
        /** The batch is here, perhaps from before. */
        TAKEN,
        /** The batch is of an earlier attempt, or of a step that is over. */
        STALE,
        /** There is no room. */
        FULL
    }

    private final long bytesMax;
    private final ByteBudget budget;
    /** By step, then by sender. Guarded by this. */
    private final TreeMap<Long, TreeMap<Integer, Sent>> steps = new TreeMap<>();
    private long bytes;
    /** Batches for earlier steps are stale. */
    private long firstStep;

    /** The batches of one attempt of a sender. */
    private static final class Sent {
        private final int attempt;
        private final TreeMap<Integer, byte[]> batches = new TreeMap<>();

        Sent(int attempt) {
            this.attempt = attempt;
        }

        long bytes() {
            long sum = 0;
            for (byte[] batch : batches.values()) {
                sum += batch.length;
            }
            return sum;
        }
    }

    /**
     * Begins without messages.
     *
     * @param bytesMax most bytes of all batches
     * @param budget bound of all inboxes together
     */
    public Inbox(long bytesMax, ByteBudget budget) {
        this.bytesMax = bytesMax;
        this.budget = budget;
    }

    /**
     * Takes a batch.
     *
     * @param step in which the worker reads the batch
     * @param from worker that has sent the batch
     * @param attempt of the sender
     * @param number of the batch in the attempt, from 0
     * @param batch messages, not changed any more
     * @return what has become of it
     */
    public synchronized Verdict put(long step, int from, int attempt, int number, byte[] batch) {
        if (step < firstStep) {
            return Verdict.STALE;
        }
        final TreeMap<Integer, Sent> senders = steps.computeIfAbsent(step, _ -> new TreeMap<>());
        Sent sent = senders.get(from);
        if (sent != null && attempt < sent.attempt) {
            return Verdict.STALE;
        }
        if (sent == null || attempt > sent.attempt) {
            give(sent == null ? 0 : sent.bytes());
            sent = new Sent(attempt);
            senders.put(from, sent);
        }
        if (sent.batches.containsKey(number)) {
            return Verdict.TAKEN;
        }
        if (bytes + batch.length > bytesMax || !budget.take(batch.length)) {
            return Verdict.FULL;
        }
        bytes += batch.length;
        sent.batches.put(number, batch);
        return Verdict.TAKEN;
    }

    /**
     * Returns the batches of a step, by sender and number, and drops the batches of all earlier steps. The batches stay
     * until {@link #forget}, so that a step can run again.
     *
     * @param step the step that begins
     * @return the batches
     */
    public synchronized List<Batch> open(long step) {
        forget(step);
        final List<Batch> all = new ArrayList<>();
        for (Map.Entry<Integer, Sent> sender : steps.getOrDefault(step, new TreeMap<>()).entrySet()) {
            for (Map.Entry<Integer, byte[]> batch : sender.getValue().batches.entrySet()) {
                all.add(new Batch(sender.getKey(), sender.getValue().attempt, batch.getKey(), batch.getValue()));
            }
        }
        return all;
    }

    /**
     * A batch of messages.
     *
     * @param from worker that has sent the batch
     * @param attempt of the sender
     * @param number of the batch in the attempt
     * @param bytes the messages
     */
    public record Batch(int from, int attempt, int number, byte[] bytes) {}

    /**
     * Drops the batches of the steps before a step; later batches for them are stale.
     *
     * @param step the first step that counts
     */
    public synchronized void forget(long step) {
        firstStep = Math.max(firstStep, step);
        while (!steps.isEmpty() && steps.firstKey() < firstStep) {
            for (Sent sent : steps.pollFirstEntry().getValue().values()) {
                give(sent.bytes());
            }
        }
    }

    private void give(long count) {
        bytes -= count;
        budget.give(count);
    }

    /** Drops all batches; later batches are stale. Idempotent. */
    public void close() {
        forget(Long.MAX_VALUE);
    }

    /** {@return bytes of all batches} */
    public synchronized long bytes() {
        return bytes;
    }

    /**
     * Checks that the count of bytes is the sum of the batches.
     *
     * @throws IllegalStateException if it is not
     */
    public synchronized void audit() {
        long sum = 0;
        for (TreeMap<Integer, Sent> senders : steps.values()) {
            for (Sent sent : senders.values()) {
                sum += sent.bytes();
            }
        }
        if (sum != bytes || bytes > bytesMax) {
            throw new IllegalStateException("an inbox counts " + bytes + " bytes, and has " + sum + " of " + bytesMax);
        }
    }
}
