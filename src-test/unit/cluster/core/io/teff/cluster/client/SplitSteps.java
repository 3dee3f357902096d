package io.teff.cluster.client;

import io.teff.cluster.collect.PartReport;
import io.teff.cluster.collect.RangeState;
import io.teff.cluster.operation.MoveMode;
import io.teff.engine.Cid;
import io.teff.engine.codec.Output;
import io.teff.engine.collect.ChunkSortedMap;
import java.util.List;
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

    /**
     * Takes the first requests of a split into halves of the part with an index, and none of the further ones, as a
     * client that is killed. Returns false if the split has ended with fewer requests.
     */
    public static boolean stopped(ChunkSortedMap<?, ?> map, int place, int requests) {
        SortedCalls calls = ((RemoteSortedMap<?, ?>) map).calls();
        CollectionCalls part = calls.chain().get(place).calls();
        int index = calls.target(part);
        CollectionCalls target = calls.part(index);
        List<Runnable> first = List.of(target::root, () -> {
            RangeState state = part.look().state();
            Output made = Output.growing(128);
            made.putValue(RangeState.CODEC, RangeState.unborn(state.high(), state.next()));
            target.move(MoveMode.MAKE, 0, 0, made.toByteArray());
        }, () -> part.move(MoveMode.BEGIN, target.root(), part.look().state().next(), new byte[0]));
        first.subList(0, Math.min(requests, first.size())).forEach(Runnable::run);
        if (requests <= first.size()) {
            return true;
        }
        RangeSplit split = RangeSplit.of(part, target);
        int left = requests - first.size();
        while (left > 0) {
            PartReport answer = split.cut();
            left--;
            if (!answer.state().hasSlice()) {
                break;
            }
            if (left > 0) {
                split.take(answer);
                left--;
            }
        }
        if (left > 0) {
            split.settle();
            left--;
        }
        return left == 0;
    }

    /** Ends a split that has cut off all entries. */
    public void end() {
        calls.ended(split, index);
    }
}
