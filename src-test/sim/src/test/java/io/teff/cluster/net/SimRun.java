package io.teff.cluster.net;

import io.teff.test.kit.Starts;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** One history: the events of some nodes, by a seed, checked by all oracles. */
final class SimRun {
    private static final int STEPS = 4000;
    private static final int LANES = 4;
    private static final int BOMB_RATE = 20;
    private static final int FLOOD_RATE = 200;
    private static final int FLOOD_BYTES = 100;
    private static final int DISTURBANCES = 5;
    /** On average one step in this number is followed by an audit of all nodes. */
    private static final int AUDIT_RATE = 4;
    /** More links than there are nodes. */
    private static final int LINKS_MANY = 9;
    private static final long SECOND = 1_000_000_000;
    private static final long CALM_MIN = 25;
    private static final long CALM_MAX = 2000;

    private final long seed;
    private final SimWorld world;
    private final SplittableRandom random;
    private final List<SimNode> nodes = new ArrayList<>();
    private final List<SimNode> gone = new ArrayList<>();
    private final int longest;
    private final int faultRate;
    private final int linksMax;
    private final boolean hasFloods;
    private long incarnation = 1;
    long received;
    long rested;
    /** Number of sessions lost because no link was made in time. */
    long late;
    int disturbed;
    int oneWays;

    SimRun(long seed, Plant plant) {
        this.seed = seed;
        Starts.SEED.count();
        this.world = new SimWorld(seed, plant);
        this.random = world.random;
        this.longest = 1 << random.nextInt(18);
        this.faultRate = 20 << random.nextInt(6);
        this.linksMax = random.nextInt(4) > (world.hasFaults ? 1 : 0) ? LINKS_MANY : random.nextInt(1, 4);
        this.hasFloods = random.nextInt(4) == 0;
        final int count = random.nextInt(2, 6);
        for (int nid = 1; nid <= count; nid++) {
            nodes.add(node(nid));
        }
    }

    private SimNode node(int nid) {
        return new SimNode(world, nid, incarnation++, linksMax, this::lost, this::of);
    }

    private SimNode of(int nid) {
        return nodes.stream().filter(it -> it.nid == nid).findFirst().orElseThrow();
    }

    private void lost(int by, int other) {
        nodes.stream().filter(it -> it.nid == other).forEach(it -> it.lostByOther(by));
    }

    private SimNode any() {
        return nodes.get(random.nextInt(nodes.size()));
    }

    /** Returns the most recent events. */
    String story() {
        return world.story();
    }

