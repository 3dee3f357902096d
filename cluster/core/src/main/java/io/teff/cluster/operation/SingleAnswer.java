package io.teff.cluster.operation;

import static io.teff.cluster.operation.OperationFormat.HEAD_BYTES;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.operation.ZoneHost.Verdict;
import io.teff.engine.Cid;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.FailureText;
import io.teff.engine.zone.ChunkChange;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The answer of an operation on a single chunk. The answer of a change leaves when the host says so. The answer of a
 * read leaves when all changes that the read may have seen are acknowledged; so does the answer of a change that has
 * only found out why the change is impossible. Exactly one of the methods without a result is called, once.
 */
final class SingleAnswer extends HeldAnswer implements Consumer<Verdict> {
    private final ZoneHost host;
    private final OperationRequest request;
    private final Scratch scratch;
    private final boolean isLong;
    private volatile boolean isDeposed;

    /**
     * Begins an answer.
     *
     * @param isLong whether the answer may be longer than {@link OperationFormat#SHORT_BYTES_MAX}
     */
    SingleAnswer(ZoneHost host, HeldBytes bytesHeld, OperationRequest request, boolean isLong, Scratch scratch,
                 Reply reply) {
        super(reply, bytesHeld);
        this.host = host;
        this.request = request;
        this.scratch = scratch;
        this.isLong = isLong;
    }

    /** Returns what is answered. */
    OperationRequest request() {
        return request;
    }

    /** Returns the longest content in bytes. */
    int contentMax() {
        return isLong ? OperationFormat.CONTENT_BYTES_MAX : OperationFormat.SHORT_BYTES_MAX - HEAD_BYTES;
    }

    /** Returns the memory of the answer; the content begins behind the head. */
    Scratch scratch() {
        return scratch;
    }

    @Override
    public void accept(Verdict verdict) {
        if (verdict == Verdict.DEPOSED) {
            isDeposed = true;
        }
        arrived();
    }

    @Override
    void mark(byte[] bytes) {
        if (isDeposed) {
            bytes[0] = OperationFormat.DEPOSED;
        }
    }

    private int zone() {
        return Cid.nid(request.cid);
    }

    // ---- answers that wait for verdicts ----

    /** Answers a change whose record has a number; 0 stands for the last record of the zone. */
    void changed(long result, long number) {
        if (request.type.isLockChange()) {
            recorded(OperationFormat.DONE, result, number);
        } else {
            after(request.level, number, OperationFormat.DONE, result);
        }
    }

    /** Answers a change of a collection, with a value or none; see {@link #changed(long, long)}. */
    void changed(long result, long number, byte @Nullable [] value) {
        final int length = put(value);
        OperationFormat.putAnswerHead(scratch.memory(), OperationFormat.DONE, 0, length, result);
        announce();
        host.afterChange(zone(), number, request.level, this);
        finish(scratch.bytes(), scratch.memory(), HEAD_BYTES + length);
    }

    /** Answers what the disks of all backups must know first, with a content. */
    void settled(byte[] content) {
        final int length = put(content);
        OperationFormat.putAnswerHead(scratch.memory(), OperationFormat.DONE, 0, length, length);
        announce();
        host.afterChange(zone(), 0, WriteLevel.BACKED_SYNCED, this);
        finish(scratch.bytes(), scratch.memory(), HEAD_BYTES + length);
    }

    /** Puts a value behind the head, and returns its length. */
    private int put(byte @Nullable [] value) {
        if (value == null) {
            return 0;
        }
        scratch.ensure(HEAD_BYTES + value.length);
        System.arraycopy(value, 0, scratch.bytes(), HEAD_BYTES, value.length);
        return value.length;
    }

    /** Answers a change of a collection that was sent again, and has not changed anything at its first execution. */
    void unchanged(int code, long result, byte @Nullable [] value) {
        readOfAll(code, result, put(value));
    }

    /** Answers what was read of the whole zone, with a content of a length behind the head. */
    void readOfAll(int code, long result, int length) {
        OperationFormat.putAnswerHead(scratch.memory(), code, 0, length, result);
        announce();
        host.afterReadOfAll(zone(), this);
        finishRead(length);
    }

