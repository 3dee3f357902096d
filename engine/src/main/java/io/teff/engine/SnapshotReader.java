package io.teff.engine;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.snapshot.BlockReader;
import io.teff.engine.snapshot.SnapshotLayout;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Reads the blocks of a snapshot into an empty store that nobody else knows yet. Every value is checked before use. */
final class SnapshotReader {
    private final BlockReader reader;
    private final Progress progress;
    private final int nid;
    private final long idEnd;
    private final long chunksExpected;
    private final long payloadExpected;
    private long chunks;
    private long payload;

    /** Reads the head. */
    SnapshotReader(BlockReader reader, Progress progress) throws IOException {
        this.reader = reader;
        this.progress = progress;
        int type = reader.next();
        ByteBuffer head = reader.body();
        require(type == SnapshotLayout.HEAD && head.remaining() == SnapshotLayout.HEAD_BYTES,
            "it is no snapshot's head");
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
            "a count in it is out of range");
    }

    int nid() {
        return nid;
    }

    long chunks() {
        return chunks;
    }

    long payloadBytes() {
        return payload;
    }

    void readInto(Core core) throws IOException {
        AllocStripe stripe = core.acquire();
        try {
            boolean end;
            do {
                end = readBlock(core, stripe);
                progress.at(chunks, chunksExpected);
            } while (!end);
        } finally {
            core.allocStripes.release(stripe);
        }
        core.ids.rebuild(idEnd);
    }

    /** True at the end. */
    private boolean readBlock(Core core, AllocStripe stripe) throws IOException {
        long blocksBefore = reader.blockCount();
        int type = reader.next();
        ByteBuffer body = reader.body();
        switch (type) {
            case SnapshotLayout.IDS -> readIds(core, body);
            case SnapshotLayout.CHUNKS -> readChunks(core, stripe, body);
            case SnapshotLayout.LARGE -> readLarge(core, stripe, body);
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
        require(reader.atEnd(), "something follows the last block");
    }

    // ---- ids ----

    private void readIds(Core core, ByteBuffer body) {
        require(body.remaining() % SnapshotLayout.RUN_BYTES == 0, "its length is wrong");
        while (body.hasRemaining()) {
            long first = body.getLong();
            int count = body.getInt();
            int generation = body.getShort() & 0xFFFF;
            int kind = body.getShort();
            long limit = kind == SnapshotLayout.KIND_RELEASED ? Table.nextPage(idEnd - 1) : idEnd;
            require(first >= 0 && count > 0 && first < limit && count <= limit - first, "ids out of range");
            switch (kind) {
                case SnapshotLayout.KIND_RELEASED -> {
                    require(generation > 0 && generation <= CidLayout.GENERATIONS && Table.nextPage(first - 1) == first
                        && Table.nextPage(first + count - 1) == first + count, "released ids that are no pages");
                    for (long page = first; page < first + count; page = Table.nextPage(page)) {
                        core.own.markReleased(page, generation);
                    }
                }
                case SnapshotLayout.KIND_FREE, SnapshotLayout.KIND_RESERVED, SnapshotLayout.KIND_RETIRED -> {
                    require(generation < CidLayout.GENERATIONS, "generation=" + generation);
                    long word = kind == SnapshotLayout.KIND_FREE ? EntryWord.free(generation, 0)
                        : kind == SnapshotLayout.KIND_RESERVED ? EntryWord.reserved(generation) : EntryWord.retired();
                    for (long index = first; index < first + count; index++) {
                        core.memory.putLong(fresh(core.own, index), word);
                    }
                }
                default -> throw reader.damage("ids of kind " + kind);
            }
        }
    }

    /** Makes the entry of an index that nothing was said of yet. */
    private long fresh(Table table, long index) {
        require(table.entry(index) != Table.NO_ENTRY || table.releasedGeneration(index) == 0,
            "index=" + index + " is in a released page");
        long entry = table.makeEntry(index);
        if (entry == Table.NO_ENTRY) {
            throw full();
        }
        return entry;
    }

    // ---- chunks ----

    private void readChunks(Core core, AllocStripe stripe, ByteBuffer body) {
        while (body.hasRemaining()) {
            require(body.remaining() >= SnapshotLayout.CHUNK_HEAD_BYTES, "a chunk is cut off");
            long cid = body.getLong();
            int length = body.getInt();
            int flags = body.getInt();
            require(length >= 0 && length <= body.remaining(), "chunk " + Cid.toString(cid) + " has length=" + length);
            long address = make(core, stripe, cid, length, flags);
            if (length > 0) {
                core.memory.copyIn(MemorySegment.ofBuffer(body), 0, address, length);
                body.position(body.position() + length);
            }
        }
    }

    private void readLarge(Core core, AllocStripe stripe, ByteBuffer body) throws IOException {
        require(body.remaining() == SnapshotLayout.LARGE_BYTES, "its length is wrong");
        long cid = body.getLong();
        long length = body.getLong();
        int flags = body.getInt();
        require(length > 0 && length <= Limits.CHUNK_BYTES_MAX, "chunk " + Cid.toString(cid) + " has length=" + length);
        long address = make(core, stripe, cid, length, flags);
        for (long done = 0; done < length; ) {
            require(reader.next() == SnapshotLayout.PART, "a part of chunk " + Cid.toString(cid) + " is missing");
            int part = body.remaining();
            require(part > 0 && part <= length - done, "a part of chunk " + Cid.toString(cid) + " is too long");
            core.memory.copyIn(MemorySegment.ofBuffer(body), 0, address + done, part);
            done += part;
            progress.at(chunks, chunksExpected);
        }
    }

    /** Makes room and entry of a chunk. Nobody reads before everything is restored. */
    private long make(Core core, AllocStripe stripe, long cid, long length, int flags) {
        long index = CidLayout.index(cid);
        boolean own = CidLayout.nid(cid) == nid;
        require(CidLayout.nid(cid) <= CidLayout.NID_MAX && index > 0 && (!own || index < idEnd)
            && (flags & ~SnapshotLayout.FLAG_READ_ONLY) == 0, "chunk " + Cid.toString(cid) + " cannot be");
        Table table = core.tables.make(CidLayout.nid(cid));
        long entry = fresh(table, index);
        require(core.memory.getLong(entry) == 0, "chunk " + Cid.toString(cid) + " is there twice");
        long address = core.chunks.allocate(stripe, length);
        if (address == ChunkMemory.FULL) {
            throw full();
        }
        int state = flags == SnapshotLayout.FLAG_READ_ONLY ? EntryWord.READ_ONLY : EntryWord.PLAIN;
        core.memory.putLongRelease(entry,
            EntryWord.chunk(state, CidLayout.generation(cid), ChunkMemory.lengthField(length), address));
        stripe.count(1, length, core.chunks.takenBytes(length));
        if (!own) {
            table.countForeign(index, 1);
        }
        chunks++;
        payload += length;
        return address;
    }

    private static StoreException full() {
        return new StoreException(Category.DEGRADED, "the memory limit is too small for the snapshot");
    }

    private void require(boolean right, String what) {
        if (!right) {
            throw reader.damage(what);
        }
    }
}
