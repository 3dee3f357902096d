package io.teff.test.suite.kills;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Samples the resources of a cluster of processes, and reports the metrics that grow. One sample is the sum over all
 * nodes; it is taken after each kill when all peers live and all zones have their backups, so that all samples are of
 * the same cluster.
 * The median of the last third of the samples is compared with that of the first third; the first samples, of a cluster
 * that warms up, do not count. For one thread.
 */
final class Growth {
    private static final int SAMPLES_MIN = 8;
    private static final int WARM = 2;
    private static final int PARTS = 3;
    private static final long KIB = 1_024;

    /** What is counted, and how much more of it is no growth. */
    enum Metric {
        THREADS(5, 4), DESCRIPTORS(10, 16), MEMORY_KIB(20, 32 * KIB), FILES(10, 24), FILE_KIB(30, 64 * KIB);

        private final int percent;
        private final long more;

        Metric(int percent, long more) {
            this.percent = percent;
            this.more = more;
        }

        private long bound(long value) {
            return value + value * percent / 100 + more;
        }
    }

    private final List<Map<Metric, Long>> samples = new ArrayList<>();

    /**
     * Takes a sample.
     *
     * @param processes numbers of the processes of all nodes
     * @param folder of the cluster
     */
    void sample(List<Long> processes, Path folder) throws IOException {
        Map<Metric, Long> sample = new EnumMap<>(Metric.class);
        for (long process : processes) {
            Path own = Path.of("/proc", Long.toString(process));
            for (String line : Files.readAllLines(own.resolve("status"))) {
                if (line.startsWith("VmRSS:")) {
                    sample.merge(Metric.MEMORY_KIB, number(line), Long::sum);
                } else if (line.startsWith("Threads:")) {
                    sample.merge(Metric.THREADS, number(line), Long::sum);
                }
            }
            try (Stream<Path> open = Files.list(own.resolve("fd"))) {
                sample.merge(Metric.DESCRIPTORS, open.count(), Long::sum);
            }
        }
        sample.put(Metric.FILES, 0L);
        sample.put(Metric.FILE_KIB, 0L);
        try (Stream<Path> files = Files.walk(folder)) {
            files.forEach(file -> count(file, sample));
        } catch (UncheckedIOException e) {                      // a file that was deleted meanwhile
            if (!(e.getCause() instanceof NoSuchFileException)) {
                throw e;
            }
        }
        samples.add(sample);
    }

    private static void count(Path file, Map<Metric, Long> sample) {
        try {
            if (Files.isRegularFile(file)) {
                long bytes = Files.size(file);
                sample.merge(Metric.FILES, 1L, Long::sum);
                sample.merge(Metric.FILE_KIB, bytes / KIB, Long::sum);
            }
        } catch (NoSuchFileException _) {
            // deleted meanwhile
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long number(String line) {
        return Long.parseLong(line.replaceAll("\\D", ""));
    }

    /** Returns a text for each metric that has grown; nothing for a run with too few samples. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        if (hasEnough()) {
            for (Metric metric : Metric.values()) {
                long first = first(metric);
                long last = last(metric);
                if (last > metric.bound(first)) {
                    faults.add(metric + " grow from " + first + " to " + last + ": " + all(metric));
                }
            }
        }
        return faults;
    }

    private boolean hasEnough() {
        return samples.size() >= SAMPLES_MIN;
    }

    private int part() {
        return (samples.size() - WARM) / PARTS;
    }

    private long first(Metric metric) {
        return median(metric, WARM, part());
    }

    private long last(Metric metric) {
        return median(metric, samples.size() - part(), part());
    }

    private long median(Metric metric, int from, int count) {
        return all(metric).subList(from, from + count).stream().sorted().skip(count / 2).findFirst().orElseThrow();
    }

    private List<Long> all(Metric metric) {
        return samples.stream().map(sample -> sample.get(metric)).toList();
    }

    /** Returns the medians of the first and of the last third, or the last sample of a run with too few of them. */
    @Override
    public String toString() {
        if (!hasEnough()) {
            return samples.isEmpty() ? "nothing sampled" : samples.getLast().toString();
        }
        return Arrays.stream(Metric.values()).map(metric -> metric + " from " + first(metric) + " to " + last(metric))
            .collect(Collectors.joining(", "));
    }
}
