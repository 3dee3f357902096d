package io.teff.rdma.reads;

import io.teff.engine.error.Status;
import io.teff.engine.offer.EntryPlace;
import io.teff.engine.offer.OfferLayout;
import io.teff.rdma.reads.PeerMemory.Part;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Reads chunks of a store in a second process. For a single thread at a time.
 *
 * <p><b>A read</b> takes the steps of {@link OfferLayout}. If the reader remembers the entry, the read is a single
 * round: the payload, and behind the payload the word of the stripe. This word must equal the word that has proven the
 * entry. Without a remembered entry the read is two rounds: word, epoch and entry, word; then payload, word. The reader
 * asks the owner after eight rounds with a changed word, and in three cases: a thread holds the chunk exclusively, the
 * chunk has more than 64 KiB, or the place of the entry is not known. The answer of the owner also has the place of the
 * entry.
 *
 * <p><b>Why a result belongs to the chunk.</b> The words at both ends of the steps are equal and readable, and versions
 * never come back. So no writer was inside the stripe between the two words. Entry and payload were read between the
 * words. The generation in the entry is the generation of the chunk. The entry was read at the right place: the epoch,
 * also read between the words, is the epoch under which the owner has named the place.
 *
 * <p>The same proof shows that a removed chunk is {@link Status#ABSENT}. Allocates nothing, except for requests.
 */
public final class ChunkReader {
    private static final int ATTEMPTS = 8;
    private static final int SLOTS = 1 << 14;
    private static final int PAGES = 1 << 12;
    private static final long NONE = -1;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;
    private static final long RETRY = Long.MIN_VALUE;
    private static final long ASK = Long.MIN_VALUE + 1;
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;

    private final PeerMemory memory;
    private final MemorySegment buffer;
    private final ChunkRequests requests;
    private final int stripeCount;
    private final long firstAddress;
    private final long chunkBytes;

    // Proven entries, by a hash of the CID: the word of the proof, and the address and length of the payload.
    private final long[] knownCids = new long[SLOTS];
    private final long[] knownWords = new long[SLOTS];
    private final long[] knownAddresses = new long[SLOTS];
    private final int[] knownLengths = new int[SLOTS];

    // Addresses of table pages, by a hash of the page's name. All addresses are of the same epoch.
    private final long[] pageNames = new long[PAGES];
    private final long[] pageAddresses = new long[PAGES];
    private long epoch = NONE;

    private long oneSided;
    private long oneRound;
    private long repeated;
    private long requested;

    /**
     * Creates a reader without remembered entries.
     *
     * @param memory of the owner
     * @param requests to the owner
     */
    public ChunkReader(PeerMemory memory, ChunkRequests requests) {
        this.memory = memory;
        this.requests = requests;
        buffer = memory.buffer();
        stripeCount = memory.ticket().stripeCount();
        firstAddress = memory.ticket().firstAddress();
        chunkBytes = memory.ticket().chunkBytes();
        Arrays.fill(knownCids, NONE);
        Arrays.fill(pageNames, NONE);
    }

    /**
     * Copies a whole chunk.
     *
     * @param cid the chunk
     * @param target takes the bytes of the chunk
     * @param offset in the target, in bytes
     * @return the length, or the status of a get in the process of the owner: {@link Status#ABSENT},
     *     {@link Status#LOCKED}, {@link Status#TOO_SMALL}
     * @throws PeerLostException if the peer does not answer any more
     */
    public long get(long cid, MemorySegment target, long offset) {
        final int slot = (int) (cid * MIX >>> Long.SIZE - Integer.numberOfTrailingZeros(SLOTS));
        long result = knownCids[slot] == cid ? readKnown(slot, cid, target, offset) : RETRY;
        for (int attempt = 0; attempt < ATTEMPTS && result == RETRY; attempt++) {
            result = readNew(slot, cid, target, offset);
            repeated += result == RETRY ? 1 : 0;
        }
        if (result == RETRY || result == ASK) {
            return ask(cid, target, offset);
        }
        oneSided++;
        return result;
    }

    private long word(int place) {
        return buffer.get(WORD, place);
    }

    // ---- one round ----

    private long readKnown(int slot, long cid, MemorySegment target, long offset) {
        final int length = knownLengths[slot];
        if (length > 0) {
            memory.read(Part.CHUNKS, knownAddresses[slot] - firstAddress, length, BufferLayout.PAYLOAD);
            memory.fence();
        }
        memory.read(Part.STRIPES, stripe(cid), OfferLayout.WORD_BYTES, BufferLayout.BEHIND);
        memory.await();
        if (word(BufferLayout.BEHIND) != knownWords[slot]) {
            knownCids[slot] = NONE;
            repeated++;
            return RETRY;
        }
        oneRound++;
        return copied(length, target, offset);
    }

    private long copied(int length, MemorySegment target, long offset) {
        if (length > target.byteSize() - offset) {
            return Status.TOO_SMALL;
        }
        MemorySegment.copy(buffer, BufferLayout.PAYLOAD, target, offset, length);
        return length;
    }

    private long stripe(long cid) {
        return OfferLayout.stripeOffset(cid, stripeCount);
    }

    // ---- two rounds; three rounds with a length in front ----

    private long readNew(int slot, long cid, MemorySegment target, long offset) {
        final long page = page(cid);
        if (page == NONE) {
            return ASK;
        }
        memory.read(Part.STRIPES, stripe(cid), OfferLayout.WORD_BYTES, BufferLayout.BEFORE);
        memory.fence();
        memory.read(Part.EPOCH, 0, OfferLayout.WORD_BYTES, BufferLayout.EPOCH);
        memory.read(Part.CHUNKS, page + OfferLayout.offsetInPage(cid) - firstAddress, OfferLayout.WORD_BYTES,
            BufferLayout.ENTRY);
        memory.fence();
        memory.read(Part.STRIPES, stripe(cid), OfferLayout.WORD_BYTES, BufferLayout.PROOF);
        memory.await();
        final long before = word(BufferLayout.BEFORE);
        if (OfferLayout.isClosed(before) || word(BufferLayout.EPOCH) != epoch) {
            return ASK;
        }
        if (!OfferLayout.isReadable(before) || word(BufferLayout.PROOF) != before) {
            return RETRY;
        }
        final long entry = word(BufferLayout.ENTRY);            // proven
        if (!OfferLayout.isReadable(entry, cid)) {
            return OfferLayout.isChunk(entry, cid) ? ASK : Status.ABSENT;
        }
        final int length = OfferLayout.length(entry);
        return length >= 0 ? readPayload(slot, cid, before, OfferLayout.address(entry), length, target, offset)
            : readFront(slot, cid, before, OfferLayout.address(entry), target, offset);
    }

    /** Reads the length in front of the payload, and proves the length before use. */
    private long readFront(int slot, long cid, long before, long address, MemorySegment target, long offset) {
        if (!isInside(address - OfferLayout.FRONT_BYTES, OfferLayout.FRONT_BYTES)) {
            throw new IllegalStateException("a proven entry has the address " + address);
        }
        memory.read(Part.CHUNKS, address - OfferLayout.FRONT_BYTES - firstAddress, OfferLayout.FRONT_BYTES,
            BufferLayout.FRONT);
        memory.fence();
        memory.read(Part.STRIPES, stripe(cid), OfferLayout.WORD_BYTES, BufferLayout.PROOF);
        memory.await();
        if (word(BufferLayout.PROOF) != before) {
            return RETRY;
        }
        final long length = word(BufferLayout.FRONT);
        return length > OfferLayout.LENGTH_MAX ? ASK
            : readPayload(slot, cid, before, address, (int) length, target, offset);
    }

    private long readPayload(int slot, long cid, long before, long address, int length, MemorySegment target,
            long offset) {
        if (length > 0) {
            if (!isInside(address, length)) {
                throw new IllegalStateException("a proven entry has the address " + address + ", length " + length);
            }
            memory.read(Part.CHUNKS, address - firstAddress, length, BufferLayout.PAYLOAD);
            memory.fence();
            memory.read(Part.STRIPES, stripe(cid), OfferLayout.WORD_BYTES, BufferLayout.BEHIND);
            memory.await();
            if (word(BufferLayout.BEHIND) != before) {
                return RETRY;
            }
        }
        knownCids[slot] = cid;
        knownWords[slot] = before;
        knownAddresses[slot] = address;
        knownLengths[slot] = length;
        return copied(length, target, offset);
    }

    private boolean isInside(long address, long length) {
        return address >= firstAddress && address - firstAddress <= chunkBytes - length;
    }

    // ---- places of entries ----

    private static int pageSlot(long name) {
        return (int) (name * MIX >>> Long.SIZE - Integer.numberOfTrailingZeros(PAGES));
    }

    private long page(long cid) {
        final long name = OfferLayout.page(cid);
        final int slot = pageSlot(name);
        return pageNames[slot] == name ? pageAddresses[slot] : NONE;
    }

    private void learn(long cid, EntryPlace place) {
        if (place.epoch() != epoch) {
            Arrays.fill(pageNames, NONE);
            epoch = place.epoch();
        }
        final long address = place.address() - OfferLayout.offsetInPage(cid);
        if (place.address() != 0 && isInside(place.address(), OfferLayout.WORD_BYTES) && isInside(address, 1)) {
            final long name = OfferLayout.page(cid);
            pageNames[pageSlot(name)] = name;
            pageAddresses[pageSlot(name)] = address;
        }
    }

    private long ask(long cid, MemorySegment target, long offset) {
        final ChunkRequests.Answer answer = requests.get(cid, target, offset);
        requested++;
        learn(cid, answer.place());
        return answer.length() > target.byteSize() - offset ? Status.TOO_SMALL : answer.length();
    }

    /** {@return counts of the reads of this reader} */
    public ReadStatistics statistics() {
        return new ReadStatistics(oneSided, oneRound, repeated, requested);
    }
}
