package io.teff.tools.graph;

import io.teff.tools.console.Figures;

/** Charts of figures of a graph: the distribution of degrees, and the sizes of levels. */
final class GraphCharts {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 420;
    private static final int LEFT = 80;
    private static final int RIGHT = 20;
    private static final int TOP = 50;
    private static final int BOTTOM = 60;
    private static final int TEXT = 12;
    private static final int TITLE = 16;
    private static final String INK = "#1f5a96";
    private static final String GRID = "#dddddd";
    private static final double DOT = 2.2;
    private static final double GAP = 0.15;
    private static final int LABELS_MAX = 20;

    private GraphCharts() {}

    /**
     * Draws the number of vertices of each degree, both axes by powers of ten. Vertices without arcs are in the title.
     *
     * @param counts number of vertices by degree
     */
    static String degrees(String title, long[] counts) {
        Svg svg = new Svg(WIDTH, HEIGHT);
        long most = 1;
        for (int degree = 1; degree < counts.length; degree++) {
            most = Math.max(most, counts[degree]);
        }
        double decadesX = decades(Math.max(1, counts.length - 1));
        double decadesY = decades(most);
        axes(svg, title + ", " + Figures.count(counts.length == 0 ? 0 : counts[0]) + " vertices without arcs");
        for (int power = 0; power <= decadesX; power++) {
            double x = x(power / decadesX);
            svg.line(x, TOP, x, HEIGHT - BOTTOM, GRID).text(x, HEIGHT - BOTTOM + 18, TEXT, "middle", "10^" + power);
        }
        for (int power = 0; power <= decadesY; power++) {
            double y = y(power / decadesY);
            svg.line(LEFT, y, WIDTH - RIGHT, y, GRID).text(LEFT - 8, y + 4, TEXT, "end", "10^" + power);
        }
        for (int degree = 1; degree < counts.length; degree++) {
            if (counts[degree] > 0) {
                svg.circle(x(Math.log10(degree) / decadesX), y(Math.log10(counts[degree]) / decadesY), DOT, INK);
            }
        }
        svg.text(x(0.5), HEIGHT - 14, TEXT, "middle", "degree");
        return svg.text(LEFT, TOP - 10, TEXT, "middle", "vertices").document();
    }

    private static double decades(long max) {
        return Math.max(1, Math.ceil(Math.log10(max)));
    }

    /** Draws a bar for each level of a search; the height is the number of vertices. */
    static String levels(String title, int[] sizes) {
        Svg svg = new Svg(WIDTH, HEIGHT);
        axes(svg, title);
        int most = 1;
        for (int size : sizes) {
            most = Math.max(most, size);
        }
        double step = 1.0 / Math.max(1, sizes.length);
        int every = Math.max(1, Math.ceilDiv(sizes.length, LABELS_MAX));
        for (int level = 0; level < sizes.length; level++) {
            double x = x(level * step);
            double width = (WIDTH - LEFT - RIGHT) * step;
            double y = y((double) sizes[level] / most);
            svg.bar(x + width * GAP, y, width * (1 - 2 * GAP), HEIGHT - BOTTOM - y, INK);
            if (level % every == 0) {
                svg.text(x + width / 2, HEIGHT - BOTTOM + 18, TEXT, "middle", String.valueOf(level));
                svg.text(x + width / 2, y - 4, TEXT, "middle", Figures.compact(sizes[level]));
            }
        }
        svg.text(x(0.5), HEIGHT - 14, TEXT, "middle", "level: number of arcs from the root");
        return svg.text(LEFT, TOP - 10, TEXT, "middle", "vertices").document();
    }

    private static void axes(Svg svg, String title) {
        svg.text(WIDTH / 2.0, 24, TITLE, "middle", title);
        svg.line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "black");
        svg.line(LEFT, TOP, LEFT, HEIGHT - BOTTOM, "black");
    }

    private static double x(double share) {
        return LEFT + share * (WIDTH - LEFT - RIGHT);
    }

    private static double y(double share) {
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
    }
}
