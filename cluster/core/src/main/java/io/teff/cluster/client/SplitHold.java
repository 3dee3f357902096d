package io.teff.cluster.client;

import io.teff.cluster.ClusterStore;
import io.teff.cluster.MissingRightException;
import io.teff.cluster.archive.HeldSplits;
import io.teff.cluster.archive.PartBounds;
import io.teff.cluster.collect.RangeState;
import io.teff.cluster.operation.MoveMode;
import io.teff.engine.NamedRoot;
import io.teff.engine.codec.Output;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Deadline;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Has the parts of all sorted maps hold their splits, while a backup is taken. The hold is in the memory of the owners,
 * and ends by itself. So the bounds are compared at the end. For one thread.
 */
public final class SplitHold implements HeldSplits, AutoCloseable {
    /** A hold is renewed when a third of its time is over. */
    private static final long RENEWED_NS = MoveMode.HOLD_NS_MAX / 3;
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(1);
    /** Steps of a split that end a slice: the target takes the slice, the part releases the slice. */
    private static final int STEPS = 2;
    private static final byte[] NONE = new byte[0];

    private final RemoteStore store;
    private final Clock clock;
    /** Parts that are held. */
    private List<CollectionCalls> held = List.of();
    private long heldNs;

    /**
     * Begins without a hold.
     *
     * @param store a client of the cluster
     * @param clock measures the time of the hold
     */
    public SplitHold(ClusterStore store, Clock clock) {
        if (!(store instanceof RemoteStore remote)) {
            throw new IllegalArgumentException("store is no client of a cluster: " + store.getClass());
        }
        this.store = remote;
        this.clock = clock;
    }

    @Override
    public PartBounds hold() throws IOException {
        final Deadline deadline = Deadline.in(clock, PATIENCE_NS);
        while (true) {
            try {
                return held();
            } catch (MissingRightException e) {
                final MissingRightException denied = new MissingRightException(e.principal(), "take a backup", "admin");
                denied.initCause(e);
                throw denied;
            } catch (StoreException e) {
                if (deadline.isOver()) {
                    throw new IOException("the splits of sorted maps cannot be held: " + FailureText.of(e), e);
                }
                store.pause("hold the splits of sorted maps");
            }
        }
    }

    private PartBounds held() {
        final Map<Long, String> bounds = new TreeMap<>();
        final List<CollectionCalls> parts = new ArrayList<>();
        heldNs = clock.nowNs();
        store.rows().forEach((name, row) -> {
            if (row.kind() == NamedRoot.Kind.SORTED_MAP) {
                try {
                    hold(store.firstPart(name, row), parts, bounds);
                } catch (IllegalStateException _) {
                    return;                                     // the map was dropped meanwhile
                }
            }
        });
        held = parts;
        return new PartBounds(bounds);
    }

    /** Holds the parts of a map, from the first to the last. */
    private static void hold(CollectionCalls first, List<CollectionCalls> parts, Map<Long, String> bounds) {
        CollectionCalls next = first;
        while (next != null) {
            RangeState state = hold(next, MoveMode.HOLD_NS_MAX);
            if (state.isSplitting()) {
                final CollectionCalls target = first.at(state.target());
                for (int i = 0; i < STEPS; i++) {
                    RangeSplit.of(next, target).step();
                }
                state = hold(next, MoveMode.HOLD_NS_MAX);
            }
            parts.add(next);
            bounds.put(next.root(), text(state));
            next = state.next() == 0 ? null : first.at(state.next());
        }
    }

    private static RangeState hold(CollectionCalls part, long forNs) {
        return part.move(MoveMode.LOOK, forNs, 0, NONE).state();
    }

    /** Returns a text for the bounds. Whether the part may take slices is left out: an ended split is ended later. */
    private static String text(RangeState state) {
        if (state.equals(RangeState.WHOLE)) {
            return PartBounds.WHOLE;
        }
        final Output out = Output.growing(128);
        out.putValue(RangeState.CODEC, state.settled());
        return HexFormat.of().formatHex(out.toByteArray());
    }

    @Override
    public void renew() {
        if (clock.nowNs() - heldNs >= RENEWED_NS) {
            heldNs = clock.nowNs();
            holdAgain(MoveMode.HOLD_NS_MAX);
        }
    }

    private void holdAgain(long forNs) {
        for (CollectionCalls part : held) {
            try {
                hold(part, forNs);
            } catch (StoreException | IllegalStateException _) {
                continue;                                       // the bounds are compared at the end
            }
        }
    }

    /** Ends the hold. */
    @Override
    public void close() {
        holdAgain(-1);
        held = List.of();
    }
}
