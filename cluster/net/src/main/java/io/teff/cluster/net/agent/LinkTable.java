package io.teff.cluster.net.agent;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The links of a network, over all agents of the network, and the limits of the links: {@code linksMax} and
 * {@code greetingsMax}. Asked when a link begins, authenticates, or ends. Thread-safe.
 */
public final class LinkTable {
    private final int greetingsMax;
    private final int linksMax;
    /** Accepted links before authentication, the oldest first. */
    private final SequencedSet<Channel> greeting = new LinkedHashSet<>();
    /** Links dialed by this node, and authenticated accepted links. */
    private final Set<Channel> others = new HashSet<>();

    LinkTable(int greetingsMax, int linksMax) {
        this.greetingsMax = greetingsMax;
        this.linksMax = linksMax;
    }

    /** Adds a link dialed by this node; returns false if there is no room. */
    synchronized boolean dialed(Channel channel) {
        return hasRoom() && others.add(channel);
    }

    /** Returns whether another link may be added. */
    synchronized boolean hasRoom() {
        return others.size() < linksMax;
    }

    /**
     * Adds an accepted link; returns the oldest unauthenticated link if the limit is exceeded; the caller must close
     * the returned link.
     */
    synchronized @Nullable Channel accepted(Channel channel) {
        greeting.add(channel);
        return greeting.size() > greetingsMax ? greeting.removeFirst() : null;
    }

    /**
     * Counts an accepted link as authenticated.
     *
     * @param isInstead whether the link replaces a link of its connection
     * @return false if there is no room
     */
    synchronized boolean proved(Channel channel, boolean isInstead) {
        if (!isInstead && !hasRoom()) {
            return false;
        }
        greeting.remove(channel);
        others.add(channel);
        return true;
    }

    /** Removes an ended link. */
    synchronized void ended(Channel channel) {
        greeting.remove(channel);
        others.remove(channel);
    }

    /** Returns the number of links. */
    public synchronized int count() {
        return greeting.size() + others.size();
    }

    /** Returns whether a link is in the table. */
    synchronized boolean has(Channel channel) {
        return greeting.contains(channel) || others.contains(channel);
    }

    /** Checks the limits, and that no entered link has ended. */
    public synchronized void audit() {
        if (greeting.size() > greetingsMax || others.size() > linksMax) {
            throw new IllegalStateException("links: " + greeting.size() + " of " + greetingsMax + " greeting, "
                + others.size() + " of " + linksMax);
        }
        for (Channel channel : others) {
            if (channel.isClosed() || greeting.contains(channel)) {
                throw new IllegalStateException("links: " + channel + " has ended, or is there twice");
            }
        }
    }
}
