package io.teff.test.reads;

import io.teff.engine.error.Status;
import io.teff.rdma.reads.ChunkReader;
import io.teff.rdma.reads.ChunkRequests;
import io.teff.rdma.reads.ReadStatistics;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Reads chunks of random slots, and checks that each result is one that the chunk had during the read. */
public final class ReadCheck {
    private static final double THOUSAND = 1e3;
    private static final long MEASURE_NS = TimeUnit.SECONDS.toNanos(1);

    private final Truth truth;
    private final SplittableRandom random = new SplittableRandom(71);
    private final MemorySegment target = Arena.ofAuto().allocate(Content.BYTES_MAX, Long.BYTES);
    private long found;
    private long absent;

    /** How a chunk is read. */
    private interface Read {
        long get(long cid, MemorySegment target);
    }

    /** A checker that has read nothing. */
    public ReadCheck(Truth truth) {
        this.truth = truth;
    }

    /**
     * Reads and checks, first by the reader, then for a second by requests alone.
     *
     * @return a line about it
     * @throws AssertionError about the first result that no moment of its read explains
     */
    public String run(ChunkReader reader, ChunkRequests requests, long reads) {
        final long start = System.nanoTime();
        for (long i = 0; i < reads; i++) {
            one((cid, into) -> reader.get(cid, into, 0));
        }
        final double oneSidedNs = (double) (System.nanoTime() - start) / reads;
        final ReadStatistics statistics = reader.statistics();
        final String line = String.format(Locale.ROOT, "%,d reads checked, %,d found, %,d absent; %,d one-sided, of "
            + "these %,d in one round; %,d repeated; %,d by request", reads, found, absent, statistics.oneSided(),
            statistics.oneRound(), statistics.repeated(), statistics.requests());
        final long before = System.nanoTime();
        long asked = 0;
        while (System.nanoTime() - before < MEASURE_NS) {
            one((cid, into) -> requests.get(cid, into, 0).length());
            asked++;
        }
        return line + String.format(Locale.ROOT, "; %.1f K/s, by requests alone %.1f K/s",
            THOUSAND * THOUSAND / oneSidedNs, THOUSAND * THOUSAND * asked / (System.nanoTime() - before));
    }

    /** Reads the chunk of a slot. */
    private void one(Read read) {
        final int slot = random.nextInt(Truth.SLOTS);
        final long done = truth.done(slot);
        final long cid = truth.cid(slot, done);
        if (truth.done(slot) != done) {
            return;                                             // the CID may be that of a later life
        }
        final long length = read.get(cid, target);
        final long begun = truth.begun(slot);
        final String fault = fault(cid, length, done, begun);
        if (!fault.isEmpty()) {
            throw new AssertionError("slot " + slot + ", chunk " + Long.toHexString(cid) + ", steps " + done + " to "
                + begun + ": " + fault);
        }
    }

    private String fault(long cid, long length, long done, long begun) {
        if (length == Status.ABSENT) {
            absent++;
            return Truth.isRemoval(done) || Truth.nextRemoval(done) <= begun ? "" : "a chunk that was there is absent";
        }
        if (length < 0) {
            return Status.name(length);
        }
        found++;
        if (Truth.isRemoval(done)) {
            return "a chunk that was removed is found";
        }
        final String fault = Content.check(target, length, cid);
        final long step = Content.step(target);
        return !fault.isEmpty() ? fault : step < done ? "stale, of step " + step
            : step > begun ? "of step " + step : "";
    }
}
