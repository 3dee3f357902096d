package io.teff.cluster.control;

import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.admin.NodeStatus.ZoneUse;
import io.teff.cluster.admin.ZoneMove;
import io.teff.cluster.admin.ZoneStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Plans moves that make the shares of peers equal, by bytes and by operations.
 *
 * <p><b>Unevenness.</b> A peer's share of the bytes is its bytes by the mean of all peers, and so for the operations.
 * The unevenness of a cluster is the sum of the squares of all shares. The plan takes the step with the greatest gain,
 * again and again, until a step would gain less than a hundredth of the least possible unevenness. Each step makes the
 * unevenness smaller, so the plan comes to an end. The busiest zones have the greatest gain, so hot zones move first.
 *
 * <p><b>Steps.</b> A step moves a zone from the peer with the greatest shares to another peer, or exchanges two zones
 * of one kind. Peers claim zones by themselves where the numbers of zones differ by two, and full zones and open zones
 * are counted apart. So a single move is taken only if the numbers differ afterwards by one at most: else peers would
 * undo the step. A step that would put more copies of a zone into one rack is not taken.
 *
 * <p>Pure, used once.
 */
final class ZoneBalance {
    private static final double GAIN_MIN = 0.01;
    private static final int STEPS_MAX = 1_000;
    private static final double NS_PER_S = 1e9;

    private final Map<NodeLife, Share> shares = new TreeMap<>(Comparator.comparingInt(NodeLife::nid));
    private final Set<Integer> moved = new HashSet<>();
    private final Map<Integer, String> racks = new HashMap<>();
    private final double bytesMean;
    private final double loadMean;

    /** A zone with its size and load. */
    private record Zone(ZoneStatus row, long bytes, double load) {
        boolean isFull() {
            return row.state() == ZoneStatus.State.FULL;
        }
    }

    /** The zones of a peer. */
    private static final class Share {
        final NodeLife node;
        final List<Zone> zones = new ArrayList<>();
        long bytes;
        double load;

        Share(NodeLife node) {
            this.node = node;
        }

        void add(Zone zone) {
            zones.add(zone);
            bytes += zone.bytes();
            load += zone.load();
        }

        void remove(Zone zone) {
            zones.remove(zone);
            bytes -= zone.bytes();
            load -= zone.load();
        }

        int count(boolean isFull) {
            return (int) zones.stream().filter(zone -> zone.isFull() == isFull).count();
        }
    }

    /** A step: a zone goes, and perhaps another zone comes back. */
    private record Step(Share from, Share to, Zone zone, @Nullable Zone back, double gain) {}

    /**
     * Begins with two statuses.
     *
     * @param before earlier status
     * @param after later status
     * @param elapsedNs time between both
     * @param takesZones whether a living peer takes zones
     */
    ZoneBalance(ClusterStatus before, ClusterStatus after, long elapsedNs, Predicate<NodeLife> takesZones) {
        for (Member member : after.nodes()) {
            racks.put(member.life().nid(), member.rack());
            if (member.role() == NodeRole.PEER && member.isAlive() && member.status() != null
                && takesZones.test(member.life())) {
                shares.put(member.life(), new Share(member.life()));
            }
        }
        final Map<Integer, ZoneUse> first = uses(before);
        final Map<Integer, ZoneUse> last = uses(after);
        for (ZoneStatus row : after.zones()) {
            final NodeLife owner = row.owner();
            final Share share = owner == null ? null : shares.get(owner);
            final ZoneUse use = last.get(row.zone());
            if (share != null && use != null && row.state().isServed()) {
                final ZoneUse earlier = first.get(row.zone());
                final long operations = earlier == null ? 0 : Math.max(0, use.operations() - earlier.operations());
                share.add(new Zone(row, use.bytes(), operations * NS_PER_S / elapsedNs));
            }
        }
        bytesMean = Math.max(1, shares.values().stream().mapToLong(share -> share.bytes).average().orElse(1));
        loadMean = Math.max(1, shares.values().stream().mapToDouble(share -> share.load).average().orElse(1));
    }

    private static Map<Integer, ZoneUse> uses(ClusterStatus status) {
        final Map<Integer, ZoneUse> uses = new HashMap<>();
        for (Member member : status.nodes()) {
            final NodeStatus its = member.status();
            final NodeStatus.PeerFigures figures = its == null ? null : its.peer();
            if (figures != null) {
                figures.zones().forEach(use -> uses.put(use.zone(), use));
            }
        }
        return uses;
    }

