package io.teff.engine.snapshot;

import io.teff.engine.care.StoreVisitor;
import io.teff.engine.care.StoreWalk;
import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.report.Progress;
import io.teff.engine.report.SnapshotInfo;
import io.teff.engine.report.StoreStats;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Writes a store's ids, its chunks and the map of its memory as blocks, in a quiet moment. */
final class SnapshotWriter implements StoreVisitor<IOException> {
    private final ChunkSpace space;
    private final BlockWriter writer;
    private final Progress progress;
    private final StoreStats stats;
    private final StoreWalk walk;
    private final long chunks;
    private final long payloadBytes;
    private final SnapshotMapWriter map;
    private long chunksWritten;
    private long runFirst;
    private int runCount;
    private int runGeneration;
    private int runKind;

    SnapshotWriter(ChunkSpace space, StoreStats stats, BlockWriter writer, Progress progress) {
        this.space = space;
        this.writer = writer;
        this.progress = progress;
        this.stats = stats;
        this.walk = new StoreWalk(space);
        this.chunks = stats.chunks() - walk.hiddenChunks();
        this.payloadBytes = stats.payloadBytes() - walk.hiddenPayloadBytes();
        this.map = new SnapshotMapWriter(writer);
    }

    SnapshotInfo write() throws IOException {
        writer.body().putLong(SnapshotLayout.MAGIC).putInt(SnapshotLayout.VERSION).putInt(space.own.nid())
            .putLong(space.ids.end()).putLong(chunks).putLong(payloadBytes);
        writer.write(SnapshotLayout.HEAD);
        map.region(space.config.debugLevel(), stats, walk.end());
        writeIds();
        walk.walkTables(this);
        endTables();
        walk.walkMemory(this);
        map.end();
        writer.body().putLong(chunks).putLong(payloadBytes).putLong(writer.blockCount());
        writeBlock(SnapshotLayout.END);
        return new SnapshotInfo(space.own.nid(), chunks, payloadBytes, writer.offset());
    }

    // ---- ids ----

    private void writeIds() throws IOException {
        long end = space.ids.end();
        Table own = space.own;
        for (long page = own.nextKnown(0); page >= 0 && page < end; page = own.nextKnown(Table.nextPage(page))) {
            long next = Table.nextPage(page);
            if (own.entry(page) != Table.NO_ENTRY) {
                for (long index = page; index < Math.min(next, end); index++) {
                    addEntry(index, space.memory.getLong(own.entry(index)));
                }
            } else if (own.releasedGeneration(page) > 0) {
                addRun(page, (int) (next - page), own.releasedGeneration(page), SnapshotLayout.KIND_RELEASED);
            }
        }
        endRun();
        if (!writer.isEmpty()) {
            writer.write(SnapshotLayout.IDS);
        }
    }

    private void addEntry(long index, long word) throws IOException {
        int generation = EntryWord.generation(word);
        switch (EntryWord.state(word)) {
            case EntryWord.FREE -> {
                if (generation > 0) {
                    addRun(index, 1, generation, SnapshotLayout.KIND_FREE);
                }
            }
            case EntryWord.RESERVED -> addRun(index, 1, generation, SnapshotLayout.KIND_RESERVED);
            case EntryWord.RETIRED -> addRun(index, 1, 0, SnapshotLayout.KIND_RETIRED);
            default -> { }                                      // a chunk, which is written later
        }
    }

    private void addRun(long first, int count, int generation, int kind) throws IOException {
        if (runCount > 0 && runFirst + runCount == first && runGeneration == generation && runKind == kind
            && runCount + count > 0) {
            runCount += count;
            return;
        }
        endRun();
        runFirst = first;
        runCount = count;
        runGeneration = generation;
        runKind = kind;
    }

    private void endRun() throws IOException {
        if (runCount > 0) {
            if (writer.body().remaining() < SnapshotLayout.RUN_BYTES) {
                writer.write(SnapshotLayout.IDS);
            }
            writer.body().putLong(runFirst).putInt(runCount).putShort((short) runGeneration).putShort((short) runKind);
            runCount = 0;
        }
    }

    // ---- chunks ----

    @Override
    public void chunk(long cid, boolean readOnly, long address, long length) throws IOException {
        int flags = readOnly ? SnapshotLayout.FLAG_READ_ONLY : 0;
        if (length > SnapshotLayout.BODY_BYTES_MAX - SnapshotLayout.CHUNK_HEAD_BYTES) {
            writeLarge(cid, flags, address, length);
        } else {
            if (writer.body().remaining() < SnapshotLayout.CHUNK_HEAD_BYTES + length) {
                writeBlock(SnapshotLayout.CHUNKS);
            }
            writer.body().putLong(cid).putInt((int) length).putInt(flags);
            putPayload(address, (int) length);
        }
        chunksWritten++;
    }

    private void writeLarge(long cid, int flags, long address, long length) throws IOException {
        if (!writer.isEmpty()) {
            writeBlock(SnapshotLayout.CHUNKS);
        }
        writer.body().putLong(cid).putLong(length).putInt(flags);
        writer.write(SnapshotLayout.LARGE);
        for (long done = 0; done < length; ) {
            int part = (int) Math.min(length - done, SnapshotLayout.BODY_BYTES_MAX);
            putPayload(address + done, part);
            writeBlock(SnapshotLayout.PART);
            done += part;
        }
    }

    // ---- map ----

    @Override
    public void table(int nid, long address, long firstIndex, int chunks, int reserved, int retired)
        throws IOException {
        if (map.table(nid, address, firstIndex, chunks, reserved, retired)) {
            endTables();
        }
    }

    /** Ends the current block of chunks, and writes the table pages buffered so far. */
    private void endTables() throws IOException {
        if (!writer.isEmpty()) {
            writeBlock(SnapshotLayout.CHUNKS);
        }
        map.writeTables();
    }

    @Override
    public void page(long address, int sizeClass, int slotsInUse, int slotsClaimed) throws IOException {
        map.page(address, sizeClass, slotsInUse, slotsClaimed);
    }

    @Override
    public void run(long address, long units) throws IOException {
        map.run(address, units);
    }

    @Override
    public void free(long address, long units, long touchedUnits) throws IOException {
        map.free(address, units, touchedUnits);
    }

    // ---- blocks ----

    private void writeBlock(int type) throws IOException {
        writer.write(type);
        progress.at(chunksWritten, chunks);
    }

    private void putPayload(long address, int length) {
        ByteBuffer body = writer.body();
        if (length > 0) {
            space.memory.copyOut(address, MemorySegment.ofBuffer(body), 0, length);
            body.position(body.position() + length);
        }
    }
}
