package io.teff.engine.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.engine.memory.RegionLayout;
import org.junit.jupiter.api.Test;

/**
 * Goal: the fields of an entry do not overlap, and exactly the transitions of the drawing are legal. Method: every
 * state and generation with the extreme values of length, address and link; a second statement of the transition
 * table.
 */
final class EntryWordTest {
    private static final int[] CREATORS = {0, 1, 255, 256, CidLayout.NID_MAX - 1, CidLayout.NID_MAX};
    private static final int STATES = 8;
    private static final int[] LENGTHS = {0, 1, 2, 1023, 1024, EntryWord.LENGTH_EMBEDDED_MAX,
        EntryWord.LENGTH_IN_FRONT};
    private static final long ADDRESS_MAX = (1L << RegionLayout.ADDRESS_BITS) - 2;
    private static final long[] ADDRESSES = {0, 2, RegionLayout.FIRST_ADDRESS, RegionLayout.FIRST_ADDRESS + 2,
        1L << 31, 1L << 32, 1L << RegionLayout.ADDRESS_BITS - 1, ADDRESS_MAX};
    private static final int[] LINKS = {0, 1, 2, 63, 64, 4095, FreeWord.SLOTS};

    /** Rows: from; columns: to; both FREE, RESERVED, RETIRED, EXCLUSIVE, PLAIN, SHARED, READ_ONLY, READ_ONLY_SHARED. */
    private static final String[] LEGAL = {
        "-x--x-x-",     // FREE
        "x-x-x-x-",     // RESERVED
        "--------",     // RETIRED
        "x-x-xx-x",     // EXCLUSIVE
        "x-xx-xx-",     // PLAIN
        "x-xxx--x",     // SHARED
        "x-x----x",     // READ_ONLY
        "x-x---x-",     // READ_ONLY_SHARED
    };

    @Test
    void moves_everyPairOfStates_followsTheDrawing() {
        for (int from = 0; from < STATES; from++) {
            for (int to = 0; to < STATES; to++) {
                assertEquals(LEGAL[from].charAt(to) == 'x', EntryWord.moves(from, to), from + " to " + to);
            }
        }
    }

    @Test
    void chunk_extremeFields_givesThemBack() {
        forEachChunk((word, state, generation, length, address) -> {
            assertEquals(state, EntryWord.state(word));
            assertEquals(generation, EntryWord.generation(word));
            assertEquals(length, EntryWord.length(word));
            assertEquals(address, EntryWord.address(word));
        });
    }

    @Test
    void withState_everyPair_changesTheStateOnly() {
        forEachChunk((word, state, generation, length, address) -> {
            for (int to = EntryWord.EXCLUSIVE; to < STATES; to++) {
                if (LEGAL[state].charAt(to) == 'x') {
                    assertEquals(EntryWord.chunk(to, generation, length, address), EntryWord.withState(word, to));
                }
            }
        });
    }

    @Test
    void withState_illegalMove_isRefused() {
        for (int from = EntryWord.EXCLUSIVE; from < STATES; from++) {
            long word = EntryWord.chunk(from, 7, 8, RegionLayout.FIRST_ADDRESS);
            for (int to = 0; to < STATES; to++) {
                if (LEGAL[from].charAt(to) != 'x') {
                    int target = to;
                    assertThrows(AssertionError.class, () -> EntryWord.withState(word, target), from + " to " + to);
                }
            }
        }
    }

    @Test
    void withMemory_extremeFields_keepsStateAndGeneration() {
        forEachChunk((word, state, generation, length, address) -> {
            long other = EntryWord.withMemory(word, EntryWord.LENGTH_IN_FRONT - length, ADDRESS_MAX - address);
            assertEquals(EntryWord.chunk(state, generation, EntryWord.LENGTH_IN_FRONT - length, ADDRESS_MAX - address),
                other);
        });
    }

