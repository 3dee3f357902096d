package io.teff.cluster.operation;

import io.teff.cluster.collect.ChangeFence;
import io.teff.cluster.collect.PartReport;
import io.teff.cluster.collect.RangeState;
import io.teff.cluster.collect.ServedCollection;
import io.teff.cluster.collect.ServedMaps;
import io.teff.engine.ChunkStore;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.raw.RawStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;

/**
 * One step of the split of a part of a sorted map, at the owner of the part, under the lock of the part. For one
 * thread; used once.
 *
 * <p><b>Twice.</b> Any client takes the steps, and several clients may take the same step. A step names the target and
 * the number of the slice, and does nothing if the step was taken before.
 *
 * <p><b>Order of records.</b> A taken slice is two records: the entries, then the bound. An owner that ends in between
 * leaves entries that no request sees, and the slice is taken again, with the same entries, because no part serves the
 * keys of the slice meanwhile. A released slice is two records: the removal, then the end of the slice. An owner that
 * ends in between leaves a slice without entries, which the target has taken already.
 *
 * <p><b>Disks.</b> The answer waits until the disks of the backups have all records of the zone. So the target takes no
 * slice whose cut a power cut would undo, and no slice is removed that a power cut would take from the target.
 */
final class PartMoves {
    private final ServedCollection collection;
    private final ServedMaps maps;
    private final ChunkStore view;
    private final OperationRequest request;
    private final long nowNs;
    private final ChunkSortedMap<Object, byte[]> content;

    /**
     * Prepares a step.
     *
     * @param nowNs the present time
     */
    PartMoves(ServedCollection collection, ServedMaps maps, ChunkStore view, OperationRequest request, long nowNs) {
        this.collection = collection;
        this.maps = maps;
        this.view = view;
        this.request = request;
        this.nowNs = nowNs;
        if (!(collection.content().content() instanceof ChunkSortedMap<?, ?> map)) {
            throw new IllegalArgumentException("a collection that is no sorted map has no parts");
        }
        content = RawContents.of(map);
    }

    /** Takes the step, and returns the answer. */
    byte[] run() {
        final MoveMode mode = Objects.requireNonNull(MoveMode.of(request.argument(0)));
        if (mode == MoveMode.TAKE && request.argument(2) != 0) {
            maps.raise(view, collection.content().root(), request.argument(2));
        }
        final long token = token();                             // fences come in front of the lock of the collection
        return collection.content().read(() -> {
            List<byte[]> slice = List.of();
            switch (mode) {
                case MAKE -> make();
                case BEGIN -> begin(request.argument(1), request.argument(2));
                case STEP -> slice = step(request.argument(1), request.argument(2));
                case TAKE -> take(request.argument(1));
                case SETTLE -> settle();
                case LOOK -> hold(request.argument(1));
            }
            return PartRange.answer(collection, token, slice);
        });
    }

    private RangeState state() {
        final RangeState part = collection.part();
        return part == null ? RangeState.WHOLE : part;
    }

    private void set(RangeState next) {
        collection.setPart(view, next);
    }

    private long token() {
        final ChangeFence fence = maps.fence(collection.content().root());
        if (fence == null) {
            return 0;
        }
        final long token = fence.enter();
        fence.leave();
        return token;
    }

    /** Holds the splits of the part for a time, or ends the hold. */
    private void hold(long forNs) {
        if (forNs != 0) {
            collection.holdUntil(forNs < 0 ? nowNs : nowNs + Math.min(forNs, MoveMode.HOLD_NS_MAX));
        }
    }

    /** Changes the entries, as a record of their own in front of later records. */
    private void change(boolean mayAdd, Runnable step) {
        collection.content().change(new RawStep() {
            @Override
            public boolean mayAdd() {
                return mayAdd;
            }

            @Override
            public boolean run() {
                step.run();
                return true;
            }

            @Override
            public void changed() {
                // no slot has a result
            }

            @Override
            public void recorded() {
                // readers of these entries wait for the disks, as this answer does
            }
        }, null);
    }

    // ---- the target ----

    private void make() {
        final byte[] bytes = request.content();
        final RangeState wanted = RangeState.CODEC.read(new Input(bytes, 0, bytes.length));
        if (!wanted.isUnborn()) {
            throw new MalformedException(0, "a target that has keys", null);
        }
        if (collection.part() == null && content.longSize() == 0) {
            set(wanted);
        }
    }

