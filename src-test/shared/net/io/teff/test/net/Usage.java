package io.teff.test.net;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** Measures the resources of this process, and waits until they are back at an earlier level. */
public final class Usage {
    private static final int SETTLING = 10;
    private static final long KIB = 1024;
    private static final long LIMIT_NS = 60_000_000_000L;
    private static final long PARK_NS = 1_000_000;

    private Usage() {}

    public static long descriptors() {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    public static long threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }

    /** Returns the bytes of Java heap and direct memory in use after a collection. */
    public static long memory() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
            + ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(it -> it.getName().equals("direct")).mapToLong(BufferPoolMXBean::getMemoryUsed).sum();
    }

    /** Returns the bytes in use when several collections have freed nothing more. */
    public static long settled() {
        long least = memory();
        for (int same = 0; same < SETTLING; same++) {
            final long now = memory();
            if (now < least - KIB) {
                least = now;
                same = 0;
            }
        }
        return least;
    }

    /** Waits until a resource is at most at a level; returns the last value. */
    public static long await(LongSupplier count, long most, String what) {
        final long end = System.nanoTime() + LIMIT_NS;
        long now = count.getAsLong();
        while (now > most) {
            assertTrue(System.nanoTime() - end < 0, now + " " + what + ", not " + most);
            LockSupport.parkNanos(PARK_NS);                     // leaves the processor to what is waited for
            now = count.getAsLong();
        }
        return now;
    }
}
