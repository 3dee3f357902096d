package io.teff.test.links;

import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One end of a simulated link. Accepted bytes arrive at the other end after some time, in pieces of any length; bytes
 * in flight when the link breaks, or written after the other end was closed, are lost.
 */
public final class SimLink implements Link {
    /** Number of writes of each side that are greetings, if each is accepted at once. */
    private static final int GREETINGS = 2;

    /** Longer than the greetings of a side; disturbances within them are detected by the proofs. */
    private static final int GREETING_BYTES = 160;

    /** A disturbance of a write. */
    public enum Disturbance {
        /** The write does not arrive. */
        LOSS,
        /** The write arrives twice. */
        REPETITION,
        /** The write arrives behind the next one. */
        DISORDER,
        /** A bit of the write is flipped. */
        CHANGE;

        /** {@return any disturbance} */
        public static Disturbance any(SplittableRandom random) {
            return values()[random.nextInt(values().length)];
        }
    }

    private record Packet(byte[] bytes, long dueNs) {}

    private final LinkWorld world;
    private SimTransport transport;
    private @Nullable LinkEvents events;
    private @Nullable SimLink other;
    /** In flight to this end. */
    private final Queue<Packet> incoming = new ArrayDeque<>();
    /** Bytes of this end that the other has not read. */
    private int unread;
    /** Bytes of the other end that were read here, which that end does not know yet. */
    private int unsaid;
    private int writes;
    private long written;
    private long arrivesNs = Long.MAX_VALUE;
    private long connectedNs = Long.MAX_VALUE;
    private long closedNs = Long.MAX_VALUE;
    private long lastDueNs;
    private @Nullable IOException why;
    private boolean isConnected;
    private boolean isBlocked;
    private boolean isOver;
    /** The place that a hanging dial never reaches; -1 if the dial does not hang. */
    private int hangsTo = -1;
    /** The disturbance of the next write behind the greetings. */
    private @Nullable Disturbance disturbance;
    /** A write overtaken by the next one. */
    private byte @Nullable [] late;

    SimLink(LinkWorld world, SimTransport transport, @Nullable LinkEvents events) {
        this.world = world;
        this.transport = transport;
        this.events = events;
    }

    void join(SimLink far) {
        other = far;
        far.other = this;
    }

    /** {@return whether this end has been closed, or knows that the link is broken} */
    public boolean isOver() {
        return isOver;
    }

    /** {@return the transport of this end} */
    public SimTransport transport() {
        return transport;
    }

    /** Moves the link to another agent of its node. */
    void setTransport(SimTransport its) {
        transport = its;
    }

    /** Makes the dial hang, without an answer or an error. */
    void hang(int place) {
        hangsTo = place;
    }

    /** {@return the place at the other end} */
    public int far() {
        return other == null ? hangsTo : other.transport.place();
    }

    /** {@return whether this is a dial without an answer or an error} */
    public boolean isHanging() {
        return hangsTo >= 0;
    }

    /** {@return the other end; null if there is none} */
    public @Nullable SimLink other() {
        return other;
    }

    void arriveLater(long ns) {
        arrivesNs = world.nowNs() + ns;
        world.due(transport, arrivesNs);
    }

    void closeLater(long ns, @Nullable IOException reason) {
        if (closedNs >= LinkWorld.NEVER_NS) {
            closedNs = world.nowNs() + ns;
            why = reason;
            world.due(transport, closedNs);
        }
    }

    /** Breaks the link: each end learns of it some time later, bytes in flight are lost. */
    public void reset() {
        breakDown();
        if (other != null) {
            other.breakDown();
        }
    }

    private void breakDown() {
        incoming.clear();
        closeLater(world.latency(), new IOException("reset"));
    }

    /** Delivers the bytes held back by a cut. */
    public void goOn() {
        final SimLink from = other;
        if (from == null) {
            return;
        }
        if (from.lastDueNs >= LinkWorld.NEVER_NS) {
            from.lastDueNs = world.nowNs() + world.latency();
            final List<Packet> all = List.copyOf(incoming);
            incoming.clear();
            all.forEach(it -> incoming.add(new Packet(it.bytes, Math.min(it.dueNs, from.lastDueNs))));
        }
        if (connectedNs >= LinkWorld.NEVER_NS && connectedNs < Long.MAX_VALUE) {
            connectedNs = world.nowNs() + world.latency();
        }
        if (closedNs >= LinkWorld.NEVER_NS && closedNs < Long.MAX_VALUE) {
            closedNs = Math.max(from.lastDueNs, world.nowNs()) + world.latency();
        }
        sayRead(from);
        world.due(transport, world.nowNs());
    }

    /** Reports the number of bytes read here to the other end, if it is reachable. */
    private void sayRead(SimLink to) {
        if (world.isReachable(transport.place(), far())) {
            to.unread -= unsaid;
            unsaid = 0;
            if (to.isBlocked) {
                world.due(to.transport, world.nowNs());
            }
        }
    }

