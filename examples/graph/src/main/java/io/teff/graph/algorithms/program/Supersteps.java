package io.teff.graph.algorithms.program;

import io.teff.graph.Adjacency;
import io.teff.graph.algorithms.Team;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs vertex programs on one machine.
 *
 * <p>Vertices are in at most 64 shares, whose number depends on the number of vertices alone. A share computes on one
 * thread and writes its messages into one buffer of packed bytes for each other share. When all shares have computed,
 * each share takes the buffers for its vertices in the order of their senders. So the messages to a vertex, and the
 * order of combining, do not depend on the threads. On a cluster, a share would be a peer, and the buffer the bytes of
 * a message between peers.
 *
 * <p>Memory: the states, the buffers with 4 bytes and the message for each message of a superstep, and the inbox: one
 * message for each vertex with a combiner, a copy of the messages without.
 */
public final class Supersteps {
    private final Team team;
    private final VertexProgram program;
    private final States states;
    private final VertexShare[] shares;
    private final Aggregates before;

    private Supersteps(Adjacency graph, Team team, VertexProgram program) {
        this.team = team;
        this.program = program;
        states = new States(graph.vertexCount(), program.stateBytes());
        before = new Aggregates(program.aggregates());
        shares = new VertexShare[states.shareCount()];
        for (int share = 0; share < shares.length; share++) {
            shares[share] = new VertexShare(graph, program, states, share, before);
        }
    }

    /**
     * Runs a program until each vertex has halted and no message is on its way, or until the program ends.
     *
     * @param graph what the program computes on
     * @param team the threads
     * @param program with settings alone
     * @param superstepsMax at most, at least 0
     * @return the states after the last superstep
     */
    public static States run(Adjacency graph, Team team, VertexProgram program, int superstepsMax) {
        if (superstepsMax < 0) {
            throw new IllegalArgumentException("superstepsMax=" + superstepsMax + ", not at least 0");
        }
        Supersteps supersteps = new Supersteps(graph, team, program);
        supersteps.run(superstepsMax);
        return supersteps.states;
    }

    private void run(int superstepsMax) {
        team.forEach(shares.length, 1, (from, to, worker) -> {
            for (int share = from; share < to; share++) {
                shares[share].begin();
            }
        });
        boolean goesOn = true;
        for (int superstep = 0; superstep < superstepsMax && goesOn; superstep++) {
            int now = superstep;
            team.report("superstep", superstep, -1);
            team.forEach(shares.length, 1, (from, to, worker) -> {
                for (int share = from; share < to; share++) {
                    shares[share].compute(now);
                }
            });
            before.clear();
            for (VertexShare share : shares) {
                before.addAll(share.aggregates());
            }
            AtomicBoolean open = new AtomicBoolean();
            team.forEach(shares.length, 1, (from, to, worker) -> {
                for (int share = from; share < to; share++) {
                    if (shares[share].take(shares)) {
                        open.set(true);
                    }
                }
            });
            goesOn = open.get() && !program.ends(superstep, before);
        }
    }
}
