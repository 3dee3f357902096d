package io.teff.cluster.net;

import io.teff.engine.os.Clock;
import io.teff.test.links.LinkWorld;
import io.teff.test.links.SimLink;
import io.teff.test.links.SimTransport;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Time, randomness and delays of simulated nodes. All events follow from the seed. */
final class SimWorld implements Clock, LinkWorld {
    private static final long MILLISECOND = 1_000_000;
    private static final int STORY_LINES = 60;
    /** One greeting in this number is delayed, as if it were lost and sent again. */
    private static final int LATE_RATE = 8;
    private static final long LATE_MAX_NS = 600 * MILLISECOND;
    private static final int ALL = -1;
    /** In a longer step no node acts. */
    private static final long STEP_MAX = 30 * MILLISECOND;

    /** One history in this number has no faults. */
    private static final int CALM_RATE = 3;
    /** One history in this number has checksums. */
    private static final int CHECKSUMS_RATE = 3;

    final SplittableRandom random;
    final Plant plant;
    /** Whether links break and nodes restart; otherwise they are only slow, and no session may end. */
    final boolean hasFaults;
    /** Whether nodes use checksums: then links may also change, lose or repeat data. */
    final boolean hasChecksums;
    /** By node, the transports of its agents, the first of which listens. */
    private final Map<Integer, List<SimTransport>> transports = new HashMap<>();
    /** Pairs of nodes cut in one direction, in which their links are silent. */
    private final Set<Long> cut = new HashSet<>();
    /** Pairs of nodes whose dials in one direction hang; the other direction may work. */
    private final Set<Long> hung = new HashSet<>();
    /** The faults so far, each of one pair. */
    private final List<Fault> faults = new ArrayList<>();
    private final int sendBufferBytes;
    private final long latencyMaxNs;
    private final Deque<String> story = new ArrayDeque<>();
    private long nowNs = 1_000_000_000;
    private int disturbed;
    private int oneWays;

    /**
     * A fault, for some time or a moment.
     *
     * @param one a node, or ALL
     * @param two a node
     * @param isDials whether only dials of the first node to the second are affected
     * @param fromNs the start
     * @param untilNs the end; later than all times if the fault persists
     */
    private record Fault(int one, int two, boolean isDials, long fromNs, long untilNs) {
        boolean isOf(int by, int other) {
            return one == ALL || one == by && two == other || !isDials && one == other && two == by;
        }
    }

    SimWorld(long seed, Plant plant) {
        this.plant = plant;
        random = new SplittableRandom(seed);
        hasFaults = seed % CALM_RATE != 0;
        hasChecksums = random.nextInt(CHECKSUMS_RATE) == 0;
        sendBufferBytes = 1 << random.nextInt(6, 18);
        latencyMaxNs = MILLISECOND << random.nextInt(6);
    }

    @Override
    public long nowNs() {
        return nowNs;
    }

    /** Advances time to the next event, but at most by the given time. */
    void advance(long mostNs) {
        long next = nowNs + mostNs;
        for (SimLink link : links()) {
            final long its = link.nextNs();
            next = its > nowNs ? Math.min(next, its) : next;
        }
        if (next - nowNs > STEP_MAX) {
            faults.add(new Fault(ALL, ALL, false, nowNs, next));
        }
        nowNs = next;
    }

    /** Starts or restarts a node with the given number of agents. */
    List<SimTransport> add(int nid, int agentCount) {
        final List<SimTransport> its = Stream.generate(() -> new SimTransport(this, nid)).limit(agentCount).toList();
        transports.put(nid, its);
        return its;
    }

    /** Where others find a node. */
    @Override
    public @Nullable SimTransport transport(int nid) {
        final List<SimTransport> its = transports.get(nid);
        return its == null ? null : its.getFirst();
    }

    // ---- the story of a failure ----

    /** Records an event. */
    void trace(String what) {
        story.add(nowNs / 1000 + " us: " + what);
        if (story.size() > STORY_LINES) {
            story.remove();
        }
    }

    /** Returns the most recent events. */
    String story() {
        return String.join("\n", story);
    }

    // ---- delays ----

    @Override
    public long latency() {
        return random.nextLong(latencyMaxNs);
    }

    /** Returns the additional delay of a greeting; mostly 0. */
    @Override
    public long lateNs() {
        return random.nextInt(LATE_RATE) == 0 ? random.nextLong(LATE_MAX_NS) : 0;
    }

    @Override
    public int sendBufferBytes() {
        return sendBufferBytes;
    }

    /** Returns the number of received bytes to show at once. */
    @Override
    public int pieceBytes(int bytes) {
        return random.nextInt(4) == 0 ? random.nextInt(1, bytes + 1) : bytes;
    }

    /**
     * Returns the arrival time of bytes sent now: over a cut link they arrive after the cut is mended, or not at all.
     */
    @Override
    public long arrivalNs(int from, int to) {
        return isReachable(from, to) && !plant.isLost(this, from, to) ? nowNs + latency() : NEVER_NS;
    }

