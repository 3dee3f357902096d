package io.teff.cluster.net;

import io.teff.cluster.net.transport.Acceptor;
import io.teff.cluster.net.transport.Capability;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.cluster.net.transport.Transport;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An agent's end of the simulated world: reports events when the world's clock reaches them. */
final class SimTransport implements Transport {
    private final SimWorld world;
    private final int nid;
    private final List<SimLink> links = new ArrayList<>();
    private @Nullable Acceptor acceptor;
    private boolean isClosed;

    SimTransport(SimWorld world, int nid) {
        this.world = world;
        this.nid = nid;
    }

    int nid() {
        return nid;
    }

    static String address(int nid) {
        return "sim:" + nid;
    }

    @Override
    public String listen(String address, Acceptor told) {
        acceptor = told;
        return address;
    }

    @Override
    public boolean isLocal(String address) {
        return true;
    }

    @Override
    public Link connect(String address, LinkEvents events) {
        final SimLink near = new SimLink(world, this, events);
        links.add(near);
        final int called = Integer.parseInt(address.substring(address.indexOf(':') + 1));
        final SimTransport to = world.transport(called);
        final boolean isAsked = to != null && !to.isClosed && world.isReachable(nid, called);
        if (world.isHung(nid, called) || !isAsked && world.isOneWay(nid, called)) {
            near.hang(called);
        } else if (to == null || !isAsked) {
            near.closeLater(world.latency(), new ConnectException("nobody is at " + address));
        } else {
            final SimLink far = new SimLink(world, to, null);
            near.join(far);
            to.links.add(far);
            far.arriveLater(world.latency());
        }
        return near;
    }

    /** The listener's side of a link has come. */
    @Nullable LinkEvents accept(SimLink link) {
        return isClosed || acceptor == null ? null : acceptor.accepted(link);
    }

    /** Returns the open links. */
    List<SimLink> links() {
        return links;
    }

    @Override
    public int poll() {
        int work = 0;
        for (int i = 0; i < links.size(); i++) {
            work += links.get(i).poll();
        }
        links.removeIf(SimLink::isOver);
        return work;
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.MOVES_LINKS, Capability.SENDERS_WRITE);
    }

    @Override
    public void release(Link link) {
        links.remove((SimLink) link);
    }

    @Override
    public void adopt(Link link) {
        final SimLink its = (SimLink) link;
        its.setTransport(this);
        links.add(its);
    }

    @Override
    public void await(long timeoutNs) {
        throw new AssertionError("nobody waits in a simulation");
    }

    @Override
    public void wakeUp() {}

    @Override
    public void close() {
        isClosed = true;
        List.copyOf(links).forEach(SimLink::close);
        links.clear();
    }
}
