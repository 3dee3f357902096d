package io.teff.cluster.client;

import io.teff.cluster.collect.PartReport;
import io.teff.engine.Cid;
import io.teff.engine.collect.ChunkSortedMap;
import java.util.Objects;

/** The requests of the split of a sorted map one by one, so that a test can do something between two requests. */
public final class SplitSteps {
    private final SortedCalls calls;
    private final CollectionCalls part;
    private final RangeSplit split;
    private final int index;

    /** Begins or continues a split of the part with an index, in the order of the keys; halves the entries. */
    public SplitSteps(ChunkSortedMap<?, ?> map, int place) {
        calls = ((RemoteSortedMap<?, ?>) map).calls();
        part = calls.chain().get(place).calls();
        index = calls.target(part);
        split = Objects.requireNonNull(calls.begin(part, index, null));
    }

    /** Returns the zone of the part. */
    public int zone() {
        return Cid.nid(part.root());
    }

    /** Returns the zone of the target. */
    public int targetZone() {
        return Cid.nid(split.target().root());
    }

    /** Cuts a slice, and runs a program before the target takes the slice; returns false if the split has ended. */
    public boolean isMoved(Runnable between) {
        PartReport answer = split.cut();
        if (!answer.state().hasSlice()) {
            return false;
        }
        between.run();
        split.take(answer);
        return true;
    }

    /** Ends a split that has cut off all entries. */
    public void end() {
        calls.ended(split, index);
    }
}
