package io.teff.test.bench.session;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Memory outside of the heap requested by this process's Java code: buffers, arenas and mapped files, but no memory of
 * the JVM itself. Needs {@link #FLAG}.
 */
public final class NativeMemory {
    /** Enables the JVM's memory tracking. */
    public static final String FLAG = "-XX:NativeMemoryTracking=summary";

    private static final Pattern ASKED_FOR = Pattern.compile("Other \\(reserved=\\d+, committed=(\\d+)\\)");

    /** Buffers are freed by a thread of the JVM some time after the garbage was collected. */
    private static final long SETTLE_NS = 200_000_000;
    private static final int CALM = 3;

    private NativeMemory() {}

    /** {@return bytes after garbage has been freed} */
    public static long settled() {
        long least = bytes();
        for (int calm = 0; calm < CALM; calm++) {
            System.gc();
            LockSupport.parkNanos(SETTLE_NS);
            final long now = bytes();
            calm = now < least ? 0 : calm;
            least = Math.min(least, now);
        }
        return least;
    }

    /** {@return bytes} */
    public static long bytes() {
        long mapped = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> "mapped".equals(pool.getName())).mapToLong(BufferPoolMXBean::getMemoryUsed).sum();
        return mapped + askedFor();
    }

    private static long askedFor() {
        String report = JvmCommand.run("vmNativeMemory", "summary", "scale=b");
        Matcher found = ASKED_FOR.matcher(report);
        if (!found.find()) {
            throw new IllegalStateException("this JVM was started without " + FLAG + ": " + report.strip());
        }
        return Long.parseLong(found.group(1));
    }
}
