package io.teff.tools.heap;

import io.teff.engine.report.HeapMap;
import io.teff.engine.report.HeapReport;
import io.teff.tools.console.Figures;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;

/**
 * Draws the memory of a store: one square per cell, in order of addresses from left to right and then down.
 * <pre>
 *   | title                                   |
 *   +--------+--------------------------------+
 *   | offset | cells                          |
 *   +--------+--------------------------------+
 *   | legend, in two lines                    |
 * </pre>
 * The colour of a cell is that of its most frequent use. Slot pages are coloured by their fill, bright for sparse and
 * dark for full, so that sparse pages stand out; each other use has one colour.
 */
final class MapPicture {
    private static final int GRID_WIDTH = 1024;
    private static final int COLUMNS_MAX = 256;
    private static final int COLUMNS_MIN = 64;
    private static final int MARGIN = 24;
    private static final int LABEL_WIDTH = 84;
    private static final int TITLE_HEIGHT = 56;
    private static final int LEGEND_HEIGHT = 92;
    private static final int LABEL_DISTANCE = 64;
    private static final int SWATCH = 16;
    private static final int RAMP_WIDTH = 240;
    private static final int TEXT_BASELINE = 13;
    private static final int LEGEND_STEP = 34;
    private static final int LEGEND_GAP = 28;

    private static final Color TABLE = new Color(0x3F8FC4);
    private static final Color RUN = new Color(0x4E9F50);
    private static final Color FREE_COMMITTED = new Color(0xB8BCC2);
    private static final Color FREE = new Color(0xE9EBEE);
    private static final Color TEXT = new Color(0x22262B);
    /** Colours of page fills from 0 to 1, at equal distances. */
    private static final Color[] RAMP = {new Color(0xFFF07A), new Color(0xFDB147), new Color(0xE0604F),
        new Color(0x97276B), new Color(0x2C0F4E)};

    private final HeapReport report;
    private final HeapMap map;
    private final int columns;
    private final int rows;
    private final int cellSize;

    private MapPicture(HeapReport report) {
        this.report = report;
        this.map = report.map();
        int wanted = COLUMNS_MIN;
        while (wanted < COLUMNS_MAX && (long) wanted * wanted < map.cellCount()) {
            wanted *= 2;
        }
        columns = wanted;
        rows = Math.max((map.cellCount() + columns - 1) / columns, 1);
        cellSize = GRID_WIDTH / columns;
    }

    /** Draws the map of a report into a PNG file. */
    static void write(HeapReport report, String name, Path target) throws IOException {
        System.setProperty("java.awt.headless", "true");       // no screen is needed
        try (OutputStream file = Files.newOutputStream(target)) {
            ImageIO.write(new MapPicture(report).draw(name), "png", file);
        }
    }

    private BufferedImage draw(String name) {
        int width = MARGIN + LABEL_WIDTH + GRID_WIDTH + MARGIN;
        int height = MARGIN + TITLE_HEIGHT + rows * cellSize + LEGEND_HEIGHT + MARGIN;
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D pen = image.createGraphics();
        try {
            pen.setColor(Color.WHITE);
            pen.fillRect(0, 0, width, height);
            pen.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
            title(pen, name);
            cells(pen);
            labels(pen);
            legend(pen);
        } finally {
            pen.dispose();
        }
        return image;
    }

