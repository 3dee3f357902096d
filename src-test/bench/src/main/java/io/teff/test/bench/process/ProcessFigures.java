package io.teff.test.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Memory, disk and processor time of processes, from {@code /proc} and the folders. */
public final class ProcessFigures {
    private static final long KIB = 1024;
    /** The kernel counts processor time in ticks of this many per second. */
    private static final double TICKS_PER_SECOND = 100;
    /** Fields of /proc/PID/stat behind the name: 11 and 12 are ticks in user and kernel mode. */
    private static final int USER_AT = 11;

    private static final Path STAT = Path.of("/proc/stat");
    /** Fields of the first line of /proc/stat: idle, and behind it waiting for disks; taken by other machines. */
    private static final int IDLE_AT = 4;
    private static final int STEAL_AT = 8;
    private static final double PERCENT = 100;

    private ProcessFigures() {}

    /**
     * Reads the memory of a process.
     *
     * @param pid its number
     * @return bytes of its resident set
     */
    public static long residentBytes(long pid) throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) * KIB;
            }
        }
        throw new IOException("process " + pid + " has no resident set");
    }

    /**
     * Reads the processor time of a process.
     *
     * @param pid its number
     * @return ticks that it has used, 100 per second
     */
    public static long ticks(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Long.parseLong(fields[USER_AT]) + Long.parseLong(fields[USER_AT + 1]);
    }

    /**
     * Measures the work of all processes of the machine for a time in which the caller does nothing.
     *
     * @param seconds the time
     * @return percent of all processors together that were at work, or taken by other machines; 0 where the system
     *     does not say
     * @throws IOException if the system's figures cannot be read
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    public static double busyPercent(int seconds) throws IOException, InterruptedException {
        if (!Files.exists(STAT)) {
            return 0;
        }
        long[] before = machineTicks();
        TimeUnit.SECONDS.sleep(seconds);
        long[] after = machineTicks();
        long all = after[0] - before[0];
        return all == 0 ? 0 : PERCENT * (all - (after[1] - before[1])) / all;
    }

    /** Returns the ticks of all processors, and those of them in which nothing was done. */
    private static long[] machineTicks() throws IOException {
        try (Stream<String> lines = Files.lines(STAT)) {
            String[] fields = lines.findFirst().orElseThrow().trim().split(" +");
            long all = 0;
            for (int i = 1; i <= STEAL_AT && i < fields.length; i++) {
                all += Long.parseLong(fields[i]);
            }
            return new long[] {all, Long.parseLong(fields[IDLE_AT]) + Long.parseLong(fields[IDLE_AT + 1])};
        }
    }

    /**
     * Adds up the files of a folder.
     *
     * @param folder the folder
     * @return their bytes
     */
    public static long diskBytes(Path folder) throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList()) {
                bytes += size(file);
            }
        }
        return bytes;
    }

    private static long size(Path file) throws IOException {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (NoSuchFileException _) {
            return 0;                                           // deleted meanwhile
        }
    }

    /**
     * Waits, and measures processor time meanwhile.
     *
     * @param processes numbers by name
     * @param seconds how long to wait
     * @return the percentage of a processor that each process has used
     */
    public static Map<String, Double> idlePercent(Map<String, Long> processes, int seconds) throws IOException {
        Map<String, Long> before = new TreeMap<>();
        for (Map.Entry<String, Long> process : processes.entrySet()) {
            before.put(process.getKey(), ticks(process.getValue()));
        }
        long begun = System.nanoTime();
        long end = begun + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() - end < 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
        Map<String, Double> percent = new TreeMap<>();
        for (Map.Entry<String, Long> process : processes.entrySet()) {
            double usedSeconds = (ticks(process.getValue()) - before.get(process.getKey())) / TICKS_PER_SECOND;
            percent.put(process.getKey(), 100 * usedSeconds / ((System.nanoTime() - begun) / 1e9));
        }
        return percent;
    }
}
