package io.teff.cluster.meta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.meta.SuperpeerRow.Standing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Goal: superpeers are added and removed one at a time, and majorities of neighbouring sets share a superpeer. Method:
 * single changes, and all orders of commands up to a depth.
 */
class SuperpeerTableTest {
    private MetadataMachine machine = machine(3);

    private static MetadataMachine machine(int superpeers) {
        return new MetadataMachine(MachineState.initial(new MachineState.Settings(superpeers, 1)));
    }

    private CommandReply apply(Command command) {
        SuperpeerSet set = machine.superpeers();
        CommandReply reply = machine.apply(command);
        machine.audit();
        assertEquals(!set.equals(machine.superpeers()), machine.superpeers().version() > set.version(),
            "a new set has a new version");
        assertEquals(set.equals(machine.superpeers()) ? null : machine.superpeers(),
            machine.superpeersSince(set.version()));
        return reply;
    }

    private void step(int number, Standing next) {
        assertInstanceOf(CommandReply.Done.class, apply(new Command.SuperpeerStands(number,
            machine.superpeers().version(), next)));
    }

    private static void assertRefused(String why, CommandReply reply) {
        String reason = assertInstanceOf(CommandReply.Refused.class, reply).reason();
        assertTrue(reason.contains(why), reason);
    }

    private List<Integer> counting() {
        return machine.superpeers().counting().stream().map(SuperpeerRow::number).toList();
    }

    private int add(String address) {
        return assertInstanceOf(CommandReply.SuperpeerGiven.class, apply(new Command.AddSuperpeer(address))).number();
    }

    @Test
    void superpeer_isAdded_countsAfterItsStep_andIsRemoved() {
        assertEquals(3, add("tcp:a"));
        assertEquals(3, add("tcp:a"), "a command that arrives twice");
        assertEquals(List.of(0, 1, 2), counting());
        assertRefused("superpeer 3 at tcp:a is being added", apply(new Command.AddSuperpeer("tcp:b")));
        assertRefused("superpeer 3 at tcp:a is being added", apply(new Command.RemoveSuperpeer(1)));
        step(3, Standing.COUNTING);
        assertEquals(List.of(0, 1, 2, 3), counting());
        assertInstanceOf(CommandReply.Done.class, apply(new Command.RemoveSuperpeer(1)));
        assertInstanceOf(CommandReply.Done.class, apply(new Command.RemoveSuperpeer(1)));
        assertEquals(List.of(0, 1, 2, 3), counting(), "until all nodes know the set");
        assertRefused("superpeer 1 at  is being removed", apply(new Command.RemoveSuperpeer(2)));
        step(1, Standing.LEFT);
        assertEquals(List.of(0, 2, 3), counting());
        step(1, Standing.GONE);
        assertNull(machine.superpeers().row(1));
        assertRefused("there is no superpeer 1", apply(new Command.RemoveSuperpeer(1)));
        assertEquals(4, add("tcp:c"), "number 1 is not given again");
    }

    @Test
    void superpeer_thatHasNotCountedYet_isRemovedAtOnce() {
        assertEquals(3, add("tcp:a"));
        assertInstanceOf(CommandReply.Done.class, apply(new Command.RemoveSuperpeer(3)));
        assertEquals(Standing.LEFT, machine.superpeers().row(3).standing());
        assertInstanceOf(CommandReply.Stale.class, apply(new Command.SuperpeerStands(3, machine.superpeers().version(),
            Standing.COUNTING)));
        step(3, Standing.GONE);
        assertEquals(List.of(0, 1, 2), counting());
    }

    @Test
    void steps_ofAnotherVersion_orOutOfOrder_changeNothing() {
        add("tcp:a");
        long version = machine.superpeers().version();
        for (Standing next : Standing.values()) {
            assertInstanceOf(CommandReply.Stale.class, apply(new Command.SuperpeerStands(3, version - 1, next)));
            assertInstanceOf(CommandReply.Stale.class, apply(new Command.SuperpeerStands(0, version, next)));
            assertInstanceOf(CommandReply.Stale.class, apply(new Command.SuperpeerStands(7, version, next)));
            if (next != Standing.COUNTING) {
                assertInstanceOf(CommandReply.Stale.class, apply(new Command.SuperpeerStands(3, version, next)));
            }
        }
        assertEquals(version, machine.superpeers().version());
    }

    @Test
    void sizes_areOneToFive_andAddressesShort() {
        machine = machine(5);
        assertRefused("5 superpeers", apply(new Command.AddSuperpeer("tcp:a")));
        machine = machine(1);
        assertRefused("the only superpeer", apply(new Command.RemoveSuperpeer(0)));
        assertRefused("characters", apply(new Command.AddSuperpeer("")));
        assertRefused("characters", apply(new Command.AddSuperpeer("a".repeat(SuperpeerTable.ADDRESS_MAX + 1))));
    }

