package io.teff.cluster.net;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Time, chance and distance of simulated nodes. All that happens follows from its seed.
 */
final class SimWorld implements NanoClock {
    private static final long MILLISECOND = 1_000_000;
    private static final int STORY_LINES = 60;

    final SplittableRandom random;
    /** Of each node those of its agents, the first of which listens. */
    private final Map<Integer, List<SimTransport>> transports = new HashMap<>();
    /** Pairs of nodes that do not reach each other; their links are silent. */
    private final Set<Long> cut = new HashSet<>();
    private final int sendBufferBytes;
    private final long latencyMaxNs;
    private final Deque<String> story = new ArrayDeque<>();
    private long nowNs = 1_000_000_000;

    SimWorld(long seed) {
        random = new SplittableRandom(seed);
        sendBufferBytes = 1 << random.nextInt(6, 18);
        latencyMaxNs = MILLISECOND << random.nextInt(6);
    }

    @Override
    public long nanoTime() {
        return nowNs;
    }

    /** Lets time go on, to the next thing that happens, or so long. */
    void advance(long mostNs) {
        long next = nowNs + mostNs;
        for (SimLink link : links()) {
            final long its = link.nextNs();
            next = its > nowNs ? Math.min(next, its) : next;
        }
        nowNs = next;
    }

    /** A node starts, or starts anew, with so many agents. */
    List<SimTransport> add(int nid, int agentCount) {
        final List<SimTransport> its = Stream.generate(() -> new SimTransport(this, nid)).limit(agentCount).toList();
        transports.put(nid, its);
        return its;
    }

    /** Where others find a node. */
    @Nullable SimTransport transport(int nid) {
        final List<SimTransport> its = transports.get(nid);
        return its == null ? null : its.getFirst();
    }

    // ---- the story of a failure ----

    /** Notes something that has happened. */
    void trace(String what) {
        story.add(nowNs / 1000 + " us: " + what);
        if (story.size() > STORY_LINES) {
            story.remove();
        }
    }

    /** What has happened last. */
    String story() {
        return String.join("\n", story);
    }

    // ---- distance ----

    long latency() {
        return random.nextLong(latencyMaxNs);
    }

    int sendBufferBytes() {
        return sendBufferBytes;
    }

    /** How many bytes of what has come are shown at once. */
    int pieceBytes(int bytes) {
        return random.nextInt(4) == 0 ? random.nextInt(1, bytes + 1) : bytes;
    }

    /** When bytes that leave now arrive: over a link that is cut not before it is mended, or not at all. */
    long arrivalNs(int from, int to) {
        return isReachable(from, to) ? nowNs + latency() : Long.MAX_VALUE / 2;
    }

    private static long pair(int one, int two) {
        return (long) Math.min(one, two) << Integer.SIZE | Math.max(one, two);
    }

    boolean isReachable(int from, int to) {
        return !cut.contains(pair(from, to));
    }

    // ---- faults ----

    /** Two nodes do not reach each other any more. */
    void cut(int one, int two) {
        cut.add(pair(one, two));
        trace("cut " + one + " and " + two);
    }

    /** All nodes reach each other again; links that were cut have broken. */
    void mend() {
        for (SimLink link : links()) {
            final SimLink other = link.other();
            if (other != null && !isReachable(link.transport().nid(), other.transport().nid())) {
                link.reset();
            }
        }
        cut.clear();
        trace("mended");
    }

    /** A link breaks. */
    void reset() {
        final List<SimLink> links = links();
        if (!links.isEmpty()) {
            final SimLink link = links.get(random.nextInt(links.size()));
            trace("reset of a link of " + link.transport().nid() + " to " + link.peer());
            link.reset();
        }
    }

    private List<SimLink> links() {
        final List<SimLink> links = new ArrayList<>();
        transports.values().forEach(its -> its.forEach(it -> links.addAll(it.links())));
        return links;
    }
}