    @Test
    void free_everyGeneration_isNoChunkAndKeepsItsLink() {
        for (int generation = 0; generation < CidLayout.GENERATIONS; generation++) {
            long cid = CidLayout.pack(0, generation, 1);
            for (int link : LINKS) {
                long word = EntryWord.free(generation, link);
                assertEquals(EntryWord.FREE, EntryWord.state(word));
                assertEquals(generation, EntryWord.generation(word));
                assertEquals(link, EntryWord.link(word));
                checkNoChunk(word, cid);
            }
            long reserved = EntryWord.reserved(generation);
            assertEquals(EntryWord.RESERVED, EntryWord.state(reserved));
            assertEquals(generation, EntryWord.generation(reserved));
            checkNoChunk(reserved, cid);
            checkNoChunk(EntryWord.retired(), cid);
        }
        assertEquals(EntryWord.RETIRED, EntryWord.state(EntryWord.retired()));
        assertEquals(0, EntryWord.free(0, 0), "a zeroed page is a page of fresh entries");
    }

    @Test
    void isChunk_everyGenerationPair_needsTheSameGeneration() {
        for (int state = EntryWord.EXCLUSIVE; state < STATES; state++) {
            for (int generation = 0; generation < CidLayout.GENERATIONS; generation++) {
                long word = EntryWord.chunk(state, generation, 1, RegionLayout.FIRST_ADDRESS);
                for (int asked = 0; asked < CidLayout.GENERATIONS; asked++) {
                    long cid = CidLayout.pack(CidLayout.NID_MAX, asked, CidLayout.INDEX_MAX);
                    assertEquals(asked == generation, EntryWord.isChunk(word, cid));
                    assertEquals(asked == generation && state != EntryWord.EXCLUSIVE, EntryWord.isReadable(word, cid));
                    for (int creator : CREATORS) {
                        assertEquals(EntryWord.isReadable(word, cid) && creator == CidLayout.NID_MAX,
                            EntryWord.isReadable(word, cid, CidLayout.creator(creator)));
                    }
                }
            }
        }
    }

    @Test
    void chunk_fieldsOutOfRange_areRefused() {
        assertThrows(AssertionError.class, () -> EntryWord.chunk(EntryWord.RETIRED, 0, 0, 0));
        assertThrows(AssertionError.class, () -> EntryWord.chunk(EntryWord.PLAIN, -1, 0, 0));
        assertThrows(AssertionError.class, () -> EntryWord.chunk(EntryWord.PLAIN, CidLayout.GENERATIONS, 0, 0));
        assertThrows(AssertionError.class, () -> EntryWord.chunk(EntryWord.PLAIN, 0, -1, 0));
        assertThrows(AssertionError.class,
            () -> EntryWord.chunk(EntryWord.PLAIN, 0, EntryWord.LENGTH_IN_FRONT + 1, 0));
        assertThrows(AssertionError.class, () ->
            EntryWord.chunk(EntryWord.PLAIN, 0, 0, RegionLayout.FIRST_ADDRESS + 1));
        assertThrows(AssertionError.class, () -> EntryWord.chunk(EntryWord.PLAIN, 0, 0, ADDRESS_MAX + 2));
        assertThrows(AssertionError.class, () -> EntryWord.chunk(EntryWord.PLAIN, 0, 0, -2));
        assertThrows(AssertionError.class, () -> EntryWord.free(CidLayout.GENERATIONS, 0));
    }

    private static void checkNoChunk(long word, long cid) {
        assertEquals(false, EntryWord.isChunk(word, cid));
        assertEquals(false, EntryWord.isReadable(word, cid));
    }

    /** A check of one combination. */
    @FunctionalInterface
    private interface Check {
        void chunk(long word, int state, int generation, int length, long address);
    }

    private static void forEachChunk(Check check) {
        for (int state = EntryWord.EXCLUSIVE; state < STATES; state++) {
            for (int generation = 0; generation < CidLayout.GENERATIONS; generation++) {
                for (int length : LENGTHS) {
                    for (long address : ADDRESSES) {
                        check.chunk(EntryWord.chunk(state, generation, length, address), state, generation, length,
                            address);
                    }
                }
            }
        }
    }

    @Test
    void isEmbedded_everyLength_isTrueBetweenTheEnds() {
        for (int length = 0; length <= EntryWord.LENGTH_IN_FRONT; length++) {
            long word = EntryWord.chunk(EntryWord.PLAIN, 255, length, length == 0 ? 0 : 1L << 22);
            assertEquals(length >= 1 && length <= EntryWord.LENGTH_EMBEDDED_MAX, EntryWord.isEmbedded(word));
        }
    }
}
