package io.teff.graph.algorithms.program;

/**
 * A frontier program as a program of vertices, for graphs in parts: a vertex that joins a frontier sends its message
 * along its arcs in the same superstep, and the neighbours receive the message in the next superstep. All messages of a
 * round are made before the first is received, as {@link Rounds} does.
 *
 * <p>Messages are always brought to the neighbours, and are not combined. In a graph with weights, a message carries
 * the weight of its arc, 8 bytes more.
 */
public final class FrontierVertices implements VertexProgram {
    private final FrontierProgram program;
    private final Frontier first;
    private final boolean isWeighted;

    /**
     * Makes a program of vertices.
     *
     * @param program what spreads
     * @param first the first frontier
     * @param isWeighted whether arcs of the graph have weights
     */
    public FrontierVertices(FrontierProgram program, Frontier first, boolean isWeighted) {
        this.program = program;
        this.first = first;
        this.isWeighted = isWeighted;
    }

    @Override
    public int stateBytes() {
        return program.stateBytes();
    }

    @Override
    public int messageBytes() {
        return program.messageBytes() + (isWeighted ? Double.BYTES : 0);
    }

    @Override
    public void begin(int vertex, Packed state) {
        program.begin(vertex, state);
    }

    @Override
    public void compute(Vertex vertex) {
        boolean joins = vertex.superstep() == 0 && first.contains(vertex.number());
        while (vertex.nextMessage()) {
            Packed message = vertex.message();
            double weight = isWeighted ? message.getDouble(program.messageBytes()) : 1;
            if (program.wants(vertex.number(), vertex.state())) {
                joins |= program.receive(vertex.number(), vertex.state(), message.head(program.messageBytes()), weight);
            }
        }
        if (joins) {
            send(vertex);
        }
        vertex.halt();
    }

    private void send(Vertex vertex) {
        program.signal(vertex.number(), vertex.state(), vertex.outgoing().head(program.messageBytes()));
        if (!isWeighted) {
            vertex.sendToNeighbours();
            return;
        }
        while (vertex.nextArc()) {
            vertex.outgoing().putDouble(program.messageBytes(), vertex.arcWeight());
            vertex.send(vertex.arcTarget());
        }
    }
}
