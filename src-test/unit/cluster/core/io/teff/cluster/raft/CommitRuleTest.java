package io.teff.cluster.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.raft.RaftWorld.SimMember;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: a leader commits an entry of an earlier term only together with an entry of its own term (section 5.4.2 and
 * figure 8 of the Raft paper): until then another member may lead and replace the entry. Method: a member leads again
 * with an entry that it alone has; the other members answer that they have this entry, and no later one.
 */
class CommitRuleTest {
    private static final long MS = RaftWorld.MS;

    @ParameterizedTest
    @CsvSource({"NONE, false", "COMMIT_OF_AN_OLD_TERM, true"})
    void entryOfAnEarlierTerm_onAMajority_isNotCommitted(RaftPlant plant, boolean isCommitted) {
        RaftWorld world = new RaftWorld(1, 3, plant);
        world.found();
        assertTrue(world.run(20_000 * MS, world::isComplete));
        SimMember leader = world.members().stream().filter(SimMember::isLeading).findAny().orElseThrow();
        List<SimMember> others = world.members().stream().filter(member -> member != leader).toList();
        world.run(1_000 * MS, () -> others.stream().allMatch(member -> member.index() == leader.index()));
        final long before = leader.index();

        others.forEach(other -> world.cut(leader.number, other.number));
        leader.propose();
        final long last = leader.lastIndex();
        leader.kill(false);
        world.heal();
        world.cut(others.getFirst().number, others.getLast().number);
        world.cut(others.getLast().number, others.getFirst().number);
        leader.start();
        assertTrue(world.run(20_000 * MS, leader::isLeading));
        others.forEach(other -> world.cut(leader.number, other.number));

        for (int round = 0; round < 2; round++) {
            others.forEach(other -> leader.receiveAnswer(other, last));
        }
        assertEquals(isCommitted ? last : before, leader.index());
    }
}
