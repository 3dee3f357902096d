package io.teff.graph.algorithms.program;

import io.teff.graph.Neighbours;
import java.util.Arrays;
import java.util.Objects;

/**
 * The vertices of one part of a graph in a vertex program: their states, which of them have halted, and their messages.
 * For one thread at a time. The part is also the {@link Vertex} that the program sees.
 *
 * <p>A superstep is: {@link #beginMessages}, the messages by {@link Incoming}, {@link #compute}, and then {@link
 * Outgoing#flush}. Messages to a vertex come in the order of the workers, and in the order of the vertices of a worker.
 */
public final class PartRun {
    /** A part of all arcs, above which messages go once to each worker instead of once to each neighbour. */
    private static final int MANY_DIVISOR = 8;
    private static final int WORD_SHIFT = 6;

    private final VertexProgram program;
    private final Partition partition;
    private final PartArcs arcs;
    private final Outgoing outgoing;
    private final Ghosts ghosts;
    /** Whether messages to all neighbours wait until their number is known. */
    private final boolean waits;
    private final int part;
    private final int count;
    private final int stateBytes;
    private final int messageBytes;
    private final boolean combines;
    private final byte[] states;
    private final byte[] halted;
    /** Ends of the messages of a vertex in the inbox; with a combiner, whether there is a message. */
    private final int[] ends;
    private final Aggregates own;
    private final Seen seen;
    private final Packed kept;
    private final Packed taken;
    /** Messages to all neighbours, and a bit for each vertex that has sent one. */
    private final byte[] waiting;
    private final long[] waitingWords;
    private final long arcCount;
    private byte[] inbox;
    private boolean isPlaced;
    private long waitingArcs;

    /**
     * Makes the states of a part, all zero.
     *
     * @param program what is computed
     * @param partition of the vertices
     * @param arcs of the part
     * @param outgoing takes the messages of the part
     * @param ghosts messages to all neighbours of vertices
     * @param isUndirected whether the neighbours of a vertex have arcs to the vertex
     */
    public PartRun(VertexProgram program, Partition partition, PartArcs arcs, Outgoing outgoing, Ghosts ghosts,
                   boolean isUndirected) {
        this.ghosts = ghosts;
        waits = isUndirected && program.sendsToNeighboursOnce() && Ghosts.fits(program, partition);
        this.program = program;
        this.partition = partition;
        this.arcs = arcs;
        this.outgoing = outgoing;
        part = arcs.part();
        count = partition.count(part);
        stateBytes = program.stateBytes();
        messageBytes = program.messageBytes();
        combines = program.combines();
        states = new byte[Math.multiplyExact(count, stateBytes)];
        halted = new byte[count];
        ends = new int[count];
        own = new Aggregates(program.aggregates());
        kept = new Packed(messageBytes);
        taken = new Packed(messageBytes);
        inbox = new byte[combines ? Math.multiplyExact(count, messageBytes) : 0];
        waiting = new byte[waits ? Math.multiplyExact(count, messageBytes) : 0];
        waitingWords = new long[waits ? (count >>> WORD_SHIFT) + 1 : 0];
        long all = 0;
        for (int index = 0; index < count; index++) {
            all += arcs.degree(index);
        }
        arcCount = all;
        seen = new Seen();
    }

    /** Sets the state of each vertex before the first superstep. */
    public void begin() {
        Arrays.fill(states, (byte) 0);
        Arrays.fill(halted, (byte) 0);
        for (int index = 0; index < count; index++) {
            program.begin(partition.vertex(part, index), seen.state.at(states, index * stateBytes));
        }
    }

    /** {@return the states, vertex after vertex; changed by the next superstep} */
    public byte[] states() {
        return states;
    }

    /** {@return 1 for each vertex that has halted, else 0; changed by the next superstep} */
    public byte[] halted() {
        return halted;
    }

    /** {@return number of vertices that have not halted} */
    public int openCount() {
        int open = 0;
        for (byte each : halted) {
            open += 1 - each;
        }
        return open;
    }

    /** {@return the bits of the aggregates of the last superstep} */
    public long[] aggregates() {
        return own.bits();
    }

    // ---- messages ----

    /** Forgets the messages of the last superstep. */
    public void beginMessages() {
        Arrays.fill(ends, 0);
        isPlaced = false;
    }

    void count(int index) {
        ends[index]++;
    }

    /** Turns the numbers of messages into the places of the first message of each vertex. */
    private void place() {
        long all = 0;
        for (int index = 0; index < count; index++) {
            int length = ends[index];
            ends[index] = (int) all;
            all += length;
            if (all * messageBytes > Integer.MAX_VALUE - Byte.SIZE) {
                throw new IllegalStateException("more than 2 GiB of messages to part " + part
                    + "; a combiner, or more parts, need less");
            }
        }
        if (inbox.length < all * messageBytes) {
            inbox = new byte[(int) (all * messageBytes)];
        }
        isPlaced = true;
    }

    void take(int index, byte[] bytes, int offset) {
        taken.at(bytes, offset);
        if (!combines) {
            if (!isPlaced) {
                place();
            }
            kept.at(inbox, ends[index]++ * messageBytes).copy(taken);
            return;
        }
        kept.at(inbox, index * messageBytes);
        if (ends[index] == 0) {
            ends[index] = 1;
            kept.copy(taken);
        } else {
            program.combine(kept, taken);
        }
    }

    // ---- computing ----

