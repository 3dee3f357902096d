package io.teff.graph.algorithms.program;

/** Depth of each vertex that a path from the roots reaches. The state is the depth + 1: 1 for roots, 0 for others. */
final class ReachDepth implements FrontierProgram {
    @Override
    public int stateBytes() {
        return Integer.BYTES;
    }

    @Override
    public int messageBytes() {
        return Integer.BYTES;
    }

    @Override
    public void signal(int source, Packed state, Packed message) {
        message.putInt(0, state.getInt(0) + 1);
    }

    @Override
    public boolean wants(int target, Packed state) {
        return state.getInt(0) == 0;
    }

    @Override
    public boolean receive(int target, Packed state, Packed message, double weight) {
        state.putInt(0, message.getInt(0));
        return true;
    }
}
