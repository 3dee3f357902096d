package io.teff.cluster.message;

import io.teff.cluster.admin.Figure;
import io.teff.cluster.admin.NodeFigures;
import io.teff.engine.codec.MalformedException;
import java.util.ArrayList;
import java.util.List;

/**
 * Figures of a node at some moments. A node of another version may have more or fewer figures.
 *
 * @param nowMs wall clock of the node at the answer, in milliseconds since 1970
 * @param figures number of figures of each moment
 * @param times the moments from the oldest to the newest, in milliseconds since 1970
 * @param values the figures of the first moment in the order of {@link Figure}, then of the second, and so on
 */
public record FiguresAnswer(long nowMs, int figures, long[] times, long[] values) {
    /**
     * Makes an answer.
     *
     * @param nowMs wall clock, in milliseconds since 1970
     * @param moments from the oldest to the newest
     * @return the answer
     */
    public static FiguresAnswer of(long nowMs, List<NodeFigures> moments) {
        int figures = Figure.values().length;
        long[] times = new long[moments.size()];
        long[] values = new long[moments.size() * figures];
        for (int i = 0; i < times.length; i++) {
            times[i] = moments.get(i).atMs();
            moments.get(i).copyTo(values, i * figures);
        }
        return new FiguresAnswer(nowMs, figures, times, values);
    }

    /** {@return the moments from the oldest to the newest} */
    public List<NodeFigures> moments() {
        if (figures < 0 || values.length != (long) figures * times.length) {
            throw new MalformedException(0, values.length + " values of " + figures + " figures at " + times.length
                + " moments", null);
        }
        List<NodeFigures> moments = new ArrayList<>();
        for (int i = 0; i < times.length; i++) {
            moments.add(NodeFigures.of(times[i], values, i * figures, figures));
        }
        return moments;
    }
}
