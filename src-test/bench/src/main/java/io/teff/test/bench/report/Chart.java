package io.teff.test.bench.report;

import io.teff.test.bench.store.StoreKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;

/** A comparison as pictures: operations per second, and bytes per entry. */
public final class Chart {
    private static final int WIDTH = 1400;
    private static final int HEIGHT = 700;

    private Chart() {}

    /**
     * Writes the pictures of a comparison.
     *
     * @param comparison the figures
     * @param folder the target folder
     */
    public static void write(Comparison comparison, Path folder) throws IOException {
        for (int threads = 1; threads <= 2; threads++) {
            String suffix = "/" + threads;
            List<String> names = comparison.names().stream().filter(name -> name.endsWith(suffix)
                && !name.startsWith("nothing") && !name.startsWith("iterate")).toList();
            if (!names.isEmpty()) {
                write(comparison, names, "million operations per second, threads: " + threads,
                    folder.resolve(comparison.id() + "-threads-" + threads));
            }
        }
        write(comparison, List.of("bytes"), "bytes per entry, key and value included",
            folder.resolve(comparison.id() + "-bytes"));
    }

    private static void write(Comparison comparison, List<String> names, String what, Path file) throws IOException {
        CategoryChart chart = new CategoryChartBuilder().width(WIDTH).height(HEIGHT).title(comparison.title())
            .yAxisTitle(what).build();
        chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
        chart.getStyler().setYAxisMin(0.0);
        for (StoreKind kind : comparison.kinds()) {
            List<Double> medians = new ArrayList<>();
            for (String name : names) {
                double median = comparison.median(kind, name);
                medians.add(Double.isNaN(median) ? 0 : median);
            }
            chart.addSeries(kind.title(), names, medians);
        }
        BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
    }
}
