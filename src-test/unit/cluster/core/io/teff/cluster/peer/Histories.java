package io.teff.cluster.peer;

import io.teff.cluster.WriteLevel;
import io.teff.engine.Cid;
import io.teff.test.kit.RegisterHistory;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The history of each chunk of a simulated cluster. Each value is written once, apart from repetitions. */
final class Histories {
    /** Stands for no chunk. */
    static final long ABSENT = 0;

    private final Map<Long, RegisterHistory> byCid = new TreeMap<>();
    private final Map<Long, Long> newest = new TreeMap<>();
    private long values;

    long nextValue() {
        return ++values;
    }

    /** Returns a value that the chunk may have. */
    long guess(long cid) {
        return newest.getOrDefault(cid, 1L);
    }

    private RegisterHistory of(long cid) {
        return byCid.computeIfAbsent(cid, _ -> new RegisterHistory(ABSENT));
    }

    /** Returns the second chunk of a pair, which is changed with the first one; or the chunk itself. */
    private static long twin(long cid) {
        return Cid.index(cid) == ModelZones.PAIR ? cid + 1 : cid;
    }

    void read(long cid, long called, long returned, long value, String note) {
        of(cid).read(called, returned, value, note);
        if (value != ABSENT) {
            newest.put(cid, value);
        }
    }

    /** Adds a write that was acknowledged. At level OWNER a failure may take it back. */
    void write(long cid, long called, long returned, long value, WriteLevel level, String note) {
        for (long each : twin(cid) == cid ? new long[] {cid} : new long[] {cid, twin(cid)}) {
            if (level == WriteLevel.OWNER) {
                of(each).unknownWrite(called, value, note);
            } else {
                of(each).write(called, returned, value, note);
            }
        }
        newest.put(cid, value);
    }

    void unknownWrite(long cid, long called, long value, String note) {
        of(cid).unknownWrite(called, value, note);
        if (twin(cid) != cid) {
            of(twin(cid)).unknownWrite(called, value, note);
        }
    }

    void update(long cid, long called, long returned, long from, long to, WriteLevel level, String note) {
        if (level == WriteLevel.OWNER) {
            of(cid).unknownUpdate(called, from, to, note);
        } else {
            of(cid).update(called, returned, from, to, note);
        }
        newest.put(cid, to);
    }

    void unknownUpdate(long cid, long called, long from, long to, String note) {
        of(cid).unknownUpdate(called, from, to, note);
    }

    Set<Long> cids() {
        return byCid.keySet();
    }

    long size() {
        return byCid.values().stream().mapToLong(RegisterHistory::size).sum();
    }

    /** Throws an {@link AssertionError} if the history of a chunk is not linearizable. */
    void check() {
        byCid.forEach((cid, history) -> history.check("chunk " + Cid.toString(cid)));
    }
}
