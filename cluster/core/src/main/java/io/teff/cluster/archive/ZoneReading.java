package io.teff.cluster.archive;

import io.teff.cluster.collect.ServedMaps;
import io.teff.cluster.ship.RunTap;
import io.teff.cluster.ship.ZoneShipment;
import io.teff.cluster.slot.SlotLayout;
import io.teff.cluster.zone.ZoneNumber;
import io.teff.engine.error.StoreException;
import io.teff.engine.zone.ZoneRecording;
import io.teff.recovery.backup.RunReader;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Reads a zone at its owner while the zone is in use, for a reader in another process. For one thread at a time.
 *
 * <p><b>A cut.</b> Two streams give the state of the zone at one number. A tap has all records of changes from a moment
 * on. A recording passes over all chunks after this moment, each chunk inside its stripe, with the number of the zone's
 * last change. When the recording has ended, the number n of the last change is the cut. The tap goes on up to n. Of
 * all entries of an index up to n, the one with the highest number is the state of the index at n.
 *
 * <p><b>Proof.</b> Take the last change of an index with a number up to n. If the tap has the change, it has the
 * highest number: a recorded entry with a number at least as high was written after the change, and shows the same
 * chunk. If the tap does not have the change, the change was made before the moment. So the recording shows the chunk
 * of this change, or of a later change that the tap has with a higher number.
 *
 * <p><b>Blocks.</b> A block whose digest the reader knows is named, and not sent.
 */
final class ZoneReading {
    private static final long PART_BYTES = 16 << 10;
    /** An answer ends behind so many bytes of entries. */
    private static final int ANSWER_BYTES = 1 << 20;
    /** An answer ends behind so many bytes of chunks, sent or not. */
    private static final int LOOK_BYTES = 8 << 20;
    /** A step without chunks counts as so many bytes. */
    private static final int STEP_BYTES_MIN = 1 << 12;
    private static final int NONE = -1;

    private final int zone;
    private final ZoneShipment shipment;
    private final RunTap tap;
    private final CaptureJournal capture;
    private final ZoneRecording recording;
    private final ServedMaps maps;
    private final byte[] known;
    private final BlockDigest digest = new BlockDigest();
    /** The entries of the block that is being recorded. */
    private final EntryBytes block = new EntryBytes();
    /** Entries to be sent. */
    private final EntryBytes out = new EntryBytes();
    private final RunReader records = new RunReader();
    private long blockNumber = NONE;
    private boolean isRecorded;
    private boolean isHeldUp;
    private long cut;

    /**
     * Begins.
     *
     * @param home the peer, which serves the zone
     * @param zone number of the zone
     * @param shipment the zone on its way to the backups
     * @param maps the collections of the zone
     * @param known digests of the known blocks, by number of the block; zeros for an unknown block
     * @param tapBytes most bytes of changes while the reader does not take any
     */
    ZoneReading(ArchiveHome home, int zone, ZoneShipment shipment, ServedMaps maps, byte[] known, long tapBytes) {
        this.zone = zone;
        this.shipment = shipment;
        this.maps = maps;
        this.known = known.clone();
        tap = new RunTap(tapBytes);
        capture = new CaptureJournal(home.ring(), zone);
        shipment.tap(tap);                                      // before the recording begins
        recording = home.memory().record(zone, capture);
    }

    /** Returns whether changes are missing: the zone must be read anew. */
    boolean isBroken() {
        return tap.isBroken();
    }

    /** Returns the number of the cut; 0 before the end of the recording. */
    long cut() {
        return cut;
    }

    /** Reads the next entries. Returns false behind the last ones. */
    boolean step(ArchiveHome home) {
        out.clear();
        takeChanges();
        isHeldUp = false;
        for (long looked = 0; !isRecorded && !isHeldUp && out.size() < ANSWER_BYTES && looked < LOOK_BYTES;) {
            looked += Math.max(record(home), STEP_BYTES_MIN);
        }
        return !isRecorded || !tap.hasAll(cut);
    }

    /** Returns the entries of the last step. */
    byte[] entries() {
        return out.toArray();
    }

    /** Ends. Idempotent. */
    void end() {
        shipment.untap(tap);
    }

    // ---- changes ----

    private void takeChanges() {
        for (MemorySegment run = tap.take(); run != null; run = out.size() < ANSWER_BYTES ? tap.take() : null) {
            final String fault = records.check(run, 0, run.byteSize(), zone);
            if (fault != null) {
                throw new IllegalStateException("zone " + zone + ": " + fault);
            }
            // a record behind the cut can have a removal with a number of before the cut
            while (records.nextRecord()
                && (!isRecorded || ZoneNumber.counter(records.number()) <= ZoneNumber.counter(cut))) {
                while (records.nextEntry()) {
                    if (!SlotLayout.isSlot(records.cid())) {
                        out.add(records.cid(), records.entryNumber(),
                            records.kind() | EntryBytes.CHANGE, run, records.contentOffset(), records.length());
                    }
                }
            }
        }
    }

    // ---- chunks ----

    /** Records the next part, and returns its bytes. */
    private long record(ArchiveHome home) {
        final EntryBytes part = capture.entries();
        part.clear();
        boolean isLast = false;
        try {
            isLast = !maps.whileNothingChanges(() -> recording.next(PART_BYTES));
        } catch (StoreException e) {
            if (e.category() != StoreException.Category.RETRY) {
                throw e;
            }
            isHeldUp = true;                                    // a chunk stays locked: the next request tries again
        }
        part.rewind();
        while (part.next()) {
            if (!BlockDigest.counts(part.kind())) {
                out.add(part);
                continue;
            }
            final long number = BlockDigest.block(part.cid());
            if (number != blockNumber) {
                endBlock();
                blockNumber = number;
            }
            block.add(part);
        }
        if (isLast) {
            endBlock();
            cut = home.ring().now(zone);
            isRecorded = true;
            home.shipper().kick();
        }
        return part.size();
    }

    private void endBlock() {
        if (blockNumber == NONE) {
            return;
        }
        block.rewind();
        final long at = blockNumber * BlockDigest.BYTES;
        boolean isSame = false;
        if (at + BlockDigest.BYTES <= known.length) {
            while (block.next()) {
                digest.add(block);
            }
            final byte[] now = digest.end();
            isSame = Arrays.equals(now, 0, now.length, known, (int) at, (int) at + now.length);
        }
        if (isSame) {
            out.begin(EntryBytes.cid(zone, blockNumber * BlockDigest.INDEXES), 0, EntryBytes.SAME, 0);
        } else {
            block.rewind();
            while (block.next()) {
                out.add(block);
            }
        }
        block.clear();
    }
}
