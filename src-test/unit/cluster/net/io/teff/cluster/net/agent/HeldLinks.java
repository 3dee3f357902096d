package io.teff.cluster.net.agent;


import io.teff.cluster.net.transport.Acceptor;
import io.teff.cluster.net.transport.Capability;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.cluster.net.transport.Transport;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Links between networks without threads that a test advances write by write, in any order across links; each direction
 * of a link keeps its own order.
 */
final class HeldLinks {
    /** Prefix of a NID in an address. */
    static final String ADDRESS = "held:";
    private static final byte[] END = new byte[0];

    private final Map<String, Acceptor> acceptors = new HashMap<>();
    /** All dialed links, the oldest first. */
    final List<HeldLink> all = new ArrayList<>();
    /** Those that {@link #passAll} leaves alone. */
    Predicate<HeldLink> isHeld = _ -> false;

    /** The capabilities that the transports report. */
    Set<Capability> capabilities = Set.of();
    /** Number of bytes of a write that the link accepts. */
    IntUnaryOperator taken = bytes -> bytes;

    /** Runs when an agent is woken. */
    Runnable whenWoken = () -> { };

    /** Runs at the end of a write, after the link has accepted its bytes. */
    Runnable whenWritten = () -> { };

    /** A link with its two ends. */
    final class HeldLink {
        final int from;
        private final String to;
        final End dialer;
        final End listener = new End(this);
        private boolean isAccepted;

        HeldLink(int from, String to, LinkEvents events) {
            this.from = from;
            this.to = to;
            this.dialer = new End(this);
            dialer.events = events;
        }

        /** Accepts the link on the listener's side and notifies the dialer; returns false if that was done before. */
        boolean accept() {
            final Acceptor acceptor = acceptors.get(to);
            if (isAccepted || acceptor == null || dialer.isOver) {
                return false;
            }
            isAccepted = true;
            final LinkEvents told = acceptor.accepted(listener);
            listener.events = told;
            told.connected();
            if (dialer.events != null) {
                dialer.events.connected();
            }
            return true;
        }

        /** Delivers the dialer's next write to the listener; returns false if there is none. */
        boolean toListener() {
            return listener.take();
        }

        /** Delivers the listener's next write to the dialer; returns false if there is none. */
        boolean toDialer() {
            return dialer.take();
        }

        /** Breaks the link, including all data in flight, as seen by one side only. */
        void breakAt(End end) {
            end.incoming.clear();
            end.over(new IOException("planned"));
        }

        int taken(int bytes) {
            return taken.applyAsInt(bytes);
        }

        void written() {
            whenWritten.run();
        }

        void breakBoth() {
            breakAt(dialer);
            breakAt(listener);
        }
    }

    /** One side of a link. */
    static final class End implements Link {
        private final HeldLink link;
        /** Writes that have not been delivered. */
        private final Queue<byte[]> incoming = new ArrayDeque<>();
        private @Nullable LinkEvents events;
        private boolean isOver;

        End(HeldLink link) {
            this.link = link;
        }

        boolean isOver() {
            return isOver;
        }

        /** Removes and returns the next write; null if there is none. */
        byte @Nullable [] next() {
            return incoming.peek();
        }

        private boolean take() {
            final byte[] next = isOver || events == null ? null : incoming.poll();
            if (next == null || events == null) {
                return false;
            }
            if (next.length == 0) {
                over(null);
            } else {
                events.bytes(MemorySegment.ofArray(next), 0, next.length);
            }
            return true;
        }

        private void over(@Nullable IOException why) {
            if (!isOver && events != null) {
                isOver = true;
                events.closed(why == null ? new EOFException("closed") : why);
            }
            isOver = true;
        }

        /** Appends a write. */
        void add(byte[] bytes) {
            incoming.add(bytes);
        }

        /** Reports to this end that it can write again. */
        void writable() {
            if (events != null) {
                events.writable();
            }
        }

        private End other() {
            return link.dialer == this ? link.listener : link.dialer;
        }

        @Override
        public int write(MemorySegment memory, long from, int bytes) {
            if (isOver || bytes == 0) {
                return 0;
            }
            final int taken = link.taken(bytes);
            if (taken > 0) {
                other().incoming.add(memory.asSlice(from, taken).toArray(ValueLayout.JAVA_BYTE));
            }
            link.written();
            return taken;
        }

        @Override
        public void close() {
            if (!isOver) {
                isOver = true;
                other().incoming.add(END);
            }
        }

        @Override
        public String peer() {
            return link.to;
        }
    }

    HeldLink last() {
        return all.getLast();
    }

    /** Returns the link that both sides consider open. */
    HeldLink open() {
        return all.stream().filter(it -> it.isAccepted && !it.dialer.isOver && !it.listener.isOver).findFirst()
            .orElseThrow();
    }

    /** Advances all links that are not held; returns the number of steps. */
    int passAll() {
        int count = 0;
        for (int i = 0; i < all.size(); i++) {
            final HeldLink it = all.get(i);
            while (!isHeld.test(it) && (it.accept() || it.toListener() || it.toDialer())) {
                count++;
            }
        }
        return count;
    }

    /** The transport of a node. */
    Transport transport(int nid) {
        return new Transport() {
            @Override
            public String listen(String address, Acceptor acceptor) {
                acceptors.put(address, acceptor);
                return address;
            }

            @Override
            public Set<Capability> capabilities() {
                return capabilities;
            }

            @Override
            public boolean isLocal(String address) {
                return true;
            }

            @Override
            public Link connect(String address, LinkEvents events) {
                final HeldLink link = new HeldLink(nid, address, events);
                all.add(link);
                return link.dialer;
            }

            @Override
            public int poll() {
                return 0;
            }

            @Override
            public void await(long timeoutNs) {
                throw new AssertionError("nobody waits");
            }

            @Override
            public void wakeUp() {
                whenWoken.run();
            }

            @Override
            public void close() {
                all.stream().filter(it -> it.from == nid).forEach(it -> it.dialer.close());
                all.stream().filter(it -> it.to.equals(ADDRESS + nid)).forEach(it -> it.listener.close());
            }
        };
    }
}
