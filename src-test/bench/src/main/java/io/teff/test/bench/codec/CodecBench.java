package io.teff.test.bench.codec;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Converts a value to bytes and bytes to a value; one library and one kind of value per process. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class CodecBench {
    /** The library. */
    @Param({"TEFF", "TEFF_COMPACT", "KRYO", "FORY", "PROTOBUF", "JDK"})
    private CodecKind codec = CodecKind.TEFF;

    /** The kind of values. */
    @Param({"FLAT", "PERSON", "GRAPH", "LIST"})
    private ShapeKind shape = ShapeKind.FLAT;

    private Trip trip = CodecKind.TEFF.trip(ShapeKind.FLAT);

    /** Made by the harness. */
    public CodecBench() {}

    /** Makes the values and their bytes. */
    @Setup
    public void prepare() {
        trip = codec.trip(shape);
        trip.prepare();
    }

    /**
     * Writes a value.
     *
     * @return its bytes
     */
    @Benchmark
    public int write() {
        return trip.writeNext();
    }

    /**
     * Reads a value.
     *
     * @return it
     */
    @Benchmark
    public Object read() {
        return trip.readNext();
    }
}
