package io.teff.recovery.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.engine.Cid;
import io.teff.engine.journal.ChunkRestorer;
import io.teff.recovery.format.ChainLink;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.ZoneId;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Goal: chains that arrive in any order hold memory only as long as they may still count. */
final class ZoneRestoreTest {
    private static final int LINKS = 2;
    private static final long CID = Cid.of(3, 77);
    /** The same index with another generation. */
    private static final long NEXT = Cid.of(3, 1L << 40 | 77);
    private static final long OTHER = Cid.of(3, 78);

    private final Chunks chunks = new Chunks();
    private final ZoneRestore restore = new ZoneRestore(chunks, new ZoneId(3, 0));

    /** Records the chunks made, and the pieces that hold memory. */
    private static final class Chunks implements ChunkRestorer {
        private final List<String> made = new ArrayList<>();
        private int open;

        @Override
        public void put(long cid, boolean isReadOnly, MemorySegment source, long offset, long length) {
            made.add("put " + Cid.toString(cid));
        }

        @Override
        public Pieces begin(long length) {
            open++;
            return new Pieces() {
                @Override
                public void write(long at, MemorySegment source, long offset, long bytes) { }

                @Override
                public void put(long cid, boolean isReadOnly) {
                    open--;
                    made.add("chain " + Cid.toString(cid));
                }

                @Override
                public void discard() {
                    open--;
                }
            };
        }

        @Override
        public void removed(long cid) {
            made.add("removed " + Cid.toString(cid));
        }

        @Override
        public void reserved(long cid) {
            made.add("reserved " + Cid.toString(cid));
        }
    }

    private void link(long cid, long sequence, int number) {
        MemorySegment bytes = MemorySegment.ofArray(new long[16]);
        ChainLink.writeHead(bytes, 0, number, LINKS * (long) ChainLink.PIECE_BYTES);
        restore.entry(cid, sequence, 3, 0, EntryKind.LINK, bytes, 0, 128);
    }

    private void entry(long cid, long sequence, int kind) {
        restore.entry(cid, sequence, 3, 0, kind, MemorySegment.ofArray(new byte[1]), 0, 0);
    }

    @Test
    void chain_thatIsOutdatedBeforeItIsWhole_isLetGoAtOnce() {
        int others = 0;
        for (int kind : new int[] {EntryKind.PUT, EntryKind.REMOVED, EntryKind.RESERVED}) {
            long cid = kind == EntryKind.PUT ? NEXT : CID;
            link(CID, 10 * kind, 0);
            link(CID, 10 * kind + 1, 1);
            link(OTHER, 10 * kind, 0);
            others++;
            assertEquals(2, chunks.open - others, "kind " + kind);
            entry(cid, 10 * kind + 5, kind);
            assertEquals(0, chunks.open - others, "kind " + kind);
            link(CID, 10 * kind, 1);
            assertEquals(0, chunks.open - others, "what is outdated begins again");
        }
    }

    /** An older chain counts until a newer one is complete. */
    @Test
    void chain_besideANewerOne_isLetGoWhenThatIsWhole() {
        link(CID, 10, 0);
        link(NEXT, 20, 1);
        assertEquals(2, chunks.open);
        link(CID, 30, 0);
        link(NEXT, 20, 0);
        assertEquals(1, chunks.open, "only the newest one is not whole");
        assertEquals(List.of("chain " + Cid.toString(NEXT)), chunks.made);
        link(CID, 10, 1);
        assertEquals(1, chunks.open);
        restore.end();
        assertEquals(0, chunks.open);
        restore.end();
        assertEquals(1, chunks.made.size());
    }
}
