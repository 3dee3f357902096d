package io.teff.test.cluster.kills;

import io.teff.graph.algorithms.program.Aggregate;
import io.teff.graph.algorithms.program.Aggregates;
import io.teff.graph.algorithms.program.Packed;
import io.teff.graph.algorithms.program.Vertex;
import io.teff.graph.algorithms.program.VertexProgram;
import io.teff.graph.cluster.ProgramFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Programs of the library that stop at a gate in superstep {@value #HELD_AT}. Nodes find the class. */
public final class HeldProgram implements ProgramFactory {
    static final String NAME = "kills/held";
    static final int HELD_AT = 2;

    /** For the service loader. */
    public HeldProgram() {}

    /** The settings of a held program. */
    static byte[] settings(FileGate gate, String program, byte[] settings) {
        byte[] path = gate.file().toString().getBytes(StandardCharsets.UTF_8);
        byte[] name = program.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(2 * Integer.BYTES + path.length + name.length + settings.length)
            .putInt(path.length).put(path).putInt(name.length).put(name).put(settings).array();
    }

    private static String text(ByteBuffer in) {
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public VertexProgram program(byte[] settings) {
        ByteBuffer in = ByteBuffer.wrap(settings);
        FileGate gate = FileGate.of(text(in));
        String program = text(in);
        byte[] rest = new byte[in.remaining()];
        in.get(rest);
        return new Held(ProgramFactory.of(program, rest), gate);
    }

    private record Held(VertexProgram inner, FileGate gate) implements VertexProgram {
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
            if (vertex.superstep() == HELD_AT) {
                gate.pass();
            }
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