    private static long way(int from, int to) {
        return (long) from << Integer.SIZE | to;
    }

    /** Whether data sent by one node reaches another one. */
    @Override
    public boolean isReachable(int from, int to) {
        return !cut.contains(way(from, to));
    }

    /** Whether a dial hangs, without an answer or an error. */
    @Override
    public boolean isHung(int from, int to) {
        return hung.contains(way(from, to));
    }

    /**
     * Returns the longest time without a fault between two nodes since the given time.
     *
     * @param isDialing whether only this node dials: then hanging dials count as well
     */
    long longestCalmNs(int by, int other, boolean isDialing, long sinceNs) {
        final List<Fault> its = faults.stream().filter(it -> it.untilNs >= sinceNs && it.isOf(by, other)
            && (isDialing || !it.isDials || isHung(other, by))).sorted(Comparator.comparingLong(Fault::fromNs))
            .toList();
        long longest = 0;
        long at = sinceNs;
        for (Fault it : its) {
            longest = Math.max(longest, it.fromNs - at);
            at = Math.max(at, it.untilNs);
        }
        return Math.max(longest, nowNs - at);
    }

    // ---- faults ----

    /** Cuts the connection between two nodes. */
    void cut(int one, int two) {
        cutWay(one, two);
        cutWay(two, one);
    }

    /** Cuts one direction between two nodes. Neither side can make a link. */
    void cutOneWay(int from, int to) {
        cutWay(from, to);
        oneWays += isOneWay(from, to) ? 1 : 0;
    }

    private void cutWay(int from, int to) {
        if (from != to && cut.add(way(from, to))) {
            faults.add(new Fault(from, to, false, nowNs, Long.MAX_VALUE));
            trace("cut from " + from + " to " + to);
        }
    }

    /** Returns the number of cuts in one direction. */
    int oneWays() {
        return oneWays;
    }

    /** Makes dials of one node to another hang; dials in the other direction work. */
    void hang(int from, int to) {
        if (from != to && hung.add(way(from, to))) {
            faults.add(new Fault(from, to, true, nowNs, Long.MAX_VALUE));
            trace("dials of " + from + " to " + to + " hang");
        }
    }

    /** A node restarts: none of its sessions continues. */
    void gone(int nid) {
        transports.keySet().stream().filter(it -> it != nid).forEach(it -> moment(nid, it));
    }

    private void moment(int one, int two) {
        faults.add(new Fault(one, two, false, nowNs, nowNs));
    }

    /** Mends all faults; cut links break or continue, and hanging dials break. */
    void mend() {
        final List<SimLink> links = links();
        final Set<SimLink> broken = new HashSet<>();
        for (SimLink link : links) {
            final SimLink other = link.other();
            final int nid = link.transport().place();
            final boolean isCut = other != null && !(isReachable(nid, link.far()) && isReachable(link.far(), nid));
            if (link.isHanging() || isCut && !broken.contains(other) && random.nextBoolean()) {
                broken.add(link);
                link.reset();
            }
        }
        cut.clear();
        hung.clear();
        links.forEach(SimLink::goOn);
        faults.replaceAll(it -> it.untilNs < Long.MAX_VALUE ? it
            : new Fault(it.one, it.two, it.isDials, it.fromNs, nowNs));
        trace("mended");
    }

    /** Breaks a random link. */
    void reset() {
        final List<SimLink> links = links();
        if (!links.isEmpty()) {
            final SimLink link = links.get(random.nextInt(links.size()));
            trace("reset of a link of " + link.transport().place() + " to " + link.peer());
            moment(link.transport().place(), link.far());
            link.reset();
        }
    }

    /** Makes a link lose, repeat, change or delay its next write, which must be detected. */
    void disturb() {
        final List<SimLink> links = links();
        if (!links.isEmpty()) {
            final SimLink link = links.get(random.nextInt(links.size()));
            final SimLink.Disturbance what = SimLink.Disturbance.any(random);
            trace("a link of " + link.transport().place() + " to " + link.peer() + " will have " + what);
            link.disturb(what);
        }
    }

    @Override
    public void changeBit(byte[] bytes) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    }

    @Override
    public void written(byte[] bytes) {
        plant.write(this, bytes);
    }

    /** Records a disturbance, after which two nodes may need another link. */
    @Override
    public void disturbed(int to, int from, String what) {
        trace(what);
        moment(to, from);
        disturbed++;
    }

    /** Returns the number of disturbed writes. */
    int disturbed() {
        return disturbed;
    }

    /** Breaks all links between two nodes. */
    void reset(int one, int two) {
        moment(one, two);
        trace("reset of all links of " + one + " to " + two);
        links().stream().filter(it -> it.far() == two && it.transport().place() == one).forEach(SimLink::reset);
    }

    private List<SimLink> links() {
        final List<SimLink> links = new ArrayList<>();
        transports.values().forEach(its -> its.forEach(it -> links.addAll(it.links())));
        return links;
    }
}
