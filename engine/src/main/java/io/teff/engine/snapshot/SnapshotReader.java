package io.teff.engine.snapshot;

import io.teff.engine.config.Limits;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.Table;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads the blocks of a snapshot from front to end, and passes their content to a {@link SnapshotContent}. Every value
 * is checked before use.
 */
final class SnapshotReader {
    /** Called after each block. */
    @FunctionalInterface
    interface Step {
        void done() throws IOException;
    }

    private final BlockReader reader;
    private final int nid;
    private final long idEnd;
    private final long chunksExpected;
    private final long payloadExpected;
    private long chunks;
    private long payload;

    /** Creates a reader of a file, and reads the head. */
    SnapshotReader(BlockReader reader) throws IOException {
        this.reader = reader;
        int type = reader.next();
        ByteBuffer head = reader.body();
        require(type == SnapshotLayout.HEAD && head.remaining() == SnapshotLayout.HEAD_BYTES,
            "it is not a snapshot's head");
        require(head.getLong() == SnapshotLayout.MAGIC, "its magic is not a snapshot's");
        int version = head.getInt();
        require(version == SnapshotLayout.VERSION, "its version is " + version + ", this program reads "
            + SnapshotLayout.VERSION);
        nid = head.getInt();
        idEnd = head.getLong();
        chunksExpected = head.getLong();
        payloadExpected = head.getLong();
        require(nid >= 0 && nid <= CidLayout.NID_MAX, "nid=" + nid);
        require(idEnd > 0 && idEnd <= CidLayout.INDEX_MAX + 1 && chunksExpected >= 0 && payloadExpected >= 0,
            "a count in the head is out of range");
    }

    int nid() {
        return nid;
    }

    /** Returns one more than the highest index that the store's own table has used. */
    long idEnd() {
        return idEnd;
    }

    /** Returns the number of chunks read so far. */
    long chunks() {
        return chunks;
    }

    /** Returns the number of chunks that the head announces. */
    long chunksExpected() {
        return chunksExpected;
    }

    /** Returns the bytes of payload read so far. */
    long payloadBytes() {
        return payload;
    }

    /** Reads to the end of the file. */
    void read(SnapshotContent content, Step step) throws IOException {
        boolean end;
        do {
            end = readBlock(content, step);
            step.done();
        } while (!end);
    }

    /** Reads a block; returns true if it was the last one. */
    private boolean readBlock(SnapshotContent content, Step step) throws IOException {
        long blocksBefore = reader.blockCount();
        int type = reader.next();
        ByteBuffer body = reader.body();
        switch (type) {
            case SnapshotLayout.IDS -> readIds(content, body);
            case SnapshotLayout.CHUNKS -> readChunks(content, body);
            case SnapshotLayout.LARGE -> readLarge(content, body, step);
            case SnapshotLayout.MAP -> {
                require(body.remaining() % MapLayout.RECORD_BYTES == 0, "its length is wrong");
                content.map(body);
            }
            case SnapshotLayout.END -> {
                readEnd(body, blocksBefore);
                return true;
            }
            default -> throw reader.damage("a block of type " + type + " does not belong here");
        }
        return false;
    }

    private void readEnd(ByteBuffer body, long blocksBefore) throws IOException {
        require(body.remaining() == SnapshotLayout.END_BYTES, "its length is wrong");
        require(body.getLong() == chunks && chunks == chunksExpected, "the count of chunks is not " + chunks);
        require(body.getLong() == payload && payload == payloadExpected, "the sum of lengths is not " + payload);
        require(body.getLong() == blocksBefore, "blocks are missing in front of it");
        require(reader.atEnd(), "bytes follow the last block");
    }

    private void readIds(SnapshotContent content, ByteBuffer body) {
        require(body.remaining() % SnapshotLayout.RUN_BYTES == 0, "its length is wrong");
        while (body.hasRemaining()) {
            long first = body.getLong();
            int count = body.getInt();
            int generation = body.getShort() & 0xFFFF;
            int kind = body.getShort();
            long limit = kind == SnapshotLayout.KIND_RELEASED ? Table.nextPage(idEnd - 1) : idEnd;
            require(first >= 0 && count > 0 && first < limit && count <= limit - first, "ids out of range");
            if (kind == SnapshotLayout.KIND_RELEASED) {
                require(generation > 0 && generation <= CidLayout.GENERATIONS && Table.nextPage(first - 1) == first
                    && Table.nextPage(first + count - 1) == first + count, "released ids that are not pages");
            } else {
                require(kind >= SnapshotLayout.KIND_FREE && kind <= SnapshotLayout.KIND_RETIRED, "ids of kind " + kind);
                require(generation < CidLayout.GENERATIONS, "generation=" + generation);
            }
            content.ids(first, count, generation, kind);
        }
    }

    private void readChunks(SnapshotContent content, ByteBuffer body) {
        while (body.hasRemaining()) {
            require(body.remaining() >= SnapshotLayout.CHUNK_HEAD_BYTES, "a chunk is cut off");
            long cid = body.getLong();
            int length = body.getInt();
            int flags = body.getInt();
            if (length < 0 || length > body.remaining()) {
                throw reader.damage("chunk " + CidLayout.toString(cid) + " has length=" + length);
            }
            passChunk(content, cid, length, flags);
            int end = body.position() + length;
            content.payload(body, length);
            body.position(end);
        }
    }

    private void readLarge(SnapshotContent content, ByteBuffer body, Step step) throws IOException {
        require(body.remaining() == SnapshotLayout.LARGE_BYTES, "its length is wrong");
        long cid = body.getLong();
        long length = body.getLong();
        int flags = body.getInt();
        require(length > 0 && length <= Limits.CHUNK_BYTES_MAX, "chunk " + CidLayout.toString(cid) + " has length="
            + length);
        passChunk(content, cid, length, flags);
        for (long left = length; left > 0; ) {
            require(reader.next() == SnapshotLayout.PART, "a part of chunk " + CidLayout.toString(cid) + " is missing");
            int part = body.remaining();
            require(part > 0 && part <= left, "a part of chunk " + CidLayout.toString(cid) + " is too long");
            content.payload(body, part);
            left -= part;
            step.done();
        }
    }

    /** Checks the head of a chunk, and passes it to the content. */
    private void passChunk(SnapshotContent content, long cid, long length, int flags) {
        long index = CidLayout.index(cid);
        boolean own = CidLayout.nid(cid) == nid;
        if (CidLayout.nid(cid) > CidLayout.NID_MAX || own && (index == 0 || index >= idEnd)
            || (flags & ~SnapshotLayout.FLAG_READ_ONLY) != 0) {
            throw reader.damage("chunk " + CidLayout.toString(cid) + " has an invalid CID or flags");
        }
        content.chunk(cid, length, flags == SnapshotLayout.FLAG_READ_ONLY);
        chunks++;
        payload += length;
    }

    private void require(boolean isValid, String damage) {
        if (!isValid) {
            throw reader.damage(damage);
        }
    }
}
