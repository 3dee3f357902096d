package io.teff.test.cluster.kills;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Samples the resources of a cluster of processes, and reports the metrics that grow. One sample is the sum over all
 * nodes; it is taken after each kill when all peers live and all zones have their backups, so that all samples are of
 * the same cluster.
 * The median of the last third of the samples is compared with that of the first third; the first samples, of a cluster
 * that warms up, do not count.
 *
 * <p>The primary log of each peer is a ring of files of equal length, which a peer makes when it first needs them, up
 * to a bound. The number of files in a ring is compared with the bound; they do not count as files, as one of them is
 * longer than all that other files may grow. For one thread.
 */
final class Growth {
    private static final int SAMPLES_MIN = 8;
    private static final int WARM = 2;
    /** A cluster with fewer samples is young. */
    private static final int YOUNG = 30;
    private static final int PARTS = 3;
    private static final long KIB = 1_024;
    private static final Pattern RING_FILE = Pattern.compile("primary-\\d+");
    /** The eight of a log with default sizes, one that is filled, and one that is free. */
    private static final int RING_FILES_MAX = 10;

    /** What is counted, and how much more of it is no growth. */
    enum Metric {
        THREADS(3, 4, 0), DESCRIPTORS(3, 8, 0), MEMORY_KIB(10, 32 * KIB, 64 * KIB), FILES(4, 8, 100),
        FILE_KIB(10, 16 * KIB, 0);

        private final int percent;
        private final long more;
        /** Added in a young cluster, whose zones create their first segments and whose processes compile. */
        private final long young;

        Metric(int percent, long more, long young) {
            this.percent = percent;
            this.more = more;
            this.young = young;
        }

        private long bound(long value, boolean isYoung) {
            return value + value * percent / 100 + more + (isYoung ? young : 0);
        }
    }

    private final List<Map<Metric, Long>> samples = new ArrayList<>();
    private int ringFilesMax;

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
        Map<Path, Integer> rings = new HashMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            files.forEach(file -> {
                if (RING_FILE.matcher(file.getFileName().toString()).matches()) {
                    ringFilesMax = Math.max(ringFilesMax, rings.merge(file.getParent(), 1, Integer::sum));
                } else {
                    count(file, sample);
                }
            });
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

    /**
     * Returns a text for each metric that has grown, but for none in a run with too few samples; and one for a ring
     * with too many files.
     */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        if (ringFilesMax > RING_FILES_MAX) {
            faults.add("a log's ring has " + ringFilesMax + " files, more than " + RING_FILES_MAX);
        }
        if (hasEnough()) {
            for (Metric metric : Metric.values()) {
                long first = first(metric);
                long last = last(metric);
                if (last > metric.bound(first, samples.size() < YOUNG)) {
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
            .collect(Collectors.joining(", ", "", ", files in a log's ring at most " + ringFilesMax));
    }
}
