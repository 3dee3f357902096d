package io.teff.examples.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the kernel says about this process's memory. */
final class ProcessMemory {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final long KIBIBYTE = 1 << 10;

    private ProcessMemory() {}

    /** Resident memory in bytes, or -1 where the kernel does not tell it in this way. */
    static long residentBytes() {
        try {
            Matcher matcher = RESIDENT.matcher(Files.readString(STATUS));
            return matcher.find() ? Long.parseLong(matcher.group(1)) * KIBIBYTE : -1;
        } catch (IOException e) {
            return -1;
        }
    }
}
