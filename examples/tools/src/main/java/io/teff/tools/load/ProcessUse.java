package io.teff.tools.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What this process takes of the machine, as the kernel and the JVM say. Pure looks; any thread may ask. */
public final class ProcessUse {
    /** What a look gives where the kernel does not tell it in this way. */
    public static final long UNKNOWN = -1;

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final long KIBIBYTE = 1 << 10;

    private ProcessUse() {}

    /** Resident memory in bytes, or {@link #UNKNOWN}. */
    public static long residentBytes() {
        try {
            Matcher matcher = RESIDENT.matcher(Files.readString(STATUS));
            return matcher.find() ? Long.parseLong(matcher.group(1)) * KIBIBYTE : UNKNOWN;
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    /** Number of open file descriptors, or {@link #UNKNOWN}; the one that the look itself needs is counted always. */
    public static long descriptors() {
        try (Stream<Path> open = Files.list(DESCRIPTORS)) {
            return open.count();
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    /** Number of live threads that run Java code, virtual ones left out. */
    public static long threads() {
        return Thread.getAllStackTraces().size();
    }

    /** Bytes of the Java heap that are in use, garbage included. */
    public static long heapBytes() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