    /** Returns the moves. */
    List<ZoneMove> plan() {
        final List<ZoneMove> moves = new ArrayList<>();
        final double gainMin = GAIN_MIN * 2 * Math.max(1, shares.size());
        for (int number = 0; number < STEPS_MAX; number++) {
            final Step step = best();
            if (step == null || step.gain() < gainMin) {
                break;
            }
            add(moves, number, step.zone(), step.from(), step.to());
            step.from().remove(step.zone());
            step.to().add(step.zone());
            final Zone back = step.back();
            if (back != null) {
                add(moves, number, back, step.to(), step.from());
                step.to().remove(back);
                step.from().add(back);
            }
        }
        return moves;
    }

    private void add(List<ZoneMove> moves, int step, Zone zone, Share from, Share to) {
        moves.add(new ZoneMove(step, zone.row().zone(), zone.row().epoch(), from.node, to.node, zone.bytes(),
            zone.load()));
        moved.add(zone.row().zone());
    }

    private @Nullable Step best() {
        Share from = null;
        for (Share share : shares.values()) {
            from = from == null || score(share.bytes, share.load) > score(from.bytes, from.load) ? share : from;
        }
        Step best = null;
        for (Share to : shares.values()) {
            if (from != null && !to.equals(from)) {
                best = better(best, best(from, to));
            }
        }
        return best;
    }

    private @Nullable Step best(Share from, Share to) {
        final boolean canGiveOpen = canGive(from, to, false);
        final boolean canGiveFull = canGive(from, to, true);
        Step best = null;
        for (Zone zone : from.zones) {
            if (!isFree(zone, to)) {
                continue;
            }
            if (zone.isFull() ? canGiveFull : canGiveOpen) {
                best = better(best, step(from, to, zone, null));
            }
            for (Zone back : to.zones) {
                if (back.isFull() == zone.isFull() && isFree(back, from)) {
                    best = better(best, step(from, to, zone, back));
                }
            }
        }
        return best;
    }

    /** Returns whether the numbers of zones of a kind differ by one at most after a move. */
    private boolean canGive(Share from, Share to, boolean isFull) {
        int least = Integer.MAX_VALUE;
        int most = 0;
        for (Share share : shares.values()) {
            least = Math.min(least, share.count(isFull));
            most = Math.max(most, share.count(isFull));
        }
        return to.count(isFull) == least && from.count(isFull) == most && most > least;
    }

    /** Returns whether a zone can move: it keeps a backup, and has not moved: the plan knows one epoch of the zone. */
    private boolean isFree(Zone zone, Share to) {
        return !moved.contains(zone.row().zone())
            && zone.row().backups().size() > (zone.row().hasBackup(to.node) ? 1 : 0)
            && surplus(zone.row(), to.node) <= surplus(zone.row(), zone.row().owner());
    }

    /** Returns how many copies of a zone share a rack with another copy if a node is the owner. */
    private int surplus(ZoneStatus row, @Nullable NodeLife owner) {
        final Set<String> seen = new HashSet<>();
        int count = 0;
        if (owner != null) {
            seen.add(racks.getOrDefault(owner.nid(), ""));
        }
        for (ZoneStatus.Copy copy : row.backups()) {
            final String rack = racks.getOrDefault(copy.node().nid(), "");
            count += !rack.isEmpty() && !copy.node().equals(owner) && !seen.add(rack) ? 1 : 0;
        }
        return count;
    }

    private static @Nullable Step better(@Nullable Step one, @Nullable Step other) {
        return other == null || one != null && one.gain() >= other.gain() ? one : other;
    }

    private Step step(Share from, Share to, Zone zone, @Nullable Zone back) {
        final long bytes = zone.bytes() - (back == null ? 0 : back.bytes());
        final double load = zone.load() - (back == null ? 0 : back.load());
        final double gain = score(from.bytes, from.load) + score(to.bytes, to.load)
            - score(from.bytes - bytes, from.load - load) - score(to.bytes + bytes, to.load + load);
        return new Step(from, to, zone, back, gain);
    }

    private double score(double bytes, double load) {
        final double share = bytes / bytesMean;
        final double work = load / loadMean;
        return share * share + work * work;
    }
}
