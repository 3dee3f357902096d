package io.teff.test.bench.rdma;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the figures in the output of programs in C. A figure that a program could not measure is missing in the result:
 * perftest prints {@code inf} or 0 where it has not found the frequency of the processor.
 */
final class ToolOutput {
    private static final double MEBIBYTE = 1 << 20;
    private static final double MILLION = 1e6;
    private static final double THOUSAND = 1e3;
    private static final String PERFTEST_HEAD = "#bytes";
    private static final String UCX_FINAL = "Final:";
    private static final int UCX_COLUMNS = 8;

    private ToolOutput() {}

    /** Returns the figures of {@code loops.c}: a number and a name in each line. */
    static Map<String, Double> loop(String output) {
        final Map<String, Double> figures = new LinkedHashMap<>();
        output.lines().map(String::strip).filter(line -> line.matches("-?[0-9.]+ .+")).forEach(line -> {
            final int blank = line.indexOf(' ');
            add(figures, line.substring(blank + 1), Double.parseDouble(line.substring(0, blank)));
        });
        return figures;
    }

    /** Returns the figures of a program of perftest: the line behind that with the names of the columns. */
    static Map<String, Double> perftest(String output) {
        final List<String> lines = output.lines().map(String::strip).toList();
        Map<String, Double> columns = Map.of();
        List<String> names = List.of();
        for (String line : lines) {
            if (line.startsWith(PERFTEST_HEAD)) {
                names = perftestColumns(line);
            } else if (!names.isEmpty() && line.matches("[0-9]+ .*")) {
                columns = columns(names, line);
            }
        }
        final Map<String, Double> figures = new LinkedHashMap<>();
        add(figures, "p50 us", columns.get("t_typical[usec]"));
        add(figures, "p99 us", columns.get("99% percentile[usec]"));
        add(figures, "p99.9 us", columns.get("99.9% percentile[usec]"));
        add(figures, "max us", columns.get("t_max[usec]"));
        add(figures, "M/s", columns.get("MsgRate[Mpps]"));
        final Double mebibytes = columns.get("BW average[MB/sec]");
        add(figures, "MB/s", mebibytes == null ? null : mebibytes * MEBIBYTE / MILLION);
        return figures;
    }

    /** Names of columns have a unit in brackets, and may have blanks before it. */
    private static List<String> perftestColumns(String line) {
        final List<String> names = new ArrayList<>();
        for (String part : line.replaceAll("([]])\\s+", "$1\t").replaceAll("(#\\w+)\\s+", "$1\t").split("\t")) {
            names.add(part.strip());
        }
        return names;
    }

    private static Map<String, Double> columns(List<String> names, String line) {
        final String[] cells = line.split("\\s+");
        final Map<String, Double> columns = new LinkedHashMap<>();
        for (int i = 0; i < Math.min(names.size(), cells.length); i++) {
            columns.put(names.get(i), number(cells[i]));
        }
        return columns;
    }

    /** Returns the figures of ucx_perftest: the last line, with the columns of all its tests. */
    static Map<String, Double> ucx(String output) {
        final Map<String, Double> figures = new LinkedHashMap<>();
        output.lines().map(String::strip).filter(line -> line.startsWith(UCX_FINAL)).forEach(line -> {
            final String[] cells = line.split("\\s+");
            if (cells.length == UCX_COLUMNS + 1) {
                add(figures, "p50 us", number(cells[2]));
                add(figures, "M/s", number(cells[UCX_COLUMNS]) / MILLION);
                add(figures, "K/s", number(cells[UCX_COLUMNS]) / THOUSAND);
                add(figures, "MB/s", number(cells[6]) * MEBIBYTE / MILLION);
            }
        });
        return figures;
    }

    private static double number(String cell) {
        return cell.matches("[0-9]+([.][0-9]+)?") ? Double.parseDouble(cell) : Double.NaN;
    }

    private static void add(Map<String, Double> figures, String name, @Nullable Double value) {
        if (value != null && Double.isFinite(value) && value > 0) {
            figures.put(name, value);
        }
    }
}
