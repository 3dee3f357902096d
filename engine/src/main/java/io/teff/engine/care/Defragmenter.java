package io.teff.engine.care;

import io.teff.engine.alloc.AllocStripe;
import io.teff.engine.alloc.Evacuation;
import io.teff.engine.alloc.RunMap;
import io.teff.engine.chunk.ChunkMemory;
import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.event.DefragEvent;
import io.teff.engine.report.DefragReport;
import io.teff.engine.table.CidLayout;
import io.teff.engine.table.EntryWord;
import io.teff.engine.table.Table;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Empties sparse pages while all other operations continue.
 *
 * <p>A pass chooses victims ({@link Evacuation}), then walks all table pages once, in order, and moves every chunk that
 * lies in a victim. There are no pointers from memory back to entries, and none are needed: the walk reads 8 bytes per
 * chunk, as a stream. A move is a put of the same content. Inside the chunk's stripe, it allocates new memory, copies
 * the content, and switches the entry; then it frees the old memory. An optimistic reader that overlaps with a move
 * finds its stripe changed, and reads again. A chunk with a lock record (locked, pinned, read by a view) stays.
 */
public final class Defragmenter {
    /** Largest share of slots in use of a page that is worth emptying. */
    private static final double FILL_MAX = 0.98;
    /** Chunks moved between two rests. */
    private static final int MOVES_PER_REST = 16;

    private final ChunkSpace space;
    private final StoreCare care;
    private final ReentrantLock lock = new ReentrantLock();

    public Defragmenter(ChunkSpace space, StoreCare care) {
        this.space = space;
        this.care = care;
    }

    /**
     * Makes one pass; only one may run at a time.
     *
     * @param rest called repeatedly, while the pass holds only its own lock and the victim pages
     */
    public DefragReport run(Runnable rest) {
        care.refuseInside();
        lock.lock();
        DefragEvent event = new DefragEvent();
        event.begin();
        try {
            DefragReport report = new Pass(rest).run();
            event.store = space.config.name();
            event.pages = report.pages();
            event.movedChunks = report.movedChunks();
            event.movedBytes = report.movedBytes();
            event.leftChunks = report.leftChunks();
            event.freedBytes = report.freedBytes();
            event.returnedBytes = report.returnedBytes();
            event.commit();
            return report;
        } finally {
            lock.unlock();
        }
    }

    /** One pass. */
    private final class Pass {
        private final long start = space.seams.platform().clock().nowNs();
        private final Runnable rest;
        private long movedChunks;
        private long movedBytes;
        private long leftChunks;
        private boolean full;

        Pass(Runnable rest) {
            this.rest = rest;
        }

        DefragReport run() {
            space.beginRunning();                                // close waits for the pass, which then ends early
            try {
                space.allocator.abandonIdlePages();              // else slack stays in pages no longer filled
                Evacuation victims = space.allocator.evacuator().begin(FILL_MAX, rest);
                long freedBytes = evacuate(victims);
                long returnedBytes = giveBack();
                return new DefragReport(victims.pageCount(), movedChunks, movedBytes, leftChunks, freedBytes,
                    returnedBytes, space.seams.platform().clock().nowNs() - start);
            } finally {
                space.endRunning();
            }
        }

        /**
         * Gives free units back to the kernel, each step in an allocation stripe: not in a quiet moment, and not after
         * close.
         */
        private long giveBack() {
            RunMap.GiveBack walk = space.runs.giveBack();
            boolean more = true;
            while (more && !space.isClosing()) {
                AllocStripe stripe = space.acquire();
                try {
                    more = walk.step();
                } finally {
                    space.allocStripes.release(stripe);
                }
                rest.run();
            }
            return walk.bytes();
        }

        private long evacuate(Evacuation victims) {
            try {
                if (victims.pageCount() > 0) {
                    for (Table table : space.tables.all()) {
                        scan(table, victims);
                    }
                }
            } catch (Throwable e) {
                endEvacuation(victims);
                throw e;
            }
            return endEvacuation(victims);
        }

        /**
         * Ends the evacuation; returns the freed bytes. If close timed out and did not wait for the pass, the memory of
         * the store is already released, and the result is 0.
         */
        private long endEvacuation(Evacuation victims) {
            return space.stripes.isClosed() ? 0 : space.allocator.evacuator().end(victims, rest);
        }

        private void scan(Table table, Evacuation victims) {
            for (long page = table.nextMade(0); page >= 0 && !full && !space.isClosing();
                 page = table.nextMade(Table.nextPage(page))) {
                for (long index = page; index < Table.nextPage(page) && !full; index++) {
                    long entry = table.entry(index);
                    if (entry == Table.NO_ENTRY) {
                        break;                                  // the page was released meanwhile
                    }
                    long word = space.memory.getLongAcquire(entry);
                    if (EntryWord.state(word) >= EntryWord.EXCLUSIVE && victims.contains(EntryWord.address(word))) {
                        move(CidLayout.pack(table.nid(), EntryWord.generation(word), index), victims);
                        if (movedChunks % MOVES_PER_REST == 0) {
                            rest.run();
                        }
                    }
                }
                rest.run();
            }
        }

        /**
         * Moves a chunk if it still lies in a victim. The walk read the entry outside the stripe, so the entry is
         * checked again.
         */
        private void move(long cid, Evacuation victims) {
            int stripe = space.stripes.of(cid);
            space.stripes.enter(stripe);
            try {
                long word = space.word(cid);
                if (EntryWord.isChunk(word, cid) && victims.contains(EntryWord.address(word))) {
                    moveInside(cid, word);
                }
            } finally {
                space.stripes.leave(stripe);
            }
        }

        private void moveInside(long cid, long word) {
            int state = EntryWord.state(word);
            if (state != EntryWord.PLAIN && state != EntryWord.READ_ONLY) {
                leftChunks++;
                return;
            }
            long length = space.chunks.length(word);
            long address = allocate(length);
            if (address == ChunkMemory.FULL) {
                full = true;
                return;
            }
            space.memory.copy(EntryWord.address(word), address, length);
            space.write(cid, EntryWord.chunk(state, EntryWord.generation(word), EntryWord.length(word), address));
            space.chunks.free(EntryWord.address(word), length);
            movedChunks++;
            movedBytes += length;
        }

        private long allocate(long length) {
            AllocStripe stripe = space.acquire();
            try {
                return space.chunks.allocate(stripe, length);
            } finally {
                space.allocStripes.release(stripe);
            }
        }
    }
}
