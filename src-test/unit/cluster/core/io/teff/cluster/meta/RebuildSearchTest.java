package io.teff.cluster.meta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.meta.RebuildPlan.Outlook;
import io.teff.test.kit.Form;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * Goal: metadata that are made from the folders of peers lose no acknowledged change, or the zone says that it waits.
 * Method: every sequence of a few events of a zone; after each of them all nodes end, and the metadata are made again
 * from every set of folders, with tables that lag behind by no, one and two commands.
 */
class RebuildSearchTest {
    private static final int DEPTH = Form.size("teff.cluster.rebuildDepth", 3, 4, 5);
    private static final int LAG_MAX = 2;
    private static final int ALL = (1 << RebuildWorld.PEERS) - 1;
    private static final List<Predicate<RebuildWorld>> EVENTS = List.of(RebuildWorld::changeAll,
        RebuildWorld::changeOne, world -> world.end(world.row().owner(), false),
        world -> world.end(world.row().owner(), true), world -> world.end(world.backup(0), false),
        RebuildWorld::giveUp, RebuildWorld::learn, RebuildWorld::learned, RebuildWorld::start);

    private int served;
    private int others;
    private int doubtful;

    @Test
    void everySetOfFolders_afterEverySequenceOfEvents_givesAllAcknowledgedChanges_orWaits() {
        Deque<List<Integer>> paths = new ArrayDeque<>(List.of(List.of()));
        Deque<RebuildWorld> worlds = new ArrayDeque<>(List.of(RebuildWorld.begin()));
        int states = 0;
        while (!worlds.isEmpty()) {
            RebuildWorld world = worlds.removeLast();
            List<Integer> path = paths.removeLast();
            states++;
            checkAll(world, path);
            for (int event = 0; event < EVENTS.size() && path.size() < DEPTH; event++) {
                RebuildWorld next = world.copy();
                if (EVENTS.get(event).test(next)) {
                    List<Integer> longer = new ArrayList<>(path);
                    longer.add(event);
                    worlds.add(next);
                    paths.add(longer);
                }
            }
        }
        System.out.println("rebuild search: " + states + " states, " + served + " rebuilds that serve, " + others
            + " others, " + doubtful + " of them doubtful");
        assertTrue(states > 100 && served > 1_000 && others > 1_000 && doubtful >= 100, states + " " + served + " "
            + others + " " + doubtful);
    }

    private void checkAll(RebuildWorld world, List<Integer> path) {
        for (int lag = 0; lag <= LAG_MAX; lag++) {
            for (int peers = 1; peers <= ALL; peers++) {
                check(world, peers, lag, path);
            }
        }
    }

    private void check(RebuildWorld world, int peers, int lag, List<Integer> path) {
        String what = "events " + path + ", peers " + Integer.toBinaryString(peers) + ", lag " + lag + ", row "
            + world.row() + ", logs " + world.logs + ", acknowledged " + world.acknowledged;
        RebuildPlan plan = Rebuild.plan(world.reports(peers, lag), 2);
        assertEquals(List.of(), plan.obstacles(), what);
        if (plan.findings().isEmpty()) {                        // neither tables nor copies have the zone
            assertFalse(isKnown(world, peers, lag), what);
            return;
        }
        Outlook outlook = plan.findings().getFirst().outlook();
        if (peers == ALL && lag == 0 && canComeBack(world)) {
            assertEquals(Outlook.SERVED, outlook, what);
        }
        RebuildWorld rebuilt = world.rebuilt(plan);
        for (int i = 0; i < RebuildWorld.PEERS; i++) {
            if ((peers & 1 << i) != 0) {
                rebuilt.start(i);
            }
        }
        assertEquals(outlook == Outlook.SERVED, rebuilt.memory != null, what + ": " + plan + rebuilt.row());
        checkSecond(world, rebuilt, peers, isKnown(world, peers, lag), outlook, what);
        TreeSet<Long> memory = rebuilt.memory;
        if (memory == null) {
            others++;
            return;
        }
        served++;
        if (isKnown(world, peers, lag)) {
            assertTrue(memory.containsAll(world.acknowledged), () -> what + ": served " + memory);
        }
        for (Backup backup : rebuilt.row().backups()) {
            assertEquals(memory, rebuilt.log(backup), () -> what + ": backup " + backup);
        }
        for (TreeSet<Long> log : world.logs.values()) {
            assertTrue(rebuilt.row().epoch() > RebuildWorld.last(log) >>> ZoneRow.EPOCH_SHIFT, what);
        }
        assertTrue(rebuilt.row().epoch() > world.row().epoch() && rebuilt.row().nextCopy() > world.row().nextCopy()
            && rebuilt.machine.version() > world.machine.version(), what);
    }

    /** The superpeers are lost again: the second rebuild says of the zone what the first one did. */
    private void checkSecond(RebuildWorld world, RebuildWorld first, int peers, boolean isKnown, Outlook outlook,
                             String what) {
        RebuildPlan plan = Rebuild.plan(first.reports(peers, 0), 2);
        assertEquals(List.of(), plan.obstacles(), what);
        assertEquals(outlook, plan.findings().getFirst().outlook(), () -> what + ": again " + first.row() + plan);
        doubtful += outlook == Outlook.DOUBTFUL ? 1 : 0;
        RebuildWorld second = first.rebuilt(plan);
        for (int i = 0; i < RebuildWorld.PEERS; i++) {
            if ((peers & 1 << i) != 0) {
                second.start(i);
            }
        }
        TreeSet<Long> memory = second.memory;
        assertEquals(outlook == Outlook.SERVED, memory != null, () -> what + ": again " + plan + second.row());
        assertTrue(memory == null || !isKnown || memory.containsAll(world.acknowledged), () -> what + ": again "
            + memory);
    }

    /** Returns whether the cluster itself would come back from the end of all nodes. */
    private static boolean canComeBack(RebuildWorld world) {
        RebuildWorld last = world.copy();
        last.lives.forEach(life -> last.machine.apply(new Command.Ended(life)));
        return last.row().state() == ZoneState.WAITING;
    }

    /** Returns whether all folders were reported, or one of those that were has the last tables. */
    private static boolean isKnown(RebuildWorld world, int peers, int lag) {
        boolean isKnown = peers == ALL;
        for (int i = 0; i < RebuildWorld.PEERS; i++) {
            isKnown |= (peers & 1 << i) != 0 && world.known(i, lag) == world.tables.size() - 1;
        }
        return isKnown;
    }
}
