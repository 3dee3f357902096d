package io.teff.cluster.console;

import io.teff.cluster.admin.Figure;
import io.teff.cluster.admin.Figure.Kind;
import io.teff.cluster.admin.FigureHistory;
import io.teff.cluster.admin.NodeFigures;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Figures over time for charts: gauges as they are, counters as growth per second. Figures of several nodes are put
 * together for each period; a period at an end that lacks nodes is left out. A counter that has become smaller belongs
 * to a new process, and has no growth at that moment.
 */
final class Series {
    private static final double MS_PER_S = 1e3;

    private Series() {}

    /** Returns a document: the times in milliseconds, and for each figure a value or null for each time. */
    static Map<String, Object> of(FigureHistory.Span span, List<FigureHistory> nodes, List<Figure> figures) {
        Map<Figure, TreeMap<Long, Double>> points = new LinkedHashMap<>();
        SortedSet<Long> periods = new TreeSet<>();
        Set<Long> partial = partial(nodes);
        for (Figure figure : figures) {
            TreeMap<Long, Double> all = new TreeMap<>();
            nodes.forEach(node -> add(node, figure, all));
            all.keySet().removeAll(partial);
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

    /** Returns the first and the last period, if fewer nodes have figures of it than of the period beside it. */
    private static Set<Long> partial(List<FigureHistory> nodes) {
        TreeMap<Long, Integer> counts = new TreeMap<>();
        for (FigureHistory node : nodes) {
            node.moments().stream().map(moment -> moment.atMs() / node.span().periodMs()).distinct()
                .forEach(period -> counts.merge(period, 1, Integer::sum));
        }
        Set<Long> partial = new HashSet<>();
        if (counts.size() > 2) {
            List<Integer> nodesOf = List.copyOf(counts.values());
            if (nodesOf.getFirst() < nodesOf.get(1)) {
                partial.add(counts.firstKey());
            }
            if (nodesOf.getLast() < nodesOf.get(nodesOf.size() - 2)) {
                partial.add(counts.lastKey());
            }
        }
        return partial;
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