    /**
     * Computes each vertex that has messages or has not halted.
     *
     * @param superstep from 0
     * @param before bits of the aggregates of the superstep before
     */
    public void compute(int superstep, long[] before) {
        own.clear();
        seen.before.set(before);
        seen.superstep = superstep;
        boolean isPulling = !ghosts.isEmpty();
        for (int index = 0; index < count; index++) {
            int first = combines ? 0 : index == 0 ? 0 : ends[index - 1];
            if (ends[index] > first || halted[index] == 0) {
                halted[index] = 0;
                seen.open(index, combines ? index : first, combines ? index + ends[index] : ends[index]);
                program.compute(seen);
            } else if (isPulling && seen.openAtGhost(index)) {
                halted[index] = 0;
                program.compute(seen);
            }
        }
    }

    /**
     * Sends the messages to all neighbours: once to each worker if that is fewer messages, and each vertex shall look
     * for the messages of its neighbours; else once to each neighbour.
     *
     * @param workers number of workers with parts
     */
    public void sendWaiting(int workers) {
        long senders = 0;
        for (long word : waitingWords) {
            senders += Long.bitCount(word);
        }
        if (waitingArcs > arcCount / MANY_DIVISOR && senders * workers <= waitingArcs) {
            outgoing.leaveOfSenders(part, waiting, waitingWords, waitingArcs);
        } else {
            for (int word = 0; word < waitingWords.length; word++) {
                for (long bits = waitingWords[word]; bits != 0; bits &= bits - 1) {
                    int index = (word << WORD_SHIFT) + Long.numberOfTrailingZeros(bits);
                    taken.at(waiting, index * messageBytes);
                    for (int left = seen.cursor.open(index); left > 0; left--) {
                        outgoing.add(seen.cursor.next(), taken);
                    }
                }
                waitingWords[word] = 0;
            }
        }
        waitingArcs = 0;
    }

    /** The vertex that computes. */
    private final class Seen implements Vertex {
        private final Packed state = new Packed(stateBytes);
        private final Packed message = new Packed(program.messageBytes());
        private final Packed sent = new Packed(program.messageBytes());
        private final Packed window = new Packed(program.messageBytes());
        private final Neighbours cursor = arcs.neighbours();
        private final Neighbours single = arcs.neighbours();
        private final Neighbours pulls = arcs.neighbours();
        private final Aggregates before = new Aggregates(program.aggregates());
        private int superstep;
        private int index;
        private int nextMessage;
        private int endMessage;
        private int arcsLeft;
        private int arcTarget;
        private int pullsLeft;
        /** A neighbour whose message is next; -1 for none. */
        private int ghost = -1;

        private void open(int at, int first, int end) {
            index = at;
            ghost = -1;
            pullsLeft = ghosts.isEmpty() ? 0 : -1;
            nextMessage = first;
            endMessage = end;
            arcsLeft = -1;
            state.at(states, at * stateBytes);
        }

        /**
         * Looks for a neighbour with a message, and opens a vertex that is woken by this message alone. The program's
         * look for further messages goes on behind this neighbour.
         */
        private boolean openAtGhost(int at) {
            int left = pulls.open(at);
            while (left > 0) {
                int sender = pulls.next();
                left--;
                if (ghosts.has(sender)) {
                    open(at, 0, 0);
                    ghost = sender;
                    pullsLeft = left;
                    return true;
                }
            }
            return false;
        }

        @Override
        public int number() {
            return partition.vertex(part, index);
        }

        @Override
        public int vertexCount() {
            return partition.vertexCount();
        }

        @Override
        public int superstep() {
            return superstep;
        }

        @Override
        public int degree() {
            return arcs.degree(index);
        }

        @Override
        public Packed state() {
            return state;
        }

        @Override
        public boolean nextMessage() {
            if (nextMessage >= endMessage) {
                return (ghost >= 0 || pullsLeft != 0) && nextGhost();
            }
            message.at(inbox, nextMessage * messageBytes);
            nextMessage++;
            return true;
        }

        private boolean nextGhost() {
            if (ghost >= 0) {
                ghosts.message(ghost, message);
                ghost = -1;
                return true;
            }
            int left = pullsLeft < 0 ? pulls.open(index) : pullsLeft;
            while (left > 0) {
                int sender = pulls.next();
                left--;
                if (ghosts.has(sender)) {
                    ghosts.message(sender, message);
                    pullsLeft = left;
                    return true;
                }
            }
            pullsLeft = 0;
            return false;
        }

        @Override
        public Packed message() {
            return message;
        }

        @Override
        public Packed outgoing() {
            return sent;
        }

        @Override
        public void send(int target) {
            outgoing.add(Objects.checkIndex(target, partition.vertexCount()), sent);
        }

        @Override
        public void sendToNeighbours() {
            if (waits) {
                if ((waitingWords[index >>> WORD_SHIFT] >>> index & 1) != 0) {
                    throw new IllegalStateException("vertex " + number() + " sends to its neighbours twice in "
                        + "superstep " + superstep + ", and the program says once");
                }
                window.at(waiting, index * messageBytes).copy(sent);
                waitingWords[index >>> WORD_SHIFT] |= 1L << index;
                waitingArcs += arcs.degree(index);
                return;
            }
            for (int left = cursor.open(index); left > 0; left--) {
                outgoing.add(cursor.next(), sent);
            }
        }

        @Override
        public boolean nextArc() {
            if (arcsLeft < 0) {
                arcsLeft = single.open(index);
            }
            if (arcsLeft == 0) {
                return false;
            }
            arcsLeft--;
            arcTarget = single.next();
            return true;
        }

        @Override
        public int arcTarget() {
            return arcTarget;
        }

        @Override
        public double arcWeight() {
            return single.weight();
        }

        @Override
        public void halt() {
            halted[index] = 1;
        }

        @Override
        public void aggregate(int number, long value) {
            own.add(number, value);
        }

        @Override
        public void aggregate(int number, double value) {
            own.add(number, value);
        }

        @Override
        public Aggregates before() {
            return before;
        }
    }
}
