package io.teff.cluster.client;

import io.teff.cluster.collect.PartReport;
import io.teff.cluster.collect.RangeState;
import io.teff.cluster.operation.MoveMode;
import io.teff.engine.codec.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The split of a part of a sorted map into the part and a target, step by step. The owners know how far the split is,
 * so any client takes any step, and a client that ends leaves a split that others continue. For one thread at a time.
 */
final class RangeSplit {
    private static final byte[] NONE = new byte[0];

    private final CollectionCalls part;
    private final CollectionCalls target;
    /** Slices that the target has taken. */
    private long taken;

    private RangeSplit(CollectionCalls part, CollectionCalls target, long taken) {
        this.part = part;
        this.target = target;
        this.taken = taken;
    }

    /** How a step has ended. */
    enum Step {
        /** The target has taken a slice. */
        MOVED,
        /** There is nothing to cut off now, and the split has not ended. */
        IDLE,
        /** The split has ended, or was not begun. */
        ENDED
    }

    /** Returns a split that was perhaps begun, and perhaps has ended. */
    static RangeSplit of(CollectionCalls part, CollectionCalls target) {
        return new RangeSplit(part, target, target.move(MoveMode.LOOK, 0, 0, NONE).state().taken());
    }

    /**
     * Begins a split, or continues a split that was begun.
     *
     * @param key that begins the target, or null for half of the entries
     * @return the split; null if another split of the part is under way
     */
    static @Nullable RangeSplit begin(CollectionCalls part, CollectionCalls target, byte @Nullable [] key) {
        final RangeSplit split = of(part, target);              // the target first: see below
        final RangeState state = part.move(MoveMode.LOOK, 0, 0, NONE).state();
        if (state.target() == target.root() || split.taken > 0) {
            return split;                                       // with taken slices, the split has begun or has ended
        }
        final Output made = Output.growing(128);
        made.putValue(RangeState.CODEC, RangeState.unborn(state.high(), state.next()));
        target.move(MoveMode.MAKE, 0, 0, made.toByteArray());
        final RangeState begun = part.move(MoveMode.BEGIN, target.root(), state.next(), key == null ? NONE : key)
            .state();
        return begun.target() == target.root() || begun.next() == target.root() ? of(part, target) : null;
    }

    CollectionCalls target() {
        return target;
    }

    /** Takes the next step. */
    Step step() {
        final PartReport answer = cut();
        if (answer.state().target() != target.root()) {
            return Step.ENDED;
        }
        if (!answer.state().hasSlice()) {
            return Step.IDLE;
        }
        take(answer);
        return Step.MOVED;
    }

    /** Releases the slice that the target has taken, and cuts the next slice. */
    PartReport cut() {
        return part.move(MoveMode.STEP, target.root(), taken, NONE);
    }

    /** Has the target take the slice of an answer. */
    void take(PartReport answer) {
        final List<byte[]> content = new ArrayList<>();
        content.add(Objects.requireNonNull(answer.state().high()));
        content.addAll(answer.slice());
        final Output out = Output.growing(1 << 10);
        PartReport.putAll(out, content);
        taken = target.move(MoveMode.TAKE, answer.state().slices(), answer.token(), out.toByteArray()).state().taken();
    }

    /** Ends the taking of slices, behind {@link Step#ENDED}; returns the low bound of the target, or null. */
    byte @Nullable [] settle() {
        return taken == 0 ? null : target.move(MoveMode.SETTLE, 0, 0, NONE).state().low();
    }
}