    /** {@return the time of the next event at this end} */
    public long nextNs() {
        final Packet first = incoming.peek();
        final long packetNs = first == null || !isConnected ? Long.MAX_VALUE : first.dueNs;
        return isOver ? Long.MAX_VALUE
            : Math.min(Math.min(arrivesNs, connectedNs), Math.min(closedNs, packetNs));
    }

    /** Reports the events that are due. */
    int poll() {
        final long now = world.nowNs();
        if (isOver) {
            return 0;
        }
        if (arrivesNs <= now) {
            arrivesNs = Long.MAX_VALUE;
            return arrive();
        }
        final LinkEvents told = events;
        if (told == null) {
            return 0;
        }
        if (connectedNs <= now) {
            connectedNs = Long.MAX_VALUE;
            isConnected = true;
            told.connected();
            return 1;
        }
        final Packet first = incoming.peek();
        if (isConnected && first != null && first.dueNs <= now) {
            return read(told, incoming.remove().bytes);
        }
        if (closedNs <= now) {
            isOver = true;
            told.closed(why);
            return 1;
        }
        if (isBlocked && unread < world.sendBufferBytes() && isConnected) {
            isBlocked = false;
            told.writable();
            return 1;
        }
        return 0;
    }

    private int arrive() {
        final LinkEvents told = transport.accept(this);
        if (told == null || isOver) {
            close();
            return 1;
        }
        events = told;
        isConnected = true;
        if (other != null) {
            other.connectedNs = world.arrivalNs(transport.place(), far());
            world.due(other.transport, other.connectedNs);
        }
        told.connected();
        return 1;
    }

    private int read(LinkEvents told, byte[] bytes) {
        unsaid += bytes.length;
        if (other != null) {
            sayRead(other);
        }
        for (int from = 0; from < bytes.length && !isOver;) {
            final int count = world.pieceBytes(bytes.length - from);
            told.bytes(MemorySegment.ofArray(bytes), from, count);
            from += count;
        }
        return bytes.length;
    }

    @Override
    public int write(MemorySegment memory, long from, int bytes) {
        final SimLink to = other;
        if (isOver || to == null || why != null) {
            return 0;
        }
        final int taken = Math.min(bytes, Math.max(world.sendBufferBytes() - unread, 0));
        isBlocked = taken < bytes;
        if (taken > 0 && !to.isOver) {
            final long lateNs = writes++ < GREETINGS ? world.lateNs() : 0;
            lastDueNs = Math.max(lastDueNs, world.arrivalNs(transport.place(), to.transport.place()) + lateNs);
            to.send(this, memory.asSlice(from, taken).toArray(ValueLayout.JAVA_BYTE));
            unread += taken;
        }
        return taken;
    }

    /**
     * Disturbs the next write behind the greetings.
     *
     * @param what happens to it
     */
    public void disturb(Disturbance what) {
        disturbance = what;
    }

    /** Puts bytes from the other end in flight to this end. */
    private void send(SimLink by, byte[] bytes) {
        world.written(bytes);
        final Disturbance its = by.written >= GREETING_BYTES ? by.disturbance : null;
        by.written += bytes.length;
        if (its != null) {
            by.disturbance = null;
            world.disturbed(transport.place(), by.transport.place(), its + " of " + bytes.length + " bytes of node "
                + by.transport.place() + " at " + by.written);
        }
        if (its == Disturbance.CHANGE) {
            world.changeBit(bytes);
        }
        if (its == Disturbance.DISORDER) {
            by.late = bytes;
        } else if (its == Disturbance.LOSS) {
            by.unread -= bytes.length;
        } else {
            incoming.add(new Packet(bytes, by.lastDueNs));
        }
        if (its == Disturbance.REPETITION) {
            incoming.add(new Packet(bytes, by.lastDueNs));
            by.unread += bytes.length;
        }
        if (by.late != null && its != Disturbance.DISORDER) {
            incoming.add(new Packet(by.late, by.lastDueNs));
            by.late = null;
        }
        world.due(transport, by.lastDueNs);
    }

    @Override
    public void close() {
        if (!isOver) {
            isOver = true;
            if (other != null) {
                other.closeAfter();
            }
        }
    }

    /** Ends without a word, as a machine that loses its power: what the other end sends gets lost. */
    void vanish() {
        isOver = true;
    }

    /** The other end was closed: this end learns of it after the bytes in flight. */
    private void closeAfter() {
        long last = world.nowNs();
        for (Packet packet : incoming) {
            last = Math.max(last, packet.dueNs);
        }
        final boolean isHeard = world.isReachable(far(), transport.place());
        closeLater((isHeard ? last : LinkWorld.NEVER_NS) - world.nowNs() + world.latency(), null);
    }

    @Override
    public String peer() {
        return other == null && hangsTo < 0 ? "sim" : SimTransport.address(far());
    }
}
