package io.teff.cluster.net;

import io.teff.engine.os.Clock;
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

/**
 * Time, chance and distance of simulated nodes. All that happens follows from its seed.
 */
final class SimWorld implements Clock {
    private static final long MILLISECOND = 1_000_000;
    private static final int STORY_LINES = 60;
    /** One greeting in so many is late, as if it was lost and had to be sent again. */
    private static final int LATE_RATE = 8;
    private static final long LATE_MAX_NS = 600 * MILLISECOND;
    /** What happens then or later does so when cuts are mended, if at all. */
    static final long NEVER_NS = Long.MAX_VALUE / 2;
    private static final int ALL = -1;
    /** Nobody does anything in a step that is longer. */
    private static final long STEP_MAX = 30 * MILLISECOND;

    /** One in so many histories has no faults. */
    private static final int CALM_RATE = 3;
    /** One in so many has checksums. */
    private static final int CHECKSUMS_RATE = 3;

    final SplittableRandom random;
    final Plant plant;
    /** Whether links break, and nodes start anew; else they only take their time, and no session may end. */
    final boolean hasFaults;
    /** Whether nodes ask for checksums: then links may do more than to break. */
    final boolean hasChecksums;
    /** Of each node those of its agents, the first of which listens. */
    private final Map<Integer, List<SimTransport>> transports = new HashMap<>();
    /** Who does not reach whom; their links are silent in this direction. */
    private final Set<Long> cut = new HashSet<>();
    /** Who dials whom in vain, without an answer; the other direction may work. */
    private final Set<Long> hung = new HashSet<>();
    /** What was not as it should be, of one pair each. */
    private final List<Fault> faults = new ArrayList<>();
    private final int sendBufferBytes;
    private final long latencyMaxNs;
    private final Deque<String> story = new ArrayDeque<>();
    private long nowNs = 1_000_000_000;
    private int disturbed;
    private int oneWays;

    /**
     * Something was not as it should be, for some time or a moment.
     *
     * @param one node, or ALL
     * @param two nodes
     * @param isDials whether it is so only where the first one dials the second one
     * @param fromNs when it began
     * @param untilNs when it was over; later than all if it is not
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

    /** Lets time go on, to the next thing that happens, or so long. */
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

    /** How much later a greeting arrives; mostly at once. */
    long lateNs() {
        return random.nextInt(LATE_RATE) == 0 ? random.nextLong(LATE_MAX_NS) : 0;
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
        return isReachable(from, to) && !plant.isLost(this, from, to) ? nowNs + latency() : NEVER_NS;
    }

    private static long way(int from, int to) {
        return (long) from << Integer.SIZE | to;
    }

    /** Whether what one node sends comes to another one. */
    boolean isReachable(int from, int to) {
        return !cut.contains(way(from, to));
    }

    /** Whether only one of two nodes reaches the other. */
    boolean isOneWay(int one, int two) {
        return isReachable(one, two) != isReachable(two, one);
    }

    /** Whether a dial gets no answer, not even that there is none. */
    boolean isHung(int from, int to) {
        return hung.contains(way(from, to));
    }

    /**
     * The longest time since a moment in which nothing was wrong between two nodes.
     *
     * @param isDialing whether only this one dials: then it counts, too, if its dials hang
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

    /** Two nodes do not reach each other any more. */
    void cut(int one, int two) {
        cutWay(one, two);
        cutWay(two, one);
    }

    /** What one node sends does not come to another one any more. No link can be made, whoever dials. */
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

    /** How many cuts were in one direction. */
    int oneWays() {
        return oneWays;
    }

    /** What a node dials gets no answer from another one any more; that one can dial it. */
    void hang(int from, int to) {
        if (from != to && hung.add(way(from, to))) {
            faults.add(new Fault(from, to, true, nowNs, Long.MAX_VALUE));
            trace("dials of " + from + " to " + to + " hang");
        }
    }

    /** A node starts anew: nothing of before goes on with anybody. */
    void gone(int nid) {
        transports.keySet().stream().filter(it -> it != nid).forEach(it -> moment(nid, it));
    }

    private void moment(int one, int two) {
        faults.add(new Fault(one, two, false, nowNs, nowNs));
    }

    /** All nodes reach each other again; links that were cut have broken, or go on, and dials that hang have broken. */
    void mend() {
        final List<SimLink> links = links();
        final Set<SimLink> broken = new HashSet<>();
        for (SimLink link : links) {
            final SimLink other = link.other();
            final int nid = link.transport().nid();
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

    /** A link breaks. */
    void reset() {
        final List<SimLink> links = links();
        if (!links.isEmpty()) {
            final SimLink link = links.get(random.nextInt(links.size()));
            trace("reset of a link of " + link.transport().nid() + " to " + link.peer());
            moment(link.transport().nid(), link.far());
            link.reset();
        }
    }

    /** A link loses, repeats, changes, or brings too late what is written to it next: it must be found out. */
    void disturb() {
        final List<SimLink> links = links();
        if (!links.isEmpty()) {
            final SimLink link = links.get(random.nextInt(links.size()));
            final SimLink.Disturbance what = SimLink.Disturbance.any(random);
            trace("a link of " + link.transport().nid() + " to " + link.peer() + " will have " + what);
            link.disturb(what);
        }
    }

    void changeBit(byte[] bytes) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    }

    /** It has, and two nodes may need another link. */
    void disturbed(int one, int two) {
        moment(one, two);
        disturbed++;
    }

    /** How many writes came otherwise than they were. */
    int disturbed() {
        return disturbed;
    }

    /** All links between two nodes break. */
    void reset(int one, int two) {
        moment(one, two);
        trace("reset of all links of " + one + " to " + two);
        links().stream().filter(it -> it.far() == two && it.transport().nid() == one).forEach(SimLink::reset);
    }

    private List<SimLink> links() {
        final List<SimLink> links = new ArrayList<>();
        transports.values().forEach(its -> its.forEach(it -> links.addAll(it.links())));
        return links;
    }
}
