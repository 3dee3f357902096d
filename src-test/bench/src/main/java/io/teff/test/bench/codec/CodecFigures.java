package io.teff.test.bench.codec;

import io.teff.test.bench.report.Machine;
import io.teff.test.bench.report.ReportHead;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The figures of all libraries, by kind of value. */
final class CodecFigures {
    private static final int TITLE_WIDTH = 16;

    private final Map<ShapeKind, Map<CodecKind, List<Figure>>> all = new EnumMap<>(ShapeKind.class);

    /**
     * One round of one library with one kind of value.
     *
     * @param bytes mean bytes of a value
     * @param writeNs time to write a value
     * @param readNs time to read a value
     * @param writeAllocated bytes that writing a value allocates
     * @param readAllocated bytes that reading a value allocates
     */
    record Figure(double bytes, double writeNs, double readNs, double writeAllocated, double readAllocated) {}

    void add(ShapeKind shape, CodecKind codec, Figure figure) {
        all.computeIfAbsent(shape, key -> new EnumMap<>(CodecKind.class))
            .computeIfAbsent(codec, key -> new ArrayList<>()).add(figure);
    }

    private static double median(List<Figure> figures, ToDoubleFunction<Figure> value) {
        double[] sorted = figures.stream().mapToDouble(value).sorted().toArray();
        return sorted.length % 2 == 1 ? sorted[sorted.length / 2]
            : (sorted[sorted.length / 2 - 1] + sorted[sorted.length / 2]) / 2;
    }

    /** The median of the ratios of two libraries' times in the same round. */
    private static double ratio(List<Figure> others, List<Figure> teff, ToDoubleFunction<Figure> time) {
        double[] ratios = new double[Math.min(others.size(), teff.size())];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = time.applyAsDouble(others.get(i)) / time.applyAsDouble(teff.get(i));
        }
        Arrays.sort(ratios);
        return ratios[ratios.length / 2];
    }

    String table(Machine machine) {
        StringBuilder text = new StringBuilder(new ReportHead(machine).text());
        all.forEach((shape, codecs) -> {
            List<Figure> teff = codecs.get(CodecKind.TEFF);
            text.append(String.format(Locale.ROOT, "%n%s%n%-" + TITLE_WIDTH + "s %9s %11s %11s %9s %10s %10s %9s%n",
                shape.title(), "", "bytes", "write ns", "read ns", "write x", "read x", "alloc w", "alloc r"));
            codecs.forEach((codec, figures) -> text.append(String.format(Locale.ROOT,
                "%-" + TITLE_WIDTH + "s %9.1f %11.1f %11.1f %9s %10s %10.0f %9.0f%n", codec.title(),
                median(figures, Figure::bytes), median(figures, Figure::writeNs), median(figures, Figure::readNs),
                teff == null ? "" : String.format(Locale.ROOT, "%.2f", ratio(figures, teff, Figure::writeNs)),
                teff == null ? "" : String.format(Locale.ROOT, "%.2f", ratio(figures, teff, Figure::readNs)),
                median(figures, Figure::writeAllocated), median(figures, Figure::readAllocated))));
        });
        return text.append(System.lineSeparator()).append("x: how many times Teff's time it takes; alloc: bytes "
            + "allocated to write and to read a value").toString();
    }

    String json(Machine machine) throws IOException {
        Map<String, Object> document = new LinkedHashMap<>();
        all.forEach((shape, codecs) -> {
            Map<String, Object> byCodec = new LinkedHashMap<>();
            codecs.forEach((codec, figures) -> byCodec.put(codec.toString(), fields(figures)));
            document.put(shape.toString(), byCodec);
        });
        return new ReportHead(machine).json(document);
    }

    private static Map<String, Object> fields(List<Figure> figures) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("bytes", figures.getFirst().bytes());
        fields.put("writeNs", figures.stream().map(Figure::writeNs).toList());
        fields.put("readNs", figures.stream().map(Figure::readNs).toList());
        fields.put("writeAllocatedBytes", median(figures, Figure::writeAllocated));
        fields.put("readAllocatedBytes", median(figures, Figure::readAllocated));
        return fields;
    }
}
