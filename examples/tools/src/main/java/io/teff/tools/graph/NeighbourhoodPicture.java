package io.teff.tools.graph;

import io.teff.graph.Neighbours;
import io.teff.graph.names.LabelledSearch;
import java.util.HashMap;
import java.util.Map;

/** Draws a vertex, the vertices around it on circles by their levels, and the arcs between these. */
final class NeighbourhoodPicture {
    private static final int SIZE = 900;
    private static final int MARGIN = 110;
    private static final int TEXT = 11;
    private static final int TITLE = 15;
    private static final int NAME_MAX = 28;
    private static final double DOT = 4;
    private static final String[] COLORS = {"#c0392b", "#1f5a96", "#2e7d4f", "#8a6d1f", "#666666"};

    private NeighbourhoodPicture() {}

    private record Place(double x, double y) {}

    /**
     * Draws the first reached vertices of a search.
     *
     * @param verticesMax at most as many, the nearest first
     */
    static String draw(OpenGraph graph, LabelledSearch search, int verticesMax) {
        int[] order = search.order();
        int count = Math.min(order.length, verticesMax);
        int depth = Math.max(1, search.level(order[count - 1]));
        Map<Integer, Place> places = places(search, order, count, depth);
        Svg svg = new Svg(SIZE, SIZE);
        svg.text(SIZE / 2.0, 24, TITLE, "middle", graph.name(order[0]) + ": " + count + " of "
            + search.reachedCount() + " vertices");
        Neighbours cursor = graph.graph().neighbours();
        for (int i = 0; i < count; i++) {
            Place from = places.get(order[i]);
            for (int left = cursor.open(order[i]); left > 0; left--) {
                Place to = places.get(cursor.next());
                if (to != null && from != null && !to.equals(from)) {
                    svg.line(from.x(), from.y(), to.x(), to.y(), "#bbbbbb");
                }
            }
        }
        for (int i = 0; i < count; i++) {
            Place place = places.get(order[i]);
            if (place != null) {
                int level = Math.min(search.level(order[i]), COLORS.length - 1);
                svg.circle(place.x(), place.y(), level == 0 ? 2 * DOT : DOT, COLORS[level]);
                String anchor = place.x() < SIZE / 2.0 - 1 ? "end" : place.x() > SIZE / 2.0 + 1 ? "start" : "middle";
                double shift = anchor.equals("end") ? -7 : anchor.equals("start") ? 7 : 0;
                svg.text(place.x() + shift, place.y() + (shift == 0 ? -10 : 4), TEXT, anchor,
                    cut(graph.name(order[i])));
            }
        }
        return svg.document();
    }

    private static Map<Integer, Place> places(LabelledSearch search, int[] order, int count, int depth) {
        int[] onLevel = new int[depth + 1];
        for (int i = 0; i < count; i++) {
            onLevel[search.level(order[i])]++;
        }
        int[] placed = new int[depth + 1];
        Map<Integer, Place> places = new HashMap<>();
        for (int i = 0; i < count; i++) {
            int level = search.level(order[i]);
            double radius = (double) level / depth * (SIZE / 2.0 - MARGIN);
            double angle = 2 * Math.PI * (placed[level]++ + level * 0.25) / onLevel[level];
            places.put(order[i], new Place(SIZE / 2.0 + radius * Math.cos(angle),
                SIZE / 2.0 + radius * Math.sin(angle)));
        }
        return places;
    }

    private static String cut(String name) {
        return name.length() <= NAME_MAX ? name : name.substring(0, NAME_MAX - 3) + "...";
    }
}
