package io.teff.cluster.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.cluster.RecordingLog;
import io.aeron.cluster.RecordingLog.Entry;
import io.teff.cluster.consensus.LogKeeping.Needless;
import io.teff.cluster.message.LogOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a member keeps of its archive. */
class LogKeepingTest {
    private static final int MODULE = -1;

    private final List<Entry> entries = new ArrayList<>(List.of(entry(0, 0, -1, 0, RecordingLog.ENTRY_TYPE_TERM)));

    private static Entry entry(long recording, long term, long position, int service, int type) {
        return new Entry(recording, term, 0, position, 5, service, type, null, true, 0, 0);
    }

    private void snapshot(long position, long service, long module) {
        entries.add(entry(service, 0, position, 0, RecordingLog.ENTRY_TYPE_SNAPSHOT));
        entries.add(entry(module, 0, position, MODULE, RecordingLog.ENTRY_TYPE_SNAPSHOT));
    }

    @Test
    void oneSnapshot_everythingIsKept() {
        assertEquals(Needless.NOTHING, LogKeeping.needless(entries, Set.of(0L)));
        snapshot(100, 1, 2);
        assertEquals(Needless.NOTHING, LogKeeping.needless(entries, Set.of(0L, 1L, 2L)));
    }

    @Test
    void twoSnapshots_keepTheLogFromTheOlderOneOn() {
        snapshot(100, 1, 2);
        snapshot(200, 3, 4);
        assertEquals(new Needless(Set.of(), 0, 100), LogKeeping.needless(entries, Set.of(0L, 1L, 2L, 3L, 4L)));
    }

    @Test
    void moreSnapshots_theOldOnesGo_inWhateverOrderTheyAreNoted() {
        snapshot(300, 5, 6);
        snapshot(100, 1, 2);
        snapshot(200, 3, 4);
        assertEquals(new Needless(Set.of(1L, 2L), 0, 200),
            LogKeeping.needless(entries, Set.of(0L, 1L, 2L, 3L, 4L, 5L, 6L)));
        assertEquals(new Needless(Set.of(), 0, 200), LogKeeping.needless(entries, Set.of(0L, 3L, 4L, 5L, 6L)));
    }

    @Test
    void snapshot_withoutOneOfItsParts_doesNotCount() {
        snapshot(100, 1, 2);
        snapshot(200, 3, 4);
        entries.add(entry(5, 0, 300, 0, RecordingLog.ENTRY_TYPE_SNAPSHOT));
        assertEquals(100, LogKeeping.needless(entries, Set.of(0L, 1L, 2L, 3L, 4L, 5L)).before());
    }

    @Test
    void recordings_ofSnapshotsThatWereNeverNoted_goWhenALaterOneIsNoted() {
        snapshot(100, 1, 2);
        snapshot(200, 5, 6);
        Needless needless = LogKeeping.needless(entries, Set.of(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L));
        assertEquals(Set.of(3L, 4L), needless.recordings(), "7 may be a snapshot that is being taken");
    }

    @Test
    void origin_namesTheLastSnapshot_andTheTerms() {
        assertNull(LogKeeping.origin(entries, Map.of(0L, 0L)), "no snapshot");
        snapshot(100, 1, 2);
        snapshot(200, 3, 4);
        assertNull(LogKeeping.origin(entries, Map.of()), "no log");
        LogOrigin origin = LogKeeping.origin(entries, Map.of(0L, 64L));
        assertEquals(new LogOrigin(64, 0, List.of(new LogOrigin.Term(0, 0, -1, 5)),
            new LogOrigin.Snapshot(0, 0, 200, 5, 4, 3)), origin);
    }

    @Test
    void bound_isReachedByCommandsOrBytes_andNotWithoutACommand() {
        SnapshotBound bound = new SnapshotBound(10, 1_000);
        assertFalse(bound.isDue(9, 999));
        assertTrue(bound.isDue(10, 1));
        assertTrue(bound.isDue(1, 1_000));
        assertFalse(bound.isDue(0, 5_000), "terms alone need no snapshot");
    }
}
