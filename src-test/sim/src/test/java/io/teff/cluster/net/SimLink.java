package io.teff.cluster.net;

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
final class SimLink implements Link {
    /** Number of writes of each side that are greetings, if each is accepted at once. */
    private static final int GREETINGS = 2;

    /** Longer than the greetings of a side; disturbances within them are detected by the proofs. */
    private static final int GREETING_BYTES = 160;

    /** A disturbance of a write. */
    enum Disturbance {
        /** The write does not arrive. */
        LOSS,
        /** The write arrives twice. */
        REPETITION,
        /** The write arrives behind the next one. */
        DISORDER,
        /** A bit of the write is flipped. */
        CHANGE;

        static Disturbance any(SplittableRandom random) {
            return values()[random.nextInt(values().length)];
        }
    }

    private record Packet(byte[] bytes, long dueNs) {}

    private final SimWorld world;
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
    /** The NID that a hanging dial never reaches; -1 if the dial does not hang. */
    private int hangsTo = -1;
    /** The disturbance of the next write behind the greetings. */
    private @Nullable Disturbance disturbance;
    /** A write overtaken by the next one. */
    private byte @Nullable [] late;

    SimLink(SimWorld world, SimTransport transport, @Nullable LinkEvents events) {
        this.world = world;
        this.transport = transport;
        this.events = events;
    }

    void join(SimLink far) {
        other = far;
        far.other = this;
    }

    boolean isOver() {
        return isOver;
    }

    SimTransport transport() {
        return transport;
    }

    /** Moves the link to another agent of its node. */
    void setTransport(SimTransport its) {
        transport = its;
    }

    /** Makes the dial hang, without an answer or an error. */
    void hang(int nid) {
        hangsTo = nid;
    }

    /** Returns the NID at the other end. */
    int far() {
        return other == null ? hangsTo : other.transport.nid();
    }

    boolean isHanging() {
        return hangsTo >= 0;
    }

    @Nullable SimLink other() {
        return other;
    }

    void arriveLater(long ns) {
        arrivesNs = world.nowNs() + ns;
    }

    void closeLater(long ns, @Nullable IOException reason) {
        if (closedNs >= SimWorld.NEVER_NS) {
            closedNs = world.nowNs() + ns;
            why = reason;
        }
    }

    /** Breaks the link: each end learns of it some time later, bytes in flight are lost. */
    void reset() {
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
    void goOn() {
        final SimLink from = other;
        if (from == null) {
            return;
        }
        if (from.lastDueNs >= SimWorld.NEVER_NS) {
            from.lastDueNs = world.nowNs() + world.latency();
            final List<Packet> all = List.copyOf(incoming);
            incoming.clear();
            all.forEach(it -> incoming.add(new Packet(it.bytes, Math.min(it.dueNs, from.lastDueNs))));
        }
        if (connectedNs >= SimWorld.NEVER_NS && connectedNs < Long.MAX_VALUE) {
            connectedNs = world.nowNs() + world.latency();
        }
        if (closedNs >= SimWorld.NEVER_NS && closedNs < Long.MAX_VALUE) {
            closedNs = Math.max(from.lastDueNs, world.nowNs()) + world.latency();
        }
        sayRead(from);
    }

    /** Reports the number of bytes read here to the other end, if it is reachable. */
    private void sayRead(SimLink to) {
        if (world.isReachable(transport.nid(), far())) {
            to.unread -= unsaid;
            unsaid = 0;
        }
    }

    /** Returns the time of the next event at this end. */
    long nextNs() {
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
            other.connectedNs = world.arrivalNs(transport.nid(), far());
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
            lastDueNs = Math.max(lastDueNs, world.arrivalNs(transport.nid(), to.transport.nid()) + lateNs);
            to.send(this, memory.asSlice(from, taken).toArray(ValueLayout.JAVA_BYTE));
            unread += taken;
        }
        return taken;
    }

    void disturb(Disturbance what) {
        disturbance = what;
    }

    /** Puts bytes from the other end in flight to this end. */
    private void send(SimLink by, byte[] bytes) {
        world.plant.write(world, bytes);
        final Disturbance its = by.written >= GREETING_BYTES ? by.disturbance : null;
        by.written += bytes.length;
        if (its != null) {
            by.disturbance = null;
            world.trace(its + " of " + bytes.length + " bytes of node " + by.transport.nid() + " at " + by.written);
            world.disturbed(transport.nid(), by.transport.nid());
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

    /** The other end was closed: this end learns of it after the bytes in flight. */
    private void closeAfter() {
        long last = world.nowNs();
        for (Packet packet : incoming) {
            last = Math.max(last, packet.dueNs);
        }
        final boolean isHeard = world.isReachable(far(), transport.nid());
        closeLater((isHeard ? last : SimWorld.NEVER_NS) - world.nowNs() + world.latency(), null);
    }

    @Override
    public String peer() {
        return other == null && hangsTo < 0 ? "sim" : SimTransport.address(far());
    }
}
