package io.teff.engine.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Facts about the machine and the process, read once or on demand. */
public final class SystemInfo {
    private static final long KIB = 1024;
    private static final Path IO = Path.of("/proc/self/io");

    private SystemInfo() {}

    /** {@return true on Linux, where memory can be reserved and given back} */
    public static boolean linux() {
        return System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("linux");
    }

    /** {@return the number of processors this JVM may use, at least 1} */
    public static int processors() {
        return Runtime.getRuntime().availableProcessors();
    }

    /**
     * Returns the memory that this process may use: the smallest of the machine's memory and the limits of the
     * process's control groups; if the machine's memory cannot be read, four times the largest heap, which is what the
     * JVM's own default assumes.
     *
     * @return bytes
     */
    public static long memoryBytes() {
        long machine = meminfoBytes("MemTotal:");
        if (machine <= 0) {
            return 4 * Runtime.getRuntime().maxMemory();
        }
        return Math.min(machine, MemoryGroups.limitBytes(Path.of("/")));
    }

    /**
     * Returns the resident set of this process.
     *
     * @return bytes, or -1 where it cannot be read
     */
    public static long residentBytes() {
        return field(Path.of("/proc/self/status"), "VmRSS:");
    }

    /**
     * Returns the memory of the machine that processes can still take, without swapping.
     *
     * @return bytes, or -1 where it cannot be read
     */
    public static long availableBytes() {
        return meminfoBytes("MemAvailable:");
    }

    /**
     * Returns the bytes that this process has read from disks.
     *
     * @return bytes, or -1 where it cannot be read
     */
    public static long diskReadBytes() {
        return number(IO, "read_bytes:");
    }

    /**
     * Returns the bytes that this process has written, or has caused to be written, to disks.
     *
     * @return bytes, or -1 where it cannot be read
     */
    public static long diskWrittenBytes() {
        return number(IO, "write_bytes:");
    }

    private static long meminfoBytes(String name) {
        return field(Path.of("/proc/meminfo"), name);
    }

    private static long field(Path file, String name) {
        final long kibibytes = number(file, name);
        return kibibytes < 0 ? kibibytes : kibibytes * KIB;
    }

    private static long number(Path file, String name) {
        try {
            for (String line : Files.readAllLines(file)) {
                if (line.startsWith(name)) {
                    return Long.parseLong(line.replaceAll("[^0-9]", ""));
                }
            }
        } catch (IOException e) {
            return -1;                                          // not Linux, or not readable: callers have a default
        }
        return -1;
    }
}
