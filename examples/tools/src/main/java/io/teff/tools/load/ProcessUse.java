package io.teff.tools.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the resources that this process uses from the kernel and the JVM. Thread-safe. */
public final class ProcessUse {
    /** The result if the kernel does not provide the value in {@code /proc}. */
    public static final long UNKNOWN = -1;

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final long KIBIBYTE = 1 << 10;

    private ProcessUse() {}

    /** Returns resident memory in bytes, or {@link #UNKNOWN}. */
    public static long residentBytes() {
        try {
            Matcher matcher = RESIDENT.matcher(Files.readString(STATUS));
            return matcher.find() ? Long.parseLong(matcher.group(1)) * KIBIBYTE : UNKNOWN;
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    /** Returns the number of open file descriptors, including the one of this call, or {@link #UNKNOWN}. */
    public static long descriptors() {
        try (Stream<Path> open = Files.list(DESCRIPTORS)) {
            return open.count();
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    /** Returns the number of live platform threads that run Java code. */
    public static long threads() {
        return Thread.getAllStackTraces().size();
    }

    /** Returns the bytes of the Java heap in use, garbage included. */
    public static long heapBytes() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
