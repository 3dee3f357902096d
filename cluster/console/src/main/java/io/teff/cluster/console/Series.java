package io.teff.cluster.console;

import io.teff.cluster.admin.Figure;
import io.teff.cluster.admin.Figure.Kind;
import io.teff.cluster.admin.FigureHistory;
import io.teff.cluster.admin.NodeFigures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Figures over time for charts: gauges as they are, counters as growth per second. Figures of several nodes are put
 * together for each period. A counter that has become smaller belongs to a new process, and has no growth at that
 * moment.
 */
final class Series {
    private static final double MS_PER_S = 1e3;

    private Series() {}

    /** Returns a document: the times in milliseconds, and for each figure a value or null for each time. */
    static Map<String, Object> of(FigureHistory.Span span, List<FigureHistory> nodes, List<Figure> figures) {
        Map<Figure, TreeMap<Long, Double>> points = new LinkedHashMap<>();
        SortedSet<Long> periods = new TreeSet<>();
        for (Figure figure : figures) {
            TreeMap<Long, Double> all = new TreeMap<>();
            nodes.forEach(node -> add(node, figure, all));
            points.put(figure, all);
            periods.addAll(all.keySet());
        }
        Map<String, Object> values = new LinkedHashMap<>();
        points.forEach((figure, all) -> {
            List<@Nullable Double> line = new ArrayList<>();
            periods.forEach(period -> line.add(all.get(period)));
            values.put(figure.text(), line);
        });
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("periodMs", span.periodMs());
        json.put("times", periods.stream().map(period -> period * span.periodMs()).toList());
        json.put("figures", values);
        return json;
    }

    private static void add(FigureHistory node, Figure figure, Map<Long, Double> all) {
        NodeFigures before = null;
        for (NodeFigures moment : node.moments()) {
            Double value = figure.kind() == Kind.COUNTER ? growth(before, moment, figure)
                : moment.has(figure) ? Double.valueOf(moment.get(figure)) : null;
            if (value != null) {
                all.merge(moment.atMs() / node.span().periodMs(), value, (one, other) -> switch (figure.kind()) {
                    case COUNTER, GAUGE -> one + other;
                    case GAUGE_MAX -> Math.max(one, other);
                    case GAUGE_MIN -> Math.min(one, other);
                });
            }
            before = moment;
        }
    }

    private static @Nullable Double growth(@Nullable NodeFigures before, NodeFigures now, Figure figure) {
        if (before == null || !before.has(figure) || !now.has(figure) || now.get(figure) < before.get(figure)
            || now.atMs() <= before.atMs()) {
            return null;
        }
        return (now.get(figure) - before.get(figure)) * MS_PER_S / (now.atMs() - before.atMs());
    }
}
