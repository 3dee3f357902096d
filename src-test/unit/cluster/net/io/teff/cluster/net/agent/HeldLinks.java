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
 * Links between networks without threads that a test lets go on, write by write, in whatever order: each direction of
 * each link keeps its own.
 */
final class HeldLinks {
    /** In front of a NID. */
    static final String ADDRESS = "held:";
    private static final byte[] END = new byte[0];

    private final Map<String, Acceptor> acceptors = new HashMap<>();
    /** All that were dialed, the oldest first. */
    final List<HeldLink> all = new ArrayList<>();
    /** Those that {@link #passAll} leaves alone. */
    Predicate<HeldLink> isHeld = _ -> false;

    /** What their transports say that they can. */
    Set<Capability> capabilities = Set.of();
    /** How many bytes of a write are taken. */
    IntUnaryOperator taken = bytes -> bytes;

    /** Done as an agent is woken. */
    Runnable whenWoken = () -> { };

    /** Done at the end of a write, when it has taken what it takes. */
    Runnable whenWritten = () -> { };

    /** A link, from both sides. */
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

        /** The other side has it, and the dialer hears of that; false if that was before. */
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

        /** What the dialer has written next comes to the listener; false if there is nothing. */
        boolean toListener() {
            return listener.take();
        }

        /** The same in the other direction. */
        boolean toDialer() {
            return dialer.take();
        }

        /** It breaks, with all that is on its way, as far as one side knows. */
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
        /** What has not come yet. */
        private final Queue<byte[]> incoming = new ArrayDeque<>();
        private @Nullable LinkEvents events;
        private boolean isOver;

        End(HeldLink link) {
            this.link = link;
        }

        boolean isOver() {
            return isOver;
        }

        /** What comes next; null if nothing does. */
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

        /** Something comes, behind all else. */
        void add(byte[] bytes) {
            incoming.add(bytes);
        }

        /** It takes more than it did. */
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

    /** The one that both sides have. */
    HeldLink open() {
        return all.stream().filter(it -> it.isAccepted && !it.dialer.isOver && !it.listener.isOver).findFirst()
            .orElseThrow();
    }

    /** Lets all go on but those that are held; how much that was. */
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
