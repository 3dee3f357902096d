package io.teff.cluster.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.microraft.RaftEndpoint;
import io.teff.cluster.raft.Admission.Step;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Goal: from each state of the members a superpeer becomes a voter, and never two members change at once. */
class AdmissionTest {
    private static final RaftId OLD = new RaftId(2, 20);
    private static final RaftId NEW = new RaftId(2, 21);

    /** Takes a superpeer in, and returns the steps. */
    private static List<Step> steps(List<RaftEndpoint> all, List<RaftEndpoint> voters) {
        List<RaftEndpoint> members = new ArrayList<>(all);
        List<RaftEndpoint> votes = new ArrayList<>(voters);
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Step step = Admission.next(NEW, members, votes, members.contains(NEW));
            steps.add(step);
            switch (step) {
                case ADD -> members.add(NEW);
                case REMOVE -> {
                    RaftId earlier = Admission.earlier(NEW, members);
                    assertTrue(members.remove(earlier));
                    votes.remove(earlier);
                }
                case PROMOTE -> votes.add(NEW);
                default -> {
                    return steps;
                }
            }
        }
        throw new AssertionError("no end: " + steps);
    }

    private static List<RaftEndpoint> ids(RaftEndpoint... ids) {
        return List.of(ids);
    }

    @Test
    void superpeer_isTakenIn_stepByStep() {
        RaftId a = new RaftId(0, 1);
        RaftId b = new RaftId(1, 2);
        assertEquals(List.of(Step.ADD, Step.PROMOTE, Step.DONE), steps(ids(a), ids(a)));
        assertEquals(List.of(Step.ADD, Step.REMOVE, Step.PROMOTE, Step.DONE), steps(ids(a, b, OLD), ids(a, b, OLD)));
        assertEquals(List.of(Step.REMOVE, Step.ADD, Step.PROMOTE, Step.DONE), steps(ids(a, b, OLD), ids(a, b)));
        assertEquals(List.of(Step.REMOVE, Step.DONE), steps(ids(a, b, OLD, NEW), ids(a, b, OLD, NEW)));
        assertEquals(List.of(Step.DONE), steps(ids(a, b, NEW), ids(a, b, NEW)));
    }

    @Test
    void superpeer_waits_forTheLog_andForAPlace() {
        RaftId a = new RaftId(0, 1);
        RaftId b = new RaftId(1, 2);
        RaftId c = new RaftId(3, 4);
        assertEquals(Step.WAIT, Admission.next(NEW, ids(a, NEW), ids(a), false));
        assertEquals(Step.WAIT, Admission.next(NEW, ids(a, OLD, NEW), ids(a, OLD), false));
        assertEquals(Step.WAIT, Admission.next(NEW, ids(a, b, c), ids(a), false));
    }
}
