package io.teff.recovery.log.read;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.engine.journal.ChangedBytes;
import io.teff.recovery.format.EntryKind;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.ZoneId;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/**
 * Goal: a segment that the manifest does not name is evidence of a loss if it has an entry that bytes of a chunk need,
 * and is none if everything that it has is outdated.
 */
final class CoveredTest {
    private static final int NID = 3;
    private static final long CID = Cid.of(NID, 5);

    private final Covered covered = new Covered(new ZoneId(NID, 0));

    private static void whole(EntryVisitor visitor, long number) {
        visitor.entry(CID, number, NID, 0, EntryKind.PUT, MemorySegment.NULL, 0, 0);
    }

    private static void bytes(EntryVisitor visitor, long number, long before) {
        MemorySegment payload = MemorySegment.ofArray(new byte[ChangedBytes.HEAD_BYTES]);
        ChangedBytes.writeHead(payload, 0, before, 9);
        visitor.entry(CID, number, NID, 0, EntryKind.BYTES, payload, 0, ChangedBytes.HEAD_BYTES);
    }

    private boolean isNewer(long number, long before) {
        Covered.Test test = covered.test();
        if (before == 0) {
            whole(test, number);
        } else {
            bytes(test, number, before);
        }
        return test.isNewer();
    }

    @Test
    void newestBytes_coverWhatTheyFollow() {
        bytes(covered, 24, 16);
        whole(covered, 8);
        bytes(covered, 16, 8);
        assertFalse(isNewer(8, 0) || isNewer(16, 8) || isNewer(24, 16) || isNewer(24, 0), "all are there");
        assertTrue(isNewer(32, 24) && isNewer(32, 0));
    }

    @Test
    void missingPredecessor_isEvidence_untilAWholeChunkIsNewer() {
        whole(covered, 8);
        bytes(covered, 24, 16);
        assertTrue(isNewer(16, 8), "bytes without their predecessor");
        assertTrue(isNewer(16, 0), "a whole chunk is a predecessor, too");
        assertFalse(isNewer(12, 8), "an entry that nothing needs");
        whole(covered, 24);
        assertFalse(isNewer(16, 8), "merged");
    }
}