    /** Answers what a change of a collection has read, with a value or none. */
    void readOf(int code, long result, byte @Nullable [] value, long[] cids) {
        readOf(code, result, put(value), cids);
    }

    /** Answers what was read of chunks, with a content of a length behind the head. */
    void readOf(int code, long result, int length, long[] cids) {
        OperationFormat.putAnswerHead(scratch.memory(), code, 0, length, result);
        announce();
        if (request.isReadAtOwner) {
            host.afterOwnerRead(zone(), this);
        } else {
            host.afterReads(zone(), cids, 0, cids.length, this);
        }
        finishRead(length);
    }

    /** Answers what was read of a collection behind its last change, with a value or none. */
    void readBehind(long number, int code, long result, byte @Nullable [] value) {
        readBehind(number, code, result, put(value));
    }

    /** Answers what was read of a collection behind its last change, with a content of a length behind the head. */
    void readBehind(long number, int code, long result, int length) {
        OperationFormat.putAnswerHead(scratch.memory(), code, 0, length, result);
        announce();
        if (request.isReadAtOwner) {
            host.afterOwnerRead(zone(), this);
        } else {
            host.afterReadBehind(zone(), number, this);
        }
        finishRead(length);
    }

    /** Answers what all backups must know first, whatever the level of the request. */
    void recorded(int code, long result, long number) {
        after(request.level == WriteLevel.OWNER ? WriteLevel.BACKED : request.level, number, code, result);
    }

    private void after(WriteLevel level, long number, int code, long result) {
        OperationFormat.putAnswerHead(scratch.memory(), code, 0, 0, result);
        announce();
        host.afterChange(zone(), number, level, this);
        finish(scratch.bytes(), scratch.memory(), HEAD_BYTES);
    }

    /** Answers what was read, with a content of a length behind the head. */
    void read(int code, long result, int length) {
        OperationFormat.putAnswerHead(scratch.memory(), code, 0, length, result);
        announce();
        if (request.type == OperationType.GROUP) {
            final long[] cids = request.changes().stream().mapToLong(ChunkChange::cid).toArray();
            host.afterReads(zone(), cids, 0, cids.length, this);
        } else if (request.isReadAtOwner) {
            host.afterOwnerRead(zone(), this);
        } else {
            host.afterRead(zone(), request.cid, this);
        }
        finishRead(length);
    }

    private void finishRead(int length) {
        if (length == 0) {
            finish(scratch.bytes(), scratch.memory(), HEAD_BYTES);
        } else {
            finish(scratch.bytes(), scratch.memory(), HEAD_BYTES + length, () -> {
                OperationFormat.putAnswerHead(scratch.memory(), OperationFormat.BUSY, 0, 0, 0);
                return HEAD_BYTES;
            });
        }
    }

    // ---- answers that leave at once ----

    /** Answers with a code alone. */
    void code(int code) {
        leave(code, 0, 0);
    }

    /** Answers that a change of a collection was not made: a later holder has come, or the fence is missing. */
    void fenced(int code) {
        if (code == OperationFormat.FENCED) {
            recorded(code, 0, 0);
        } else {
            code(code);
        }
    }

    /** Answers that the peer does not serve the zone, with the newest row of the zone. */
    void notHere() {
        final ZoneRow row = host.row(zone());
        leave(OperationFormat.NOT_HERE, 0, row == null ? new byte[0] : RowBytes.of(row));
    }

    /** Answers that the store has refused the operation. */
    void refused(StoreException e) {
        final int code = RefusalCode.of(e, host, zone());
        if (code == OperationFormat.REFUSED) {
            leave(code, e.category().ordinal(), FailureText.of(e).getBytes(StandardCharsets.UTF_8));
        } else {
            code(code);
        }
    }

    private void leave(int code, int category, byte[] content) {
        scratch.ensure(HEAD_BYTES + content.length);
        System.arraycopy(content, 0, scratch.bytes(), HEAD_BYTES, content.length);
        leave(code, category, content.length);
    }

    private void leave(int code, int category, int length) {
        OperationFormat.putAnswerHead(scratch.memory(), code, category, length, 0);
        leave(scratch.memory(), HEAD_BYTES + length);
    }
}
