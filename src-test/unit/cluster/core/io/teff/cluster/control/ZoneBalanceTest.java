package io.teff.cluster.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.admin.NodeStatus.ZoneUse;
import io.teff.cluster.admin.ZoneMove;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.test.kit.Seed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The plan of a rebalance: shares become more equal with each step, and numbers of zones stay as equal as they are. */
class ZoneBalanceTest {
    private static final long SECOND_NS = 1_000_000_000;
    private static final long MEBIBYTE = 1 << 20;

    private final Map<Integer, Integer> owners = new TreeMap<>();
    private final Map<Integer, Long> bytes = new HashMap<>();
    private final Map<Integer, Long> operations = new HashMap<>();
    private int peers;

    private static NodeLife life(int peer) {
        return new NodeLife(16 + peer, 1);
    }

    private void zone(int zone, int owner, long size, long load) {
        owners.put(zone, owner);
        bytes.put(zone, size);
        operations.put(zone, load);
    }

    private ClusterStatus status(boolean isLater) {
        List<Member> members = new ArrayList<>();
        List<ZoneStatus> rows = new ArrayList<>();
        for (int peer = 0; peer < peers; peer++) {
            List<ZoneUse> uses = new ArrayList<>();
            for (int zone : owners.keySet()) {
                if (owners.get(zone) == peer) {
                    uses.add(new ZoneUse(zone, 1, bytes.get(zone), isLater ? 7 + operations.get(zone) : 7));
                    rows.add(new ZoneStatus(zone, 1, zone % 3 == 0 ? ZoneStatus.State.FULL : ZoneStatus.State.OPEN,
                        life(peer), List.of(copy((peer + 1) % peers), copy((peer + 2) % peers)), List.of(), List.of(),
                        false, null));
                }
            }
            members.add(new Member(NodeRole.PEER, life(peer), true, "tcp:x", new NodeStatus("peer", NodeRole.PEER,
                life(peer), new NodeStatus.Process(1, 1, 1), new NodeStatus.Standing(1, false, true), 0, "",
                new NodeStatus.PeerFigures(0, new NodeStatus.Ring(0, 0, 0, 0, 0, 0),
                    new NodeStatus.Shipping(0, 0, 0, 0, 0), new NodeStatus.Logging(0, 0, 0, 0, 0, 0, 0, 0), List.of(),
                    uses, List.of(), new NodeStatus.Room(1 << 30, 0, 0)))));
        }
        return new ClusterStatus("", "", List.of(), null, 1, members, rows);
    }

    private static ZoneStatus.Copy copy(int peer) {
        return new ZoneStatus.Copy(life(peer), 1, false, false);
    }

    private List<ZoneMove> plan() {
        return new ZoneBalance(status(false), status(true), SECOND_NS, _ -> true).plan();
    }

    private double unevenness() {
        double bytesMean = Math.max(1, bytes.values().stream().mapToLong(Long::longValue).sum() / (double) peers);
        double loadMean = Math.max(1, operations.values().stream().mapToLong(Long::longValue).sum() / (double) peers);
        double sum = 0;
        for (int peer = 0; peer < peers; peer++) {
            double size = 0;
            double load = 0;
            for (int zone : owners.keySet()) {
                size += owners.get(zone) == peer ? bytes.get(zone) : 0;
                load += owners.get(zone) == peer ? operations.get(zone) : 0;
            }
            sum += Math.pow(size / bytesMean, 2) + Math.pow(load / loadMean, 2);
        }
        return sum;
    }

    private int count(int peer, boolean isFull) {
        return (int) owners.entrySet().stream().filter(each -> each.getValue() == peer
            && (each.getKey() % 3 == 0) == isFull).count();
    }

    private int spread(boolean isFull) {
        int least = Integer.MAX_VALUE;
        int most = 0;
        for (int peer = 0; peer < peers; peer++) {
            least = Math.min(least, count(peer, isFull));
            most = Math.max(most, count(peer, isFull));
        }
        return most - least;
    }

    @Test
    void equalShares_needNoMoves() {
        peers = 3;
        for (int zone = 1; zone <= 18; zone++) {
            zone(zone, zone / 3 % 3, MEBIBYTE, 100);
        }
        assertEquals(List.of(), plan());
    }

    @Test
    void hotZonesOfOnePeer_areSpread_theHottestFirst() {
        peers = 3;
        for (int zone = 1; zone <= 18; zone++) {
            int owner = (zone - 1) / 6;
            zone(zone, owner, MEBIBYTE, owner == 0 ? 1_000L * zone : 10);
        }
        List<ZoneMove> plan = plan();
        assertTrue(plan.getFirst().zone() >= 5, () -> "the zones with most operations are 5 and 6: " + plan);
        assertEquals(life(0), plan.getFirst().from());
        double before = unevenness();
        plan.forEach(move -> owners.put(move.zone(), move.to().nid() - 16));
        assertTrue(unevenness() < before / 1.5, () -> before + " to " + unevenness());
    }

    @Test
    void randomClusters_becomeMoreEqualWithEachStep_andKeepTheNumbersOfZones() {
        long seed = Seed.first();
        Random random = new Random(seed);
        for (int run = 0; run < 200; run++) {
            owners.clear();
            bytes.clear();
            operations.clear();
            peers = 3 + random.nextInt(5);
            int zones = peers * (1 + random.nextInt(8)) + random.nextInt(3);
            for (int zone = 1; zone <= zones; zone++) {
                zone(zone, zone / 3 % peers, random.nextInt(8) * MEBIBYTE, random.nextInt(4) == 0
                    ? random.nextInt(10_000) : random.nextInt(100));
            }
            int spreadOpen = Math.max(1, spread(false));
            int spreadFull = Math.max(1, spread(true));
            List<ZoneMove> plan = plan();
            double last = unevenness();
            for (int i = 0; i < plan.size(); i++) {
                ZoneMove move = plan.get(i);
                assertEquals(life(owners.get(move.zone())), move.from(), "reproduce: -Dseed=" + seed);
                owners.put(move.zone(), move.to().nid() - 16);
                if (i == plan.size() - 1 || plan.get(i + 1).step() != move.step()) {
                    double now = unevenness();
                    assertTrue(now < last, "reproduce: -Dseed=" + seed);
                    last = now;
                    assertTrue(spread(false) <= spreadOpen && spread(true) <= spreadFull, "reproduce: -Dseed=" + seed);
                }
            }
            assertEquals(plan.size(), plan.stream().map(ZoneMove::zone).distinct().count(), "each zone moves once");
        }
    }

    @Test
    void room_forZones_isFoundIfThereIsOne() {
        assertEquals(0, ZoneRoom.missingBytes(List.of(5L, 4L, 3L), List.of(8L, 4L)));
        assertEquals(1, ZoneRoom.missingBytes(List.of(5L), List.of(4L, 4L)));
        assertEquals(3, ZoneRoom.missingBytes(List.of(3L), List.of()));
        assertEquals("1.5 MiB", ZoneRoom.text(3 << 19));
    }
}