    @Test
    void numbers_goRound_andSkipThoseInUse() {
        machine = machine(1);
        Set<Integer> given = new HashSet<>();
        for (int i = 1; i <= 2 * SuperpeerSet.NUMBER_MAX; i++) {
            int number = add("tcp:" + i);
            assertTrue(number >= 1 && number <= SuperpeerSet.NUMBER_MAX, "" + number);
            assertEquals(i <= SuperpeerSet.NUMBER_MAX, given.add(number), "all others come first");
            apply(new Command.RemoveSuperpeer(number));
            step(number, Standing.GONE);
        }
    }

    @Test
    void superpeer_announcesItsAddress_inItsCurrentLifeOnly() {
        assertInstanceOf(CommandReply.Done.class, apply(new Command.SuperpeerLife(1, 0, 5)));
        assertInstanceOf(CommandReply.Stale.class, apply(new Command.SuperpeerMoved(1, 4, "tcp:a")));
        assertInstanceOf(CommandReply.Done.class, apply(new Command.SuperpeerMoved(1, 5, "tcp:a")));
        assertInstanceOf(CommandReply.Done.class, apply(new Command.SuperpeerMoved(1, 5, "tcp:a")));
        assertEquals("tcp:a", machine.superpeers().row(1).address());
        assertRefused("there is no superpeer 9", apply(new Command.SuperpeerMoved(9, 0, "tcp:b")));
    }

    @Test
    void votes_ofSuperpeersThatDoNotCount_areNone() {
        NodeRef node = ((CommandReply.Joined) apply(new Command.Join(new UUID(1, 1), 1, "tcp:x", Roles.PEER))).node();
        add("tcp:a");
        for (int number = 0; number <= 3; number++) {
            apply(new Command.SuperpeerLife(number, 0, 9));
        }
        assertInstanceOf(CommandReply.Stale.class, apply(new Command.Vote(3, 9, node)), "it enters");
        assertInstanceOf(CommandReply.Done.class, apply(new Command.Vote(1, 9, node)));
        apply(new Command.RemoveSuperpeer(3));
        step(3, Standing.GONE);
        apply(new Command.RemoveSuperpeer(1));
        step(1, Standing.LEFT);
        assertEquals(List.of(), machine.state().votes(), "the vote of superpeer 1");
        assertInstanceOf(CommandReply.Stale.class, apply(new Command.Vote(1, 9, node)), "it has left");
        assertInstanceOf(CommandReply.Done.class, apply(new Command.Vote(0, 9, node)));
        assertTrue(machine.isAlive(node), "one of two is no majority");
        assertInstanceOf(CommandReply.Done.class, apply(new Command.Vote(2, 9, node)));
        assertFalse(machine.isAlive(node));
    }

    @Test
    void begin_isTheFirstCommand_once() {
        machine = machine(1);
        assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.Begin(3, 2)));
        assertEquals(List.of(0, 1, 2), counting());
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.Begin(5, 1)));
        assertEquals(List.of(0, 1, 2), counting());
        assertEquals(new MachineState.Settings(3, 2), new MetadataMachine(machine.state()).state().settings());
    }

    /** All states that additions, removals and steps reach from one and three superpeers. */
    @Test
    void neighbouringSets_haveMajoritiesThatShareASuperpeer_inAllStates() {
        Set<List<SuperpeerRow>> seen = new HashSet<>();
        Deque<MachineState> open = new ArrayDeque<>(List.of(machine(1).state(), machine(3).state()));
        while (!open.isEmpty()) {
            MachineState state = open.removeFirst();
            for (Command command : commands(state.superpeers())) {
                MetadataMachine now = new MetadataMachine(state);
                now.apply(command);
                now.audit();
                checkNeighbours(state.superpeers(), now.superpeers());
                if (seen.size() < 20_000 && seen.add(now.superpeers().rows())) {
                    open.add(now.state());
                }
            }
        }
        assertTrue(seen.size() > 1_000, seen.size() + " states");
    }

    private static List<Command> commands(SuperpeerSet set) {
        List<Command> all = new ArrayList<>(List.of(new Command.AddSuperpeer("a"), new Command.AddSuperpeer("b")));
        for (SuperpeerRow row : set.rows()) {
            all.add(new Command.RemoveSuperpeer(row.number()));
            for (Standing next : Standing.values()) {
                all.add(new Command.SuperpeerStands(row.number(), set.version(), next));
            }
        }
        return all;
    }

    /** At most one superpeer differs, so two majorities have more members than the sets together. */
    private static void checkNeighbours(SuperpeerSet before, SuperpeerSet after) {
        int difference = Integer.bitCount(before.bits() ^ after.bits());
        assertTrue(difference <= 1, () -> before + " and then " + after);
        assertTrue(!after.counting().isEmpty() && after.counting().size() <= MachineState.Settings.SUPERPEERS_MAX);
        assertTrue(after.rows().stream().filter(row -> row.standing() != Standing.COUNTING).count() <= 1);
    }
}
