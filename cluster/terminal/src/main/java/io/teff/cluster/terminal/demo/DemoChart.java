package io.teff.cluster.terminal.demo;

import java.util.List;
import java.util.Locale;

/** The updates per second around the kill, with the steps of the recovery, as SVG. */
final class DemoChart {
    private static final int WIDTH = 1_000;
    private static final int HEIGHT = 420;
    private static final int LEFT = 90;
    private static final int RIGHT = 30;
    private static final int TOP = 110;
    private static final int BOTTOM = 50;
    private static final double SECOND = 1e9;

    private final List<DemoResult.Sample> samples;
    private final double fromS;
    private final double toS;
    private final double rateMax;

    private DemoChart(List<DemoResult.Sample> samples) {
        this.samples = samples;
        fromS = samples.getFirst().ns() / SECOND;
        toS = Math.max(samples.getLast().ns() / SECOND, fromS + 1);
        double max = 1;
        for (int i = 1; i < samples.size(); i++) {
            max = Math.max(max, rate(i));
        }
        rateMax = max;
    }

    /** Returns the document; there are at least two samples. */
    static String svg(DemoResult outcome) {
        return new DemoChart(outcome.samples()).draw(outcome);
    }

    private double rate(int i) {
        DemoResult.Sample now = samples.get(i);
        DemoResult.Sample before = samples.get(i - 1);
        return (now.updates() - before.updates()) / Math.max((now.ns() - before.ns()) / SECOND, 1e-9);
    }

    private double x(double seconds) {
        return LEFT + (seconds - fromS) / (toS - fromS) * (WIDTH - LEFT - RIGHT);
    }

    private double y(double rate) {
        return HEIGHT - BOTTOM - rate / rateMax * (HEIGHT - TOP - BOTTOM);
    }

    private String draw(DemoResult outcome) {
        StringBuilder svg = new StringBuilder();
        line(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
            + "font-size=\"13\">", WIDTH, HEIGHT);
        line(svg, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>");
        line(svg, "<text x=\"%d\" y=\"22\" font-size=\"16\">Acknowledged updates per second; a peer is killed at 0 s"
            + "</text>", LEFT);
        axes(svg);
        StringBuilder points = new StringBuilder();
        for (int i = 1; i < samples.size(); i++) {
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(samples.get(i).ns() / SECOND), y(rate(i))));
        }
        line(svg, "<polyline fill=\"none\" stroke=\"#1f5fbf\" stroke-width=\"1.5\" points=\"%s\"/>", points);
        mark(svg, 0, "killed", 0);
        int row = 1;
        for (Timeline.Step step : outcome.timeline().steps()) {
            if (step.ns() >= 0) {
                mark(svg, step.ns() / SECOND, String.format(Locale.ROOT, "%s: %.0f ms", step.name(), step.ns() / 1e6),
                    row++);
            }
        }
        line(svg, "</svg>");
        return svg.toString();
    }

    private void axes(StringBuilder svg) {
        line(svg, "<path d=\"M%d %d V%d H%d\" fill=\"none\" stroke=\"black\"/>", LEFT, TOP, HEIGHT - BOTTOM,
            WIDTH - RIGHT);
        for (int i = 0; i <= 4; i++) {
            double rate = rateMax * i / 4;
            line(svg, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%,.0f</text>", LEFT - 8, y(rate) + 4, rate);
        }
        for (int second = (int) Math.ceil(fromS); second <= toS; second++) {
            line(svg, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d s</text>", x(second), HEIGHT - BOTTOM + 20,
                second);
        }
    }

    private void mark(StringBuilder svg, double seconds, String text, int row) {
        line(svg, "<path d=\"M%.1f %d V%d\" stroke=\"#c02020\" stroke-dasharray=\"4 3\"/>", x(seconds),
            40 + row * 14, HEIGHT - BOTTOM);
        line(svg, "<text x=\"%.1f\" y=\"%d\" fill=\"#c02020\">%s</text>", x(seconds) + 4, 50 + row * 14, text);
    }

    private static void line(StringBuilder svg, String form, Object... values) {
        svg.append(String.format(Locale.ROOT, form, values)).append('\n');
    }
}
