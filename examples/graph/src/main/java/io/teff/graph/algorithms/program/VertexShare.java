package io.teff.graph.algorithms.program;

import io.teff.graph.Adjacency;
import io.teff.graph.Neighbours;
import java.util.Arrays;
import java.util.Objects;

/**
 * One share of the vertices of a vertex program: states, halted vertices, inbox and outboxes. For one thread at a time;
 * another share reads the outbox to it while no share computes. The share is also the {@link Vertex} that the program
 * sees.
 */
final class VertexShare implements Vertex {
    private final Adjacency graph;
    private final VertexProgram program;
    private final States states;
    private final int share;
    private final int begin;
    private final int count;
    private final int messageBytes;
    private final boolean combines;
    private final Neighbours cursor;
    private final Neighbours arcs;
    private final boolean[] halted;
    private final MessageRun[] outboxes;
    private final Aggregates before;
    private final Aggregates own;
    private final Packed state;
    private final Packed message;
    private final Packed outgoing;
    private final Packed window;
    private final int[] ends;            // of the messages of a vertex in the inbox; a count of 0 or 1 if combined
    private byte[] inbox;
    private int vertex;
    private int superstep;
    private int nextMessage;
    private int arcsLeft;
    private int arcTarget;

    VertexShare(Adjacency graph, VertexProgram program, States states, int share, Aggregates before) {
        this.graph = graph;
        this.program = program;
        this.states = states;
        this.share = share;
        this.before = before;
        begin = states.begin(share);
        count = states.end(share) - begin;
        messageBytes = program.messageBytes();
        combines = program.combines();
        cursor = graph.neighbours();
        arcs = graph.neighbours();
        halted = new boolean[count];
        outboxes = new MessageRun[states.shareCount()];
        Arrays.setAll(outboxes, target -> new MessageRun(messageBytes));
        own = new Aggregates(program.aggregates());
        state = states.window();
        message = new Packed(messageBytes);
        outgoing = new Packed(messageBytes);
        window = new Packed(messageBytes);
        ends = new int[count];
        inbox = new byte[combines ? Math.multiplyExact(count, messageBytes) : 0];
    }

    void begin() {
        for (int i = 0; i < count; i++) {
            program.begin(begin + i, states.read(begin + i, state));
        }
    }

    /** Computes each vertex that has messages or has not halted. */
    void compute(int now) {
        superstep = now;
        own.clear();
        for (MessageRun outbox : outboxes) {
            outbox.clear();
        }
        for (int i = 0; i < count; i++) {
            boolean hasMessages = first(i) < end(i);
            if (hasMessages || !halted[i]) {
                halted[i] = false;
                vertex = begin + i;
                nextMessage = first(i);
                arcsLeft = -1;
                states.read(vertex, state);
                program.compute(this);
            }
        }
    }

    Aggregates aggregates() {
        return own;
    }

    /** Takes the messages that all shares have for this share; returns whether a vertex has to compute. */
    boolean take(VertexShare[] shares) {
        Arrays.fill(ends, 0);
        long messages = combines ? takeCombined(shares) : takeAll(shares);
        if (messages > 0) {
            return true;
        }
        for (boolean isHalted : halted) {
            if (!isHalted) {
                return true;
            }
        }
        return false;
    }

    private long takeCombined(VertexShare[] shares) {
        long messages = 0;
        for (VertexShare sender : shares) {
            MessageRun buffer = sender.outboxes[share];
            messages += buffer.count();
            for (int i = 0; i < buffer.count(); i++) {
                int index = buffer.target(i) - begin;
                message.at(inbox, index * messageBytes);
                if (ends[index] == 0) {
                    ends[index] = 1;
                    message.copy(buffer.message(i, window));
                } else {
                    program.combine(message, buffer.message(i, window));
                }
            }
        }
        return messages;
    }

    /** A counting sort by vertex that keeps the order of the senders. */
    private long takeAll(VertexShare[] shares) {
        long messages = 0;
        for (VertexShare sender : shares) {
            MessageRun buffer = sender.outboxes[share];
            messages += buffer.count();
            for (int i = 0; i < buffer.count(); i++) {
                ends[buffer.target(i) - begin]++;
            }
        }
        long bytes = messages * messageBytes;
        if (bytes > Integer.MAX_VALUE - Byte.SIZE) {
            throw new IllegalStateException(bytes + " bytes of messages to one share; a combiner needs less");
        }
        if (inbox.length < bytes) {
            inbox = new byte[(int) bytes];
        }
        int first = 0;
        for (int i = 0; i < count; i++) {
            int length = ends[i];
            ends[i] = first;
            first += length;
        }
        for (VertexShare sender : shares) {
            MessageRun buffer = sender.outboxes[share];
            for (int i = 0; i < buffer.count(); i++) {
                int place = ends[buffer.target(i) - begin]++;
                message.at(inbox, place * messageBytes).copy(buffer.message(i, window));
            }
        }
        return messages;
    }

    /** Place of the first message of a vertex in the inbox. */
    private int first(int index) {
        return combines ? index : index == 0 ? 0 : ends[index - 1];
    }

    private int end(int index) {
        return combines ? index + ends[index] : ends[index];
    }

    // ---- what the program sees ----

    @Override
    public int number() {
        return vertex;
    }

    @Override
    public int vertexCount() {
        return states.vertexCount();
    }

    @Override
    public int superstep() {
        return superstep;
    }

    @Override
    public int degree() {
        return graph.degree(vertex);
    }

    @Override
    public Packed state() {
        return state;
    }

    @Override
    public boolean nextMessage() {
        if (nextMessage >= end(vertex - begin)) {
            return false;
        }
        message.at(inbox, nextMessage * messageBytes);
        nextMessage++;
        return true;
    }

    @Override
    public Packed message() {
        return message;
    }

    @Override
    public Packed outgoing() {
        return outgoing;
    }

    @Override
    public void send(int target) {
        Objects.checkIndex(target, states.vertexCount());
        outboxes[states.share(target)].add(target, outgoing, window);
    }

    @Override
    public void sendToNeighbours() {
        for (int left = cursor.open(vertex); left > 0; left--) {
            int target = cursor.next();
            outboxes[states.share(target)].add(target, outgoing, window);
        }
    }

    @Override
    public boolean nextArc() {
        if (arcsLeft < 0) {
            arcsLeft = arcs.open(vertex);
        }
        if (arcsLeft == 0) {
            return false;
        }
        arcsLeft--;
        arcTarget = arcs.next();
        return true;
    }

    @Override
    public int arcTarget() {
        return arcTarget;
    }

    @Override
    public double arcWeight() {
        return arcs.weight();
    }

    @Override
    public void halt() {
        halted[vertex - begin] = true;
    }

    @Override
    public void aggregate(int index, long value) {
        own.add(index, value);
    }

    @Override
    public void aggregate(int index, double value) {
        own.add(index, value);
    }

    @Override
    public Aggregates before() {
        return before;
    }
}
