package io.teff.cluster.figure;

import io.teff.cluster.admin.Figure;
import io.teff.cluster.admin.NodeFigures;
import java.util.ArrayList;
import java.util.List;

/**
 * The figures of the last moments, in arrays of fixed size: a full ring drops the oldest moment for each new moment.
 * Thread-safe.
 * <pre>
 *  times   t0 t1 t2 ...            a moment each
 *  values  [t0: f0 f1 ... fn] [t1: f0 f1 ... fn] ...
 * </pre>
 */
final class FigureRing {
    private static final int FIGURES = Figure.values().length;

    private final long[] times;
    private final long[] values;
    private int next;
    private int count;

    /** Makes an empty ring for a number of moments. */
    FigureRing(int capacity) {
        times = new long[capacity];
        values = new long[capacity * FIGURES];
    }

    synchronized void add(NodeFigures figures) {
        times[next] = figures.atMs();
        figures.copyTo(values, next * FIGURES);
        next = (next + 1) % times.length;
        count = Math.min(count + 1, times.length);
    }

    /** Returns the moments from the oldest to the newest. */
    synchronized List<NodeFigures> moments() {
        List<NodeFigures> moments = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int place = (next - count + i + times.length) % times.length;
            moments.add(NodeFigures.of(times[place], values, place * FIGURES, FIGURES));
        }
        return moments;
    }
}
