package io.teff.rdma.reads;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.offer.MemoryOffer;
import io.teff.engine.offer.OfferLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: a reader takes what the chunk has, or reads again, or asks. Method: a memory that does each read at once, and
 * changes of the store between two chosen reads.
 */
final class ChunkReaderTest {
    private static final Runnable NOTHING = () -> { };
    private static final int PAGE_ENTRIES = 4096;

    private final Store store = Store.open(StoreConfig.builder().memoryLimitBytes(64 << 20)
        .lockTimeoutNs(1_000_000).build());
    private final MemoryOffer offer = MemoryOffer.of(store);
    private final LocalMemory memory = new LocalMemory(offer);
    private final ChunkReader reader = new ChunkReader(memory, (cid, target, offset) ->
        new ChunkRequests.Answer(store.get(cid, target, offset), offer.place(cid)));
    private final MemorySegment target = Arena.ofAuto().allocate(1 << 20);

    @AfterEach
    void close() {
        offer.close();
        if (store.isOpen()) {
            store.audit();
            store.close();
        }
    }

    private static byte[] bytes(int length, int seed) {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (seed + i * 31);
        }
        return bytes;
    }

    private byte[] get(long cid) {
        final long length = reader.get(cid, target, 0);
        assertTrue(length >= 0, () -> Status.name(length));
        return target.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    }

    private void assertStatistics(long oneSided, long oneRound, long repeated, long requests) {
        assertEquals(new ReadStatistics(oneSided, oneRound, repeated, requests), reader.statistics());
    }

    // ---- what is read how ----

    @Test
    void get_again_needsOneRound() {
        final long cid = store.create(bytes(100, 1));
        assertArrayEquals(bytes(100, 1), get(cid));
        assertStatistics(0, 0, 0, 1);
        assertArrayEquals(bytes(100, 1), get(cid));
        assertStatistics(1, 0, 0, 1);
        final int rounds = memory.rounds();
        assertArrayEquals(bytes(100, 1), get(cid));
        assertStatistics(2, 1, 0, 1);
        assertEquals(1, memory.rounds() - rounds);
    }

    @Test
    void get_chunkOfAKnownPage_needsNoRequest() {
        final long first = store.create(bytes(8, 1));
        final long second = store.create(bytes(9, 2));
        get(first);
        assertArrayEquals(bytes(9, 2), get(second));
        assertStatistics(1, 0, 0, 1);
    }

    @Test
    void get_allLengths_areRight() {
        for (int length : new int[] {0, 1, 7, 8, 63, 2046, 2047, 2048, 4000, OfferLayout.LENGTH_MAX}) {
            final long cid = store.create(bytes(length, length));
            for (int i = 0; i < 3; i++) {
                assertArrayEquals(bytes(length, length), get(cid), "length " + length);
            }
        }
        assertEquals(1, reader.statistics().requests());
    }

    @Test
    void get_longerThanTheLimit_isAlwaysAskedFor() {
        final long cid = store.create(bytes(OfferLayout.LENGTH_MAX + 1, 3));
        for (int i = 0; i < 3; i++) {
            assertArrayEquals(bytes(OfferLayout.LENGTH_MAX + 1, 3), get(cid));
        }
        assertStatistics(0, 0, 0, 3);
    }

    @Test
    void get_smallTarget_isTooSmall() {
        final long cid = store.create(bytes(100, 1));
        final MemorySegment small = Arena.ofAuto().allocate(99);
        for (int i = 0; i < 3; i++) {
            assertEquals(Status.TOO_SMALL, reader.get(cid, small, 0));
        }
    }

    @Test
    void get_heldExclusively_isAskedFor() {
        final long cid = store.create(bytes(100, 1));
        get(cid);
        CompletableFuture.runAsync(() -> store.locks().lockWrite(cid, 0)).join();
        assertEquals(Status.LOCKED, reader.get(cid, target, 0));
        assertStatistics(0, 0, 0, 2);
        store.locks().releaseEnded(cid);
    }

    // ---- changes between reads ----

    @Test
    void get_changedBefore_isTheNewContent() {
        final long cid = store.create(bytes(100, 1));
        for (int seed = 2; seed < 20; seed++) {
            get(cid);
            store.put(cid, bytes(seed % 3 == 0 ? 100 : 50 + seed, seed));
            assertArrayEquals(bytes(seed % 3 == 0 ? 100 : 50 + seed, seed), get(cid));
        }
        assertEquals(1, reader.statistics().requests());
    }

    @Test
    void get_changedBetweenAnyTwoReads_isNeitherTornNorStale() {
        for (int between = 0; between < 12; between++) {
            for (boolean isKnown : new boolean[] {false, true}) {
                final long cid = store.create(bytes(100, 1));
                get(cid);
                if (isKnown) {
                    get(cid);
                }
                final Runnable[] actions = new Runnable[between + 1];
                Arrays.fill(actions, NOTHING);
                actions[between] = () -> store.put(cid, bytes(100, 2));
                memory.beforeReads(actions);
                final byte[] found = get(cid);
                assertTrue(Arrays.equals(bytes(100, 2), found) || Arrays.equals(bytes(100, 1), found),
                    "torn, changed before read " + between);
                if (between < 2) {
                    assertArrayEquals(bytes(100, 2), found, "stale, changed before read " + between);
                }
            }
        }
    }

    @Test
    void get_changedDuringTheCopy_isReadAgain() {
        final long cid = store.create(bytes(100, 1));
        get(cid);
        get(cid);
        memory.beforeReads(NOTHING, () -> store.put(cid, bytes(100, 2)));
        assertArrayEquals(bytes(100, 2), get(cid));             // the payload was read before the change
        assertStatistics(2, 0, 1, 1);
    }

    @Test
    void get_changedInTheMiddleOfTheCopy_isNotTorn() {
        for (boolean isKnown : new boolean[] {false, true}) {
            final long cid = store.create(bytes(100, 1));
            get(cid);
            if (isKnown) {
                get(cid);
            }
            memory.inTheMiddle(() -> store.put(cid, bytes(100, 2)));
            assertArrayEquals(bytes(100, 2), get(cid), "the entry was known: " + isKnown);
        }
        assertEquals(2, reader.statistics().repeated());
    }

    @Test
    void get_changedWithoutEnd_isAskedFor() {
        final long cid = store.create(bytes(100, 1));
        get(cid);
        final Runnable[] changes = new Runnable[1000];
        Arrays.fill(changes, (Runnable) () -> store.put(cid, bytes(100, 3)));
        memory.beforeReads(changes);
        assertArrayEquals(bytes(100, 3), get(cid));
        assertStatistics(0, 0, 8, 2);
    }

    // ---- ends of chunks ----

    @Test
    void get_removed_isAbsent_andSoIsItsIndexUsedAgain() {
        final long cid = store.create(bytes(100, 1));
        get(cid);
        get(cid);
        store.remove(cid);
        assertEquals(Status.ABSENT, reader.get(cid, target, 0));
        long next = store.create(bytes(100, 2));
        for (int i = 0; i < 2 * PAGE_ENTRIES && (next & 0xFF_FFFF_FFFFL) != (cid & 0xFF_FFFF_FFFFL); i++) {
            store.remove(next);
            next = store.create(bytes(100, 2));
        }
        assertEquals(Status.ABSENT, reader.get(cid, target, 0));
        assertArrayEquals(bytes(100, 2), get(next));
    }

    @Test
    void get_removedDuringTheRead_isAbsentOrWasThere() {
        for (int between = 0; between < 8; between++) {
            final long cid = store.create(bytes(100, 1));
            get(cid);
            final Runnable[] actions = new Runnable[between + 1];
            Arrays.fill(actions, NOTHING);
            actions[between] = () -> {
                store.remove(cid);
                store.create(bytes(100, 2));                    // takes the memory
            };
            memory.beforeReads(actions);
            final long length = reader.get(cid, target, 0);
            if (length != Status.ABSENT) {
                assertArrayEquals(bytes(100, 1), target.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
                assertTrue(between >= 1, "removed before the first read");
            }
        }
    }

    /** Creates chunks in some table pages, lets the reader know the pages, and returns all CIDs. */
    private long[] fillPages() {
        final long[] cids = new long[3 * PAGE_ENTRIES];
        for (int i = 0; i < cids.length; i++) {
            cids[i] = store.create(bytes(8, i));
        }
        for (int i = 0; i < cids.length; i += PAGE_ENTRIES / 2) {
            get(cids[i]);
            get(cids[i]);
        }
        return cids;
    }

    /** Removes chunks, whose table pages are released, and fills the memory with words that look like entries. */
    private void replace(long[] cids, long entry) {
        for (long cid : cids) {
            store.remove(cid);
        }
        final byte[] entries = new byte[30_000];                // takes as much memory as a table page
        final MemorySegment words = MemorySegment.ofArray(entries);
        for (int i = 0; i < entries.length; i += Long.BYTES) {
            words.set(ValueLayout.JAVA_LONG_UNALIGNED, i, entry);
        }
        for (int i = 0; i < 300; i++) {
            store.create(entries);
        }
    }

    private long entryOf(long cid) {
        return offer.chunks().get(ValueLayout.JAVA_LONG, offer.place(cid).address() - offer.firstAddress());
    }

    @Test
    void get_pageReleasedAndFilledWithEntriesOfAnotherChunk_isAbsent() {
        final long other = store.create(bytes(100, 9));
        final long[] cids = fillPages();
        final long entry = entryOf(other);
        final long epoch = offer.place(other).epoch();
        replace(cids, entry);
        assertTrue(offer.place(other).epoch() > epoch, "no page was released");
        for (long cid : cids) {
            assertEquals(Status.ABSENT, reader.get(cid, target, 0));
        }
        assertArrayEquals(bytes(100, 9), get(other));
    }

    @Test
    void get_pageReleasedBeforeTheEntryIsRead_isNotLedAstray() {
        final long other = store.create(bytes(100, 9));
        final long[] cids = fillPages();
        final long outside = entryOf(other) | (1L << 42) - 1;
        final long cid = cids[cids.length / 2 + 1];
        memory.beforeReads(NOTHING, NOTHING, () -> replace(cids, outside));
        assertEquals(Status.ABSENT, reader.get(cid, target, 0));
    }

    @Test
    void get_closedStore_isAskedFor() {
        final long cid = store.create(bytes(100, 1));
        get(cid);
        get(cid);
        store.close();
        assertThrows(StoreClosedException.class, () -> reader.get(cid, target, 0));
    }

    // ---- the ticket ----

    @Test
    void ticket_bytes_areReadBack() {
        final MemoryTicket ticket = new MemoryTicket(64, 4096, 1 << 20, List.of(new byte[] {1}, new byte[] {2, 3},
            new byte[0]));
        final MemoryTicket read = MemoryTicket.of(ticket.toBytes());
        assertEquals(ticket.stripeCount(), read.stripeCount());
        assertEquals(ticket.firstAddress(), read.firstAddress());
        assertEquals(ticket.chunkBytes(), read.chunkBytes());
        assertArrayEquals(new byte[] {2, 3}, read.key(PeerMemory.Part.STRIPES));
    }

    @Test
    void ticket_otherBytes_areRefused() {
        final byte[] good = memory.ticket().toBytes();
        for (int length = 0; length < good.length; length++) {
            final byte[] cut = Arrays.copyOf(good, length);
            assertThrows(IllegalArgumentException.class, () -> MemoryTicket.of(cut));
        }
        for (int i = 0; i < 8; i++) {
            final byte[] changed = good.clone();
            changed[i] ^= (byte) 0x81;
            assertThrows(IllegalArgumentException.class, () -> MemoryTicket.of(changed), "byte " + i);
        }
        assertThrows(IllegalArgumentException.class, () -> MemoryTicket.of(Arrays.copyOf(good, good.length + 1)));
    }
}
