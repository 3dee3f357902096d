package io.teff.engine.codec.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import io.teff.engine.codec.Output;
import io.teff.test.kit.Seed;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Goal: writing allocates nothing on the Java heap, if the output has room.
 *
 * <p>Method: the JVM's count of bytes allocated by the thread, around many writes of many values. The JIT may still
 * compile during the first rounds, so rounds are repeated until one allocates nothing. Types whose stored form is a new
 * object (big numbers, zoned times) and sets, maps and queues, which make an iterator, are left out.
 */
final class CodecAllocationTest {
    private static final int VALUES = 64;
    private static final int CALLS = 30_000;
    /** Enough for a JIT compiler on a busy processor. */
    private static final int ROUNDS_MAX = 1_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    static final List<Class<?>> TYPES = Samples.TYPES.stream().filter(type -> !List.of(Samples.Times.class,
        Samples.Numbers.class, Samples.Lists.class).contains(type)).toList();

    @ParameterizedTest
    @FieldSource("TYPES")
    <T> void writing_allocatesNothing(Class<T> type) {
        long seed = Seed.first();
        Samples samples = new Samples(Seed.random(seed));
        List<T> values = new ArrayList<>();
        for (int i = 0; i < VALUES; i++) {
            values.add(samples.any(type));
        }
        for (Schema<T> schema : List.of(Schema.of(type), Schema.builder(type).compact().build())) {
            Output out = Output.growing(1 << 16);
            long bytes = -1;
            for (int round = 0; round < ROUNDS_MAX && bytes != 0; round++) {
                bytes = allocated(schema, values, out, CALLS) - allocated(schema, values, out, 0);
            }
            assertEquals(0, bytes, Seed.reproduce(CodecAllocationTest.class, seed));
        }
    }

    private static <T> long allocated(Schema<T> schema, List<T> values, Output out, int calls) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < calls; i++) {
            out.clear();
            schema.write(values.get(i % VALUES), out);
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
