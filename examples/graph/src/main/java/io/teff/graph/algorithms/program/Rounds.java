package io.teff.graph.algorithms.program;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import io.teff.graph.algorithms.Team;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Runs a frontier program on one machine, one round with each {@link #edgeMap}. For one thread, which has a team.
 *
 * <p>A frontier with few arcs brings its messages to the targets; two threads exclude each other at a target by one of
 * {@value #LOCKS} locks. With more than one in {@value #PULL_DIVISOR} of all arcs, each vertex looks for its senders
 * along the reversed arcs instead, without locks, and stops when {@link FrontierProgram#wants} returns false. A graph
 * without its reverse always brings.
 *
 * <p>Memory: state and one message for each vertex, and 2 bits for each vertex. A round costs the arcs of the frontier,
 * or the arcs of vertices that want messages, and a look at each 64 vertices.
 */
public final class Rounds {
    static final int PULL_DIVISOR = 20;
    static final int LOCKS = 4096;
    private static final int GRAIN = 1024;
    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    private final Adjacency graph;
    private final @Nullable Adjacency reverse;
    private final Team team;
    private final FrontierProgram program;
    private final States states;
    private final States messages;
    private final Hand[] hands;
    private final int[] locks = new int[LOCKS];

    /** Changes vertices without messages. */
    @FunctionalInterface
    public interface Step {
        /**
         * Changes the state of a vertex.
         *
         * @param vertex number of the vertex
         * @param state changed in place
         * @return whether the vertex stays in the frontier
         */
        boolean apply(int vertex, Packed state);
    }

    /** Cursors and windows of one thread. */
    private static final class Hand {
        private final Neighbours forward;
        private final @Nullable Neighbours backward;
        private final Packed state;
        private final Packed message;

        Hand(Rounds rounds) {
            forward = rounds.graph.neighbours();
            backward = rounds.reverse == null ? null : rounds.reverse.neighbours();
            state = rounds.states.window();
            message = rounds.messages.window();
        }
    }

    /**
     * Makes the states of all vertices.
     *
     * @param graph what the program spreads on
     * @param team the threads
     * @param program with settings alone
     */
    public Rounds(Adjacency graph, Team team, FrontierProgram program) {
        this.graph = graph;
        this.team = team;
        this.program = program;
        reverse = reverseOf(graph);
        states = new States(graph.vertexCount(), program.stateBytes());
        messages = new States(graph.vertexCount(), program.messageBytes());
        hands = team.each(Hand[]::new, worker -> new Hand(this));
        team.forEach(graph.vertexCount(), (from, to, worker) -> {
            for (int vertex = from; vertex < to; vertex++) {
                program.begin(vertex, states.read(vertex, hands[worker].state));
            }
        });
    }

    private static @Nullable Adjacency reverseOf(Adjacency graph) {
        try {
            return graph.reversed();
        } catch (IllegalStateException withoutReverse) {
            return null;
        }
    }

    /**
     * Runs rounds until a frontier is empty.
     *
     * @param graph what the program spreads on
     * @param team the threads
     * @param program with settings alone
     * @param first the first frontier
     * @param roundsMax at most, at least 0
     * @return the states after the last round
     */
    public static States run(Adjacency graph, Team team, FrontierProgram program, Frontier first, int roundsMax) {
        Rounds rounds = new Rounds(graph, team, program);
        Frontier frontier = first;
        for (int round = 0; round < roundsMax && !frontier.isEmpty(); round++) {
            team.report("round", round, -1);
            frontier = rounds.edgeMap(frontier);
        }
        return rounds.states;
    }

    /** {@return the states of all vertices, which further rounds change} */
    public States states() {
        return states;
    }

    /**
     * Changes the states of a frontier.
     *
     * @param frontier vertices of the graph
     * @param step run once for each vertex of the frontier, by all threads of the team
     * @return the vertices for which the step has returned true
     */
    public Frontier vertexMap(Frontier frontier, Step step) {
        int[] members = frontier.members();
        long[] next = Frontier.words(graph.vertexCount());
        team.forEach(members.length, (from, to, worker) -> {
            for (int i = from; i < to; i++) {
                if (step.apply(members[i], states.read(members[i], hands[worker].state))) {
                    set(next, members[i]);
                }
            }
        });
        return new Frontier(graph.vertexCount(), next);
    }

    /**
     * Spreads from a frontier to its neighbours.
     *
     * @param frontier the senders, vertices of the graph
     * @return the vertices that have returned true for a message
     */
    public Frontier edgeMap(Frontier frontier) {
        int[] members = frontier.members();
        AtomicLong arcs = new AtomicLong();
        team.forEach(members.length, (from, to, worker) -> {
            Hand hand = hands[worker];
            long sum = 0;
            for (int i = from; i < to; i++) {
                int source = members[i];
                program.signal(source, states.read(source, hand.state), messages.read(source, hand.message));
                sum += graph.degree(source);
            }
            arcs.addAndGet(sum);
        });
        long[] next = Frontier.words(graph.vertexCount());
        if (reverse != null && arcs.get() > graph.arcCount() / PULL_DIVISOR) {
            team.forEach(graph.vertexCount(), GRAIN, (from, to, worker) -> {
                for (int target = from; target < to; target++) {
                    pull(target, frontier, hands[worker], next);
                }
            });
        } else {
            team.forEach(members.length, (from, to, worker) -> {
                for (int i = from; i < to; i++) {
                    push(members[i], hands[worker], next);
                }
            });
        }
        return new Frontier(graph.vertexCount(), next);
    }

    private void pull(int target, Frontier frontier, Hand hand, long[] next) {
        Packed state = states.read(target, hand.state);
        Neighbours cursor = hand.backward;
        if (cursor == null || !program.wants(target, state)) {
            return;
        }
        boolean joins = false;
        boolean received = false;
        for (int left = cursor.open(target); left > 0; left--) {
            int source = cursor.next();
            if (frontier.contains(source)) {
                if (received && !program.wants(target, state)) {
                    break;
                }
                joins |= program.receive(target, state, messages.read(source, hand.message), cursor.weight());
                received = true;
            }
        }
        if (joins) {
            set(next, target);
        }
    }

    private void push(int source, Hand hand, long[] next) {
        Packed message = messages.read(source, hand.message);
        boolean alone = team.threads() == 1;
        for (int left = hand.forward.open(source); left > 0; left--) {
            int target = hand.forward.next();
            Packed state = states.read(target, hand.state);
            int lock = target & LOCKS - 1;
            if (!alone) {
                while (!INTS.compareAndSet(locks, lock, 0, 1)) {
                    Thread.onSpinWait();
                }
            }
            boolean joins;
            try {
                joins = program.wants(target, state)
                    && program.receive(target, state, message, hand.forward.weight());
            } finally {
                if (!alone) {
                    INTS.setRelease(locks, lock, 0);
                }
            }
            if (joins) {
                set(next, target);
            }
        }
    }

    private static void set(long[] words, int vertex) {
        long bit = 1L << vertex;
        int word = vertex >>> Frontier.WORD_SHIFT;
        if (((long) LONGS.getOpaque(words, word) & bit) == 0) {
            LONGS.getAndBitwiseOr(words, word, bit);
        }
    }
}
