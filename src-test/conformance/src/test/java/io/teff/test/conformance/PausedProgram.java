package io.teff.test.conformance;

import io.teff.graph.algorithms.program.Aggregate;
import io.teff.graph.algorithms.program.Aggregates;
import io.teff.graph.algorithms.program.Packed;
import io.teff.graph.algorithms.program.Vertex;
import io.teff.graph.algorithms.program.VertexProgram;
import io.teff.graph.cluster.ProgramFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/** Programs of the library that call a hook before a vertex computes. The service loader finds the class. */
public final class PausedProgram implements ProgramFactory {
    static final String NAME = "conformance/paused";
    private static final IntConsumer NOTHING = _ -> { };
    private static volatile IntConsumer hook = NOTHING;

    /** For the service loader. */
    public PausedProgram() {}

    /** Sets what happens before a vertex computes in a superstep. */
    static void hook(IntConsumer chosen) {
        hook = chosen;
    }

    static void unhook() {
        hook = NOTHING;
    }

    /** The settings of a paused program. */
    static byte[] settings(String program, byte[] settings) {
        byte[] name = program.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Integer.BYTES + name.length + settings.length).putInt(name.length).put(name)
            .put(settings).array();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public VertexProgram program(byte[] settings) {
        int end = Integer.BYTES + ByteBuffer.wrap(settings).getInt();
        VertexProgram inner = ProgramFactory.of(new String(settings, Integer.BYTES, end - Integer.BYTES,
            StandardCharsets.UTF_8), Arrays.copyOfRange(settings, end, settings.length));
        return new Paused(inner);
    }

    private record Paused(VertexProgram inner) implements VertexProgram {
        @Override
        public int stateBytes() {
            return inner.stateBytes();
        }

        @Override
        public int messageBytes() {
            return inner.messageBytes();
        }

        @Override
        public void begin(int vertex, Packed state) {
            inner.begin(vertex, state);
        }

        @Override
        public void compute(Vertex vertex) {
            hook.accept(vertex.superstep());
            inner.compute(vertex);
        }

        @Override
        public boolean sendsToNeighboursOnce() {
            return inner.sendsToNeighboursOnce();
        }

        @Override
        public boolean combines() {
            return inner.combines();
        }

        @Override
        public void combine(Packed kept, Packed added) {
            inner.combine(kept, added);
        }

        @Override
        public List<Aggregate> aggregates() {
            return inner.aggregates();
        }

        @Override
        public boolean ends(int superstep, Aggregates values) {
            return inner.ends(superstep, values);
        }
    }
}
