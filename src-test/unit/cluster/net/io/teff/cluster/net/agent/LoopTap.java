package io.teff.cluster.net.agent;

import io.teff.cluster.net.loop.LoopProvider;
import io.teff.cluster.net.transport.Acceptor;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.cluster.net.transport.Transport;
import io.teff.cluster.net.transport.TransportOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Links in the process with hooks for a test: subclasses override what they observe or change. */
public class LoopTap implements Transport {
    private final Transport its = new LoopProvider().open(new TransportOptions(null));

    /** Forwards the writes to a link. */
    public static class TappedLink implements Link {
        private final Link its;

        public TappedLink(Link its) {
            this.its = its;
        }

        @Override
        public int write(MemorySegment memory, long from, int bytes) {
            return its.write(memory, from, bytes);
        }

        @Override
        public void close() {
            its.close();
        }

        @Override
        public String peer() {
            return its.peer();
        }
    }

    /** Forwards the events of a link to its listener. */
    public static class TappedEvents implements LinkEvents {
        private final LinkEvents its;

        public TappedEvents(LinkEvents its) {
            this.its = its;
        }

        @Override
        public void connected() {
            its.connected();
        }

        @Override
        public void bytes(MemorySegment memory, long from, int count) {
            its.bytes(memory, from, count);
        }

        @Override
        public void writable() {
            its.writable();
        }

        @Override
        public void closed(@Nullable IOException why) {
            its.closed(why);
        }
    }

    @Override
    public String listen(String address, Acceptor acceptor) throws IOException {
        return its.listen(address, acceptor);
    }

    @Override
    public boolean isLocal(String address) throws IOException {
        return its.isLocal(address);
    }

    @Override
    public Link connect(String address, LinkEvents events) throws IOException {
        return its.connect(address, events);
    }

    @Override
    public int poll() {
        return its.poll();
    }

    @Override
    public void await(long timeoutNs) {
        its.await(timeoutNs);
    }

    @Override
    public void wakeUp() {
        its.wakeUp();
    }

    @Override
    public void close() {
        its.close();
    }
}
