package io.teff.test.links;

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
public final class SimTransport implements Transport {
    private final LinkWorld world;
    private final int place;
    private final List<SimLink> links = new ArrayList<>();
    private @Nullable Acceptor acceptor;
    private boolean isClosed;

    /**
     * Makes a transport that has no links.
     *
     * @param world of all links
     * @param place of the node
     */
    public SimTransport(LinkWorld world, int place) {
        this.world = world;
        this.place = place;
    }

    /** {@return the place of its node, which no other node has} */
    public int place() {
        return place;
    }

    /**
     * Returns the address of a node.
     *
     * @param place of the node
     * @return an address of the scheme "sim"
     */
    public static String address(int place) {
        return "sim:" + place;
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
        final boolean isAsked = to != null && !to.isClosed && world.isReachable(place, called);
        if (world.isHung(place, called) || !isAsked && world.isOneWay(place, called)) {
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

    /** {@return the open links} */
    public List<SimLink> links() {
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
    public void wakeUp() {
        world.due(this, world.nowNs());
    }

    /** {@return the time of the next event of a link} */
    public long nextNs() {
        long next = Long.MAX_VALUE;
        for (SimLink link : links) {
            next = Math.min(next, link.nextNs());
        }
        return next;
    }

    /** Ends the links as a machine that loses its power: the other ends find nothing but silence. */
    public void vanish() {
        isClosed = true;
        links.forEach(SimLink::vanish);
        links.clear();
    }

    @Override
    public void close() {
        isClosed = true;
        List.copyOf(links).forEach(SimLink::close);
        links.clear();
    }
}
