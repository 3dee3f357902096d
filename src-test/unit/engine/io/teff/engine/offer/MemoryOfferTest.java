package io.teff.engine.offer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import io.teff.engine.config.DebugLevel;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.memory.Memory;
import io.teff.engine.zone.Zones;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is offered is the memory of the store, and the epoch ends whenever a place of an entry does. */
final class MemoryOfferTest {
    private static final int PAGE_ENTRIES = 4096;
    private static final StoreConfig CONFIG = StoreConfig.builder().memoryLimitBytes(64 << 20).build();

    @BeforeEach
    void assumeNativeAccess() {
        Assumptions.assumeTrue(Memory.RESERVED, "memory comes in blocks");
    }

    private static long word(MemoryOffer offer, long cid) {
        return offer.stripes().get(ValueLayout.JAVA_LONG, OfferLayout.stripeOffset(cid, offer.stripeCount()));
    }

    private static long epoch(MemoryOffer offer) {
        return offer.epoch().get(ValueLayout.JAVA_LONG, 0);
    }

    private static long entry(MemoryOffer offer, EntryPlace place) {
        return offer.chunks().get(ValueLayout.JAVA_LONG, place.address() - offer.firstAddress());
    }

    @Test
    void place_ofAChunk_leadsToItsBytes() {
        try (Store store = Store.open(CONFIG); MemoryOffer offer = MemoryOffer.of(store)) {
            long cid = store.create(new byte[] {1, 2, 3});
            EntryPlace place = offer.place(cid);
            assertEquals(epoch(offer), place.epoch());
            long entry = entry(offer, place);
            assertTrue(OfferLayout.isReadable(entry, cid));
            assertEquals(3, OfferLayout.length(entry));
            assertEquals(2, offer.chunks().get(ValueLayout.JAVA_BYTE, OfferLayout.address(entry) - offer.firstAddress()
                + 1));
            long longCid = store.create(new byte[5000]);
            assertEquals(-1, OfferLayout.length(entry(offer, offer.place(longCid))));
            store.remove(cid);
            assertFalse(OfferLayout.isChunk(entry(offer, place), cid));
        }
    }

    @Test
    void page_andOffset_makeThePlace() {
        try (Store store = Store.open(CONFIG); MemoryOffer offer = MemoryOffer.of(store)) {
            long first = store.create(new byte[1]);
            for (int i = 0; i < 2 * PAGE_ENTRIES; i++) {
                long cid = store.create(new byte[1]);
                if (OfferLayout.page(cid) == OfferLayout.page(first)) {
                    assertEquals(offer.place(first).address() - OfferLayout.offsetInPage(first),
                        offer.place(cid).address() - OfferLayout.offsetInPage(cid));
                } else {
                    assertNotEquals(offer.place(first).address() - OfferLayout.offsetInPage(first),
                        offer.place(cid).address() - OfferLayout.offsetInPage(cid));
                }
            }
        }
    }

    @Test
    void stripe_ofEachChange_hasAnotherWord() {
        try (Store store = Store.open(CONFIG); MemoryOffer offer = MemoryOffer.of(store)) {
            long cid = store.create(new byte[8]);
            long before = word(offer, cid);
            assertTrue(OfferLayout.isReadable(before));
            store.put(cid, new byte[8]);
            assertNotEquals(before, word(offer, cid));
            long other = word(offer, cid);
            store.remove(cid);
            assertNotEquals(other, word(offer, cid));
        }
    }

    @Test
    void epoch_pageReleased_ends() {
        try (Store store = Store.open(CONFIG); MemoryOffer offer = MemoryOffer.of(store)) {
            long[] cids = new long[3 * PAGE_ENTRIES];
            for (int i = 0; i < cids.length; i++) {
                cids[i] = store.create(new byte[8]);
            }
            long before = epoch(offer);
            for (long cid : cids) {
                store.remove(cid);
            }
            assertTrue(epoch(offer) > before);
            assertEquals(epoch(offer), offer.place(cids[0]).epoch());
        }
    }

    @Test
    void epoch_zoneDropped_ends() {
        try (Store store = Store.open(CONFIG); MemoryOffer offer = MemoryOffer.of(store)) {
            ChunkStore zone = Zones.of(store).add(7);
            long cid = zone.create(new byte[8]);
            EntryPlace place = offer.place(cid);
            assertNotEquals(0, place.address());
            Zones.of(store).drop(7);
            assertTrue(epoch(offer) > place.epoch());
            assertEquals(0, offer.place(cid).address());
        }
    }

    @Test
    void offered_memory_isNotGivenBack() {
        try (Store store = Store.open(CONFIG)) {
            try (MemoryOffer offer = MemoryOffer.of(store)) {
                fillAndEmpty(store);
                assertEquals(0, offer.store().trim());
                assertEquals(0, store.defragment().returnedBytes());
            }
            assertTrue(store.trim() > 0, "the offer has ended");
        }
    }

    private static void fillAndEmpty(Store store) {
        long[] cids = new long[20_000];
        for (int i = 0; i < cids.length; i++) {
            cids[i] = store.create(new byte[1000]);
        }
        for (long cid : cids) {
            store.remove(cid);
        }
    }

    @Test
    void of_guardPagesOrClosed_isRefused() {
        try (Store store = Store.open(CONFIG.toBuilder().debugLevel(DebugLevel.GUARD_PAGES).build())) {
            assertThrows(IllegalStateException.class, () -> MemoryOffer.of(store));
        }
        Store closed = Store.open(CONFIG);
        closed.close();
        assertThrows(StoreClosedException.class, () -> MemoryOffer.of(closed));
    }

    @Test
    void close_ofTheStore_isSeenByReaders() {
        Store store = Store.open(CONFIG);
        MemoryOffer offer = MemoryOffer.of(store);
        long cid = store.create(new byte[8]);
        store.close();
        assertTrue(OfferLayout.isClosed(word(offer, cid)));
        assertFalse(OfferLayout.isReadable(word(offer, cid)));
        offer.close();
        offer.close();
    }
}
