package io.teff.cluster.collect;

import io.teff.engine.ChunkStore;
import io.teff.engine.error.StoreException;
import io.teff.engine.raw.RawMaps;
import java.util.function.Consumer;

/**
 * Opens the maps of a restored zone one after the other, so that the first request for a map finds the map open. Each
 * step opens one map, so that a recovery need not wait for all of them. A request for a map that is not open yet opens
 * the map itself.
 */
public final class MapOpening implements Runnable {
    private final ServedMaps maps;
    private final ChunkStore view;
    private final Consumer<Runnable> later;
    private long[] roots = {};
    private int next = -1;

    /**
     * Prepares an opening; {@link #run} begins.
     *
     * @param maps of the zone
     * @param view the served view of the zone
     * @param later runs the next step
     */
    public MapOpening(ServedMaps maps, ChunkStore view, Consumer<Runnable> later) {
        this.maps = maps;
        this.view = view;
        this.later = later;
    }

    @Override
    public void run() {
        try {
            if (next < 0) {
                roots = RawMaps.of(view).roots();
                next = 0;
            }
            if (next < roots.length) {
                open(roots[next++]);
                later.accept(this);
            }
        } catch (StoreException | IllegalStateException _) {
            return;                                             // the zone has ended, or the first request says why
        }
    }

    private void open(long root) {
        if (maps.known(root) == null) {
            maps.enter();
            try {
                maps.open(view, root);
            } finally {
                maps.leave();
            }
        }
    }
}