    void run() {
        try {
            for (int step = 0; step < STEPS; step++) {
                step();
                if (step % AUDIT_RATE == 0) {
                    audit();
                }
            }
            calm();
            talkAtLast();
            check();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + "; reproduce: mvn -pl src-test/sim -am test -Dtest=SimTest "
                + "-Dsurefire.failIfNoSpecifiedTests=false -Dseed=" + seed + "\n" + e.getMessage() + "\n"
                + world.story(), e);
        }
    }

    private void step() {
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> any().work();
            case 4, 5 -> any().handle();
            case 6 -> world.advance(random.nextLong(20_000_000));
            case 7, 8 -> talk();
            default -> {
                if (random.nextInt(faultRate) == 0 && world.hasFaults) {
                    fault();
                }
            }
        }
    }

    /** Audits all nodes, and both sides of each session. */
    private void audit() {
        nodes.forEach(SimNode::audit);
        for (SimNode one : nodes) {
            for (SimNode two : nodes) {
                one.checkPair(two);
            }
        }
    }

    private void talk() {
        final SimNode from = any();
        final SimNode to = any();
        if (hasFloods && random.nextInt(FLOOD_RATE) == 0) {
            flood(from, to);
            flood(to, from);
        } else if (from.nid != to.nid) {
            for (int i = random.nextInt(1, 20); i > 0; i--) {
                final int length = random.nextInt(random.nextInt(1, longest + 1));
                if (random.nextInt(3) == 0) {
                    from.request(to.nid, length);
                } else if (random.nextInt(BOMB_RATE) == 0) {
                    from.sendBomb(to.nid, random.nextInt(LANES), length);
                } else {
                    from.send(to.nid, random.nextInt(LANES), length);
                }
            }
        }
    }

    /** Sends requests until there is no room. */
    private void flood(SimNode from, SimNode to) {
        final int length = random.nextInt(FLOOD_BYTES);
        final int before = from.refused;
        while (from.nid != to.nid && from.refused == before) {
            from.request(to.nid, length);
        }
    }

    private void fault() {
        for (int i = world.hasChecksums ? random.nextInt(DISTURBANCES) : 0; i > 0; i--) {
            world.disturb();
        }
        switch (random.nextInt(16)) {
            case 0, 1, 2, 3 -> world.reset();
            case 4, 5 -> world.cut(any().nid, any().nid);
            case 6, 7 -> world.mend();
            case 8 -> world.advance(random.nextLong(5 * SECOND));
            case 9 -> world.hang(any().nid, any().nid);
            case 10 -> hang(any().nid, any().nid);
            case 11 -> pass(random.nextLong(8 * SECOND));
            case 12, 13 -> world.cutOneWay(any().nid, any().nid);
            case 14 -> {
                world.cutOneWay(any().nid, any().nid);
                pass(random.nextLong(8 * SECOND));
            }
            default -> restart();
        }
    }

    /** Breaks the links between two nodes and makes dials of one of them hang. */
    private void hang(int from, int to) {
        world.hang(from, to);
        world.reset(from, to);
        pass(random.nextLong(16 * SECOND));
    }

    /** Lets time pass without new messages. */
    private void pass(long ns) {
        final long end = world.nowNs() + ns;
        while (world.nowNs() < end) {
            for (SimNode node : nodes) {
                node.workAll();
            }
            world.advance(SECOND / 40);
        }
    }

    /** Ends a node, with or without a goodbye, and starts another incarnation. */
    private void restart() {
        final int index = random.nextInt(nodes.size());
        final SimNode old = nodes.get(index);
        world.trace("node " + old.nid + " starts anew");
        nodes.forEach(it -> {
            it.lostByOther(old.nid);
            old.lostByOther(it.nid);
        });
        rested += old.rested();
        world.gone(old.nid);
        old.close();
        gone.add(old);
        final SimNode next = node(old.nid);
        next.goOn(old);
        nodes.forEach(it -> next.lostByOther(it.nid));
        nodes.set(index, next);
    }

    /** Ends all faults and runs as long as necessary: links may be slow. */
    private void calm() {
        world.mend();
        final long start = world.nowNs();
        while (world.nowNs() - start < CALM_MIN * SECOND || world.nowNs() - start < CALM_MAX * SECOND
            && nodes.stream().anyMatch(it -> it.network.agent().rings().takenBytes() > 0)) {
            int work = 0;
            for (SimNode node : nodes) {
                work += node.workAll();
                while (node.handle()) {
                    work++;
                }
            }
            if (work == 0) {
                world.advance(SECOND / 100);
            }
        }
        audit();
    }

    /** Checks at the end that every node can send requests to every other one. */
    private void talkAtLast() {
        for (SimNode from : nodes) {
            for (SimNode to : nodes) {
                if (from.nid != to.nid) {
                    from.requestAtLast(to.nid);
                }
            }
        }
        calm();
        nodes.forEach(SimNode::checkLast);
    }

    private void check() {
        for (SimNode from : nodes) {
            from.network.agents().all().forEach(agent -> agent.connections().forEach(it ->
                world.trace(from.nid + " to " + it.nid() + ": active " + it.isActive() + " " + it.channel() + " known "
                    + (it.known() == null ? null : it.known().out.acked()))));
        }
        for (SimNode from : nodes) {
            from.checkRequests();
            for (SimNode to : nodes) {
                for (int lane = 0; lane < LANES; lane++) {
                    from.checkArrived(to, lane);
                }
            }
            from.checkNothingKept();
            received += from.received;
            rested += from.rested();
            late += from.late;
        }
        disturbed = world.disturbed();
        oneWays = world.oneWays();
        nodes.forEach(SimNode::close);
        nodes.forEach(SimNode::checkNoLinks);
        gone.forEach(SimNode::checkRequests);
    }
}
