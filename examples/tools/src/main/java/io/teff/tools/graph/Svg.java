package io.teff.tools.graph;

import io.teff.tools.console.Figures;

/** Builds a picture in SVG: lines, circles, bars and texts with escaped characters. */
final class Svg {
    private static final String FONT = "font-family=\"sans-serif\" font-size=\"";

    private final StringBuilder content = new StringBuilder();
    private final int width;
    private final int height;

    Svg(int width, int height) {
        this.width = width;
        this.height = height;
    }

    Svg line(double x1, double y1, double x2, double y2, String color) {
        content.append(Figures.text("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>%n", x1, y1,
            x2, y2, color));
        return this;
    }

    Svg circle(double x, double y, double radius, String color) {
        content.append(Figures.text("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"/>%n", x, y, radius, color));
        return this;
    }

    Svg bar(double x, double y, double barWidth, double barHeight, String color) {
        content.append(Figures.text("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>%n", x, y,
            barWidth, barHeight, color));
        return this;
    }

    /**
     * Adds a text.
     *
     * @param anchor {@code start}, {@code middle} or {@code end}: the part of the text at x
     */
    Svg text(double x, double y, int size, String anchor, String text) {
        content.append(Figures.text("<text x=\"%.1f\" y=\"%.1f\" %s%d\" text-anchor=\"%s\">", x, y, FONT, size, anchor))
            .append(escaped(text)).append(Figures.text("</text>%n"));
        return this;
    }

    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(it -> {
            switch (it) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                default -> escaped.appendCodePoint(it < ' ' || it >= Character.MIN_SURROGATE
                    && it <= Character.MAX_SURROGATE || it == 0xFFFE || it == 0xFFFF ? '?' : it);
            }
        });
        return escaped.toString();
    }

    String document() {
        return Figures.text("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            + "viewBox=\"0 0 %d %d\">%n<rect width=\"%d\" height=\"%d\" fill=\"white\"/>%n", width, height, width,
            height, width, height) + content + "</svg>\n";
    }
}
