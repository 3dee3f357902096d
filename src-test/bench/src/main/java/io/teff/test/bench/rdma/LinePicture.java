package io.teff.test.bench.rdma;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Lines through points in a picture (SVG) with logarithmic axes. For one thread. */
final class LinePicture {
    private static final int WIDTH = 960;
    private static final int HEIGHT = 560;
    private static final int LEFT = 80;
    private static final int RIGHT = 300;
    private static final int TOP = 50;
    private static final int BOTTOM = 60;
    private static final int ROW = 20;
    private static final double EDGE = 1e-9;
    private static final List<String> COLOURS = List.of("#1b6ca8", "#d1495b", "#2e8b57", "#edae49", "#6a4c93",
        "#00798c", "#8d6a3f", "#555555", "#c2571a", "#4f9d2f", "#b0429c", "#1d3557");

    private final String title;
    private final String across;
    private final String up;
    private final List<Line> lines = new ArrayList<>();

    /**
     * A point.
     *
     * @param x positive
     * @param y positive
     */
    record Point(double x, double y) {}

    private record Line(String name, List<Point> points) {}

    /** The powers of ten that enclose some numbers. */
    private record Axis(int low, int high) {
        static Axis around(List<Double> values) {
            final double least = values.stream().min(Comparator.naturalOrder()).orElse(1.0);
            final double most = values.stream().max(Comparator.naturalOrder()).orElse(1.0);
            final int low = (int) Math.floor(Math.log10(least) + EDGE);
            return new Axis(low, Math.max(low + 1, (int) Math.ceil(Math.log10(most) - EDGE)));
        }

        double share(double value) {
            return (Math.log10(value) - low) / (high - low);
        }
    }

    LinePicture(String title, String across, String up) {
        this.title = title;
        this.across = across;
        this.up = up;
    }

    /** Adds a line, unless it has no point. */
    void add(String name, List<Point> points) {
        if (!points.isEmpty()) {
            lines.add(new Line(name, points.stream().sorted(Comparator.comparingDouble(Point::x)).toList()));
        }
    }

    String svg() {
        final List<Point> all = lines.stream().flatMap(line -> line.points.stream()).toList();
        final Axis x = Axis.around(all.stream().map(Point::x).toList());
        final Axis y = Axis.around(all.stream().map(Point::y).toList());
        final StringBuilder svg = new StringBuilder();
        add(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
            + "font-size=\"13\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n", WIDTH, HEIGHT);
        text(svg, LEFT, TOP / 2.0, "start", title);
        text(svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - ROW, "middle", across);
        text(svg, LEFT, TOP - 8.0, "end", up);
        for (int power = x.low; power <= x.high; power++) {
            final double at = atX(x, Math.pow(10, power));
            grid(svg, at, TOP, at, HEIGHT - BOTTOM);
            text(svg, at, HEIGHT - BOTTOM + ROW, "middle", number(power));
        }
        for (int power = y.low; power <= y.high; power++) {
            final double at = atY(y, Math.pow(10, power));
            grid(svg, LEFT, at, WIDTH - RIGHT, at);
            text(svg, LEFT - 6.0, at + 4, "end", number(power));
        }
        for (int i = 0; i < lines.size(); i++) {
            line(svg, lines.get(i), x, y, COLOURS.get(i % COLOURS.size()), TOP + (i + 1.0) * ROW);
        }
        return svg.append("</svg>\n").toString();
    }

    private static String number(int power) {
        return power < 0 ? String.format(Locale.ROOT, "%." + -power + "f", Math.pow(10, power))
            : String.format(Locale.ROOT, "%,.0f", Math.pow(10, power));
    }

    private static double atX(Axis axis, double value) {
        return LEFT + axis.share(value) * (WIDTH - RIGHT - LEFT);
    }

    private static double atY(Axis axis, double value) {
        return HEIGHT - BOTTOM - axis.share(value) * (HEIGHT - BOTTOM - TOP);
    }

    private static void line(StringBuilder svg, Line line, Axis x, Axis y, String colour, double row) {
        final StringBuilder path = new StringBuilder();
        for (Point point : line.points) {
            final double atX = atX(x, point.x);
            final double atY = atY(y, point.y);
            add(path, "%s%.1f,%.1f", path.isEmpty() ? "" : " ", atX, atY);
            add(svg, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n", atX, atY, colour);
        }
        add(svg, "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>%n", path, colour);
        add(svg, "<rect x=\"%d\" y=\"%.1f\" width=\"12\" height=\"12\" fill=\"%s\"/>%n", WIDTH - RIGHT + ROW, row - 11,
            colour);
        text(svg, WIDTH - RIGHT + 2.0 * ROW, row, "start", line.name);
    }

    private static void grid(StringBuilder svg, double x1, double y1, double x2, double y2) {
        add(svg, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\"/>%n", x1, y1, x2, y2);
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String words) {
        add(svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n", x, y, anchor,
            words.replace("&", "&amp;").replace("<", "&lt;"));
    }

    private static void add(StringBuilder svg, String format, Object... arguments) {
        svg.append(String.format(Locale.ROOT, format, arguments));
    }
}
