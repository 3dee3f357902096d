package io.teff.engine.sequence;

import io.teff.engine.error.Status;
import io.teff.engine.storage.ChunkIndex;
import io.teff.engine.storage.CollectionChunks;

/** A walk over the records of a queue, in copies of its segments. Not thread-safe. */
final class QueueWalk {
    private final QueueChain chain;
    private final CollectionChunks chunks;
    private final QueueBytes copy = new QueueBytes();
    private long segment;
    private int at;
    private int behind;
    private int end;

    QueueWalk(QueueChain chain) {
        this.chain = chain;
        this.chunks = chain.chunks();
        begin(chain.first());
    }

    /** Begins a walk behind a place; at the first record if the segment of the place does not exist any more. */
    static QueueWalk behind(QueueChain chain, long segment, int at) {
        final QueueWalk walk = new QueueWalk(chain);
        if (segment != 0 && segment != walk.segment && new QueueBytes().copy(chain.chunks(), segment)) {
            walk.begin(segment);
        }
        while (walk.segment == segment && walk.behind <= at && walk.behind < walk.end) {
            walk.pass();
        }
        return walk;
    }

    private void pass() {
        behind += QueueLayout.RECORD_BYTES + QueueLayout.length(copy.record(behind));
    }

    /**
     * Copies a segment; if it was removed, all its records were taken, and the walk continues with the first segment.
     */
    private void begin(long cid) {
        segment = cid;
        while (!copy.copy(chunks, segment)) {
            chain.state().checkNotDropped();
            if (segment == chain.first() || chunks.size(segment) != Status.ABSENT) {
                throw ChunkIndex.damaged(chunks, segment, "is not a segment of a queue");
            }
            segment = chain.first();
        }
        behind = copy.from();
        end = copy.end();
    }

    /**
     * Moves to the next record that is not removed; returns false at the end, where {@link #segment} is the last one.
     */
    boolean step() {
        for (;;) {
            at = behind;
            if (at < end) {
                int record = record();
                behind = at + QueueLayout.RECORD_BYTES + QueueLayout.length(record);
                if ((record & QueueLayout.REMOVED) == 0) {
                    return true;
                }
            } else {
                long next = copy.next();
                if (next == 0) {
                    return false;
                }
                begin(next);
            }
        }
    }

    // ---- the current record ----

    long segment() {
        return segment;
    }

    /** Returns the offset of the record in its segment. */
    int at() {
        return at;
    }

    int record() {
        return copy.record(at);
    }

    /** Returns the array that contains the record's bytes. */
    byte[] bytes() {
        return copy.bytes();
    }

    /** Returns the index of the record's first byte in the array. */
    int from() {
        return at + QueueLayout.RECORD_BYTES;
    }
}