    private void title(Graphics2D pen, String name) {
        pen.setColor(TEXT);
        pen.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 18));
        pen.drawString(name, MARGIN, MARGIN + TEXT_BASELINE);
        pen.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 13));
        pen.drawString(Figures.text("%s of memory in cells of %s, by address from left to right, then down; %s chunks, "
            + "%s payload", Figures.bytes(map.regionBytes()), Figures.bytes(map.cellBytes()),
            Figures.count(report.chunks()), Figures.bytes(report.payloadBytes())), MARGIN, MARGIN + LEGEND_STEP);
    }

    // ---- cells ----

    private void cells(Graphics2D pen) {
        for (int cell = 0; cell < map.cellCount(); cell++) {
            pen.setColor(color(map, cell));
            pen.fillRect(MARGIN + LABEL_WIDTH + cell % columns * cellSize,
                MARGIN + TITLE_HEIGHT + cell / columns * cellSize, cellSize, cellSize);
        }
    }

    /** Returns the colour of the most frequent use of a cell. */
    static Color color(HeapMap map, int cell) {
        long committed = map.freeCommittedBytes(cell);
        long[] parts = {map.slotPageBytes(cell), map.tableBytes(cell), map.runBytes(cell), committed,
            map.freeBytes(cell) - committed};
        int most = 0;
        for (int i = 1; i < parts.length; i++) {
            most = parts[i] > parts[most] ? i : most;
        }
        return switch (most) {
            case 0 -> ramp(map.fill(cell));
            case 1 -> TABLE;
            case 2 -> RUN;
            case 3 -> FREE_COMMITTED;
            default -> FREE;
        };
    }

    /** Returns the colour of a fill from 0 to 1. */
    static Color ramp(double fill) {
        double at = fill * (RAMP.length - 1);
        int below = Math.min((int) at, RAMP.length - 2);
        return new Color(mix(RAMP[below].getRed(), RAMP[below + 1].getRed(), at - below),
            mix(RAMP[below].getGreen(), RAMP[below + 1].getGreen(), at - below),
            mix(RAMP[below].getBlue(), RAMP[below + 1].getBlue(), at - below));
    }

    private static int mix(int from, int target, double share) {
        return (int) Math.round(from + (target - from) * share);
    }

    /** Draws offsets from the first byte of the region, to the left of some rows. */
    private void labels(Graphics2D pen) {
        pen.setColor(TEXT);
        int distance = Math.max(LABEL_DISTANCE / cellSize, 1);
        for (int row = 0; row < rows; row += distance) {
            pen.drawString(Figures.bytes((double) row * columns * map.cellBytes()), MARGIN,
                MARGIN + TITLE_HEIGHT + row * cellSize + TEXT_BASELINE);
        }
    }

    // ---- legend ----

    private void legend(Graphics2D pen) {
        HeapReport.Memory memory = report.memory();
        int y = MARGIN + TITLE_HEIGHT + rows * cellSize + LEGEND_GAP;
        int x = MARGIN + LABEL_WIDTH;
        for (int i = 0; i < RAMP_WIDTH; i++) {
            pen.setColor(ramp((double) i / (RAMP_WIDTH - 1)));
            pen.fillRect(x + i, y, 1, SWATCH);
        }
        pen.setColor(TEXT);
        pen.drawString(Figures.text("pages of slots, %s: slots in use from 0 to 100 %%",
            Figures.bytes(memory.slotPageBytes())), x + RAMP_WIDTH + SWATCH, y + TEXT_BASELINE);
        y += LEGEND_STEP;
        x = swatch(pen, x, y, TABLE, "table", memory.tableBytes());
        x = swatch(pen, x, y, RUN, "large chunks", memory.runBytes());
        x = swatch(pen, x, y, FREE_COMMITTED, "free, committed", memory.freeCommittedBytes());
        swatch(pen, x, y, FREE, "free", memory.freeBytes() - memory.freeCommittedBytes());
    }

    /** Draws one entry of the legend; returns the x coordinate of the next one. */
    private static int swatch(Graphics2D pen, int x, int y, Color color, String name, long bytes) {
        String text = name + ", " + Figures.bytes(bytes);
        pen.setColor(color);
        pen.fillRect(x, y, SWATCH, SWATCH);
        pen.setColor(TEXT);
        pen.drawString(text, x + SWATCH + SWATCH / 2, y + TEXT_BASELINE);
        return x + 2 * SWATCH + pen.getFontMetrics().stringWidth(text) + LEGEND_GAP;
    }
}
