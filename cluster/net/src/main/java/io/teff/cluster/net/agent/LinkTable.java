package io.teff.cluster.net.agent;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The links of a network, whichever agents have them: there are so many at most. Asked when one begins, proves itself,
 * or ends. Thread-safe.
 */
public final class LinkTable {
    private final int greetingsMax;
    private final int linksMax;
    /** Those of others that have not proved themselves, the oldest first. */
    private final SequencedSet<Channel> greeting = new LinkedHashSet<>();
    /** Those that were dialed, or have proved themselves. */
    private final Set<Channel> others = new HashSet<>();

    LinkTable(int greetingsMax, int linksMax) {
        this.greetingsMax = greetingsMax;
        this.linksMax = linksMax;
    }

    /** This side dials; false if there are as many links as there may be. */
    synchronized boolean dialed(Channel channel) {
        return hasRoom() && others.add(channel);
    }

    /** Whether there may be one more. */
    synchronized boolean hasRoom() {
        return others.size() < linksMax;
    }

    /** A link has come in; the oldest of those that have proved nothing if they are too many now, which must end. */
    synchronized @Nullable Channel came(Channel channel) {
        greeting.add(channel);
        return greeting.size() > greetingsMax ? greeting.removeFirst() : null;
    }

    /**
     * Who has called has proved itself.
     *
     * @param isInstead whether the link takes the place of another one of the same connection
     * @return false if there are as many links as there may be
     */
    synchronized boolean proved(Channel channel, boolean isInstead) {
        if (!isInstead && !hasRoom()) {
            return false;
        }
        greeting.remove(channel);
        others.add(channel);
        return true;
    }

    /** A link is gone. */
    synchronized void ended(Channel channel) {
        greeting.remove(channel);
        others.remove(channel);
    }

    /** How many there are, of both kinds. */
    public synchronized int count() {
        return greeting.size() + others.size();
    }

    /** Whether it counts a link. */
    synchronized boolean has(Channel channel) {
        return greeting.contains(channel) || others.contains(channel);
    }

    /** Looks whether it keeps to its bounds, with links that have not ended. */
    public synchronized void audit() {
        if (greeting.size() > greetingsMax || others.size() > linksMax) {
            throw new IllegalStateException("links: " + greeting.size() + " of " + greetingsMax + " greeting, "
                + others.size() + " of " + linksMax);
        }
        for (Channel it : others) {
            if (it.isClosed() || greeting.contains(it)) {
                throw new IllegalStateException("links: " + it + " has ended, or is there twice");
            }
        }
    }
}