    private void take(long slice) {
        final byte[] bytes = request.content();
        final List<byte[]> parts = PartReport.getAll(new Input(bytes, 0, bytes.length));
        final RangeState state = state();
        if (state.isSettled() || slice != state.taken() + 1) {
            return;
        }
        if (parts.size() % 2 == 0) {
            throw new MalformedException(bytes.length, "a slice of " + parts.size() + " parts", null);
        }
        final List<Object> keys = new ArrayList<>();
        for (int i = 1; i < parts.size(); i += 2) {
            keys.add(key(parts.get(i)));
        }
        if (!keys.isEmpty()) {
            change(true, () -> {
                for (int i = 0; i < keys.size(); i++) {
                    content.set(keys.get(i), parts.get(2 * i + 2));
                }
            });
        }
        set(state.took(parts.getFirst()));
    }

    private void settle() {
        if (!state().isSettled()) {
            set(state().settled());
        }
    }

    // ---- the part that is split ----

    private void begin(long target, long next) {
        final RangeState state = state();
        if (state.isSplitting() || state.isUnborn() || state.next() != next || target == 0
            || collection.isHeld(nowNs)) {
            return;
        }
        if (maps.ring(collection.content().root()) != null) {
            throw new StoreException(Category.DEGRADED, "a watched sorted map is not split");
        }
        final byte[] wanted = request.content();
        final boolean isKey = wanted.length > 0 && PartRange.has(state, collection.content(), key(wanted))
            && (state.low() == null || compare(wanted, state.low()) > 0);
        set(state.begun(target, Math.max(content.longSize() / 2, 1), isKey ? wanted : null));
    }

    private List<byte[]> step(long target, long taken) {
        if (target == 0 || state().target() != target) {
            return List.of();
        }
        if (state().hasSlice() && taken >= state().slices()) {
            release();
        }
        if (!state().hasSlice() && state().isSplitting() && taken == state().slices() && !collection.isHeld(nowNs)) {
            cut();
        }
        return state().hasSlice() ? slice() : List.of();
    }

    private Object key(byte[] bytes) {
        return RawContents.key(collection.content(), bytes, bytes.length);
    }

    private int compare(byte[] left, byte[] right) {
        return PartRange.order(collection.content()).compare(key(left), key(right));
    }

    private NavigableMap<Object, byte[]> behind() {
        return content.tailMap(key(Objects.requireNonNull(state().high())), true);
    }

    private void release() {
        final List<Object> keys = List.copyOf(behind().navigableKeySet());
        if (!keys.isEmpty()) {
            change(false, () -> keys.forEach(content::delete));
        }
        set(state().released());
    }

    /** Cuts the next slice, if there are entries to cut off, or a key ends the split. */
    private void cut() {
        final RangeState state = state();
        final byte[] until = state.until();
        final byte[] low = state.low();
        final long most = until == null ? Math.min(state.left(), MoveMode.SLICE_MAX) : MoveMode.SLICE_MAX;
        long bytes = 0;
        int count = 0;
        byte[] lowest = null;
        boolean isEnd = true;                                   // no entry is left above the end
        for (Map.Entry<Object, byte[]> entry : owned().entrySet()) {
            final byte[] key = RawContents.bytes(collection.content(), entry.getKey());
            if (until != null ? compare(key, until) < 0 : low != null && compare(key, low) == 0) {
                break;
            }
            bytes += key.length + entry.getValue().length;
            if (count == most || count > 0 && bytes > MoveMode.SLICE_BYTES_MAX) {
                isEnd = false;
                break;
            }
            lowest = key;
            count++;
        }
        if (until != null) {
            set(state.cut(isEnd || lowest == null ? until : lowest, count, isEnd));
        } else if (lowest != null) {
            set(state.cut(lowest, count, state.left() <= count));
        }
    }

    /** Returns the entries of the part, the highest key first. */
    private NavigableMap<Object, byte[]> owned() {
        final byte[] low = state().low();
        final byte[] high = state().high();
        NavigableMap<Object, byte[]> owned = content;
        if (low != null && high != null) {
            owned = content.subMap(key(low), true, key(high), false);
        } else if (low != null) {
            owned = content.tailMap(key(low), true);
        } else if (high != null) {
            owned = content.headMap(key(high), false);
        }
        return owned.descendingMap();
    }

    private List<byte[]> slice() {
        final List<byte[]> parts = new ArrayList<>();
        behind().forEach((key, value) -> {
            parts.add(RawContents.bytes(collection.content(), key));
            parts.add(value);
        });
        return parts;
    }
}
