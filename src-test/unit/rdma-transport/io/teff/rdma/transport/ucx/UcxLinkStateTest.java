package io.teff.rdma.transport.ucx;

import static io.teff.rdma.transport.ucx.UcxLinkState.ANSWERED;
import static io.teff.rdma.transport.ucx.UcxLinkState.CLOSING;
import static io.teff.rdma.transport.ucx.UcxLinkState.LOST;
import static io.teff.rdma.transport.ucx.UcxLinkState.LOST_CLOSING;
import static io.teff.rdma.transport.ucx.UcxLinkState.NAMED;
import static io.teff.rdma.transport.ucx.UcxLinkState.OPEN;
import static io.teff.rdma.transport.ucx.UcxLinkState.OPENING;
import static io.teff.rdma.transport.ucx.UcxLinkState.OVER;
import static io.teff.rdma.transport.ucx.UcxLinkState.RELEASED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Goal: a link moves as the drawing of the states says. Method: all pairs of states, all states from each. */
final class UcxLinkStateTest {
    /** The drawing as a table. */
    private static final Map<UcxLinkState, Set<UcxLinkState>> MOVES = Map.of(
        NAMED, EnumSet.of(OPENING, ANSWERED, OVER),
        OPENING, EnumSet.of(OPEN, OVER),
        ANSWERED, EnumSet.of(OPEN, OVER),
        OPEN, EnumSet.of(LOST, CLOSING, OVER),
        LOST, EnumSet.of(LOST_CLOSING, OVER),
        CLOSING, EnumSet.of(OVER),
        LOST_CLOSING, EnumSet.of(OVER),
        OVER, EnumSet.of(RELEASED),
        RELEASED, EnumSet.noneOf(UcxLinkState.class));

    private static Set<UcxLinkState> matching(Predicate<UcxLinkState> filter) {
        return Stream.of(UcxLinkState.values()).filter(filter).collect(Collectors.toSet());
    }

    /** Returns the states that follow from a state, by any number of moves. */
    private static Set<UcxLinkState> behind(UcxLinkState first) {
        final Set<UcxLinkState> found = EnumSet.noneOf(UcxLinkState.class);
        final ArrayDeque<UcxLinkState> open = new ArrayDeque<>(Set.of(first));
        while (!open.isEmpty()) {
            final UcxLinkState from = open.remove();
            for (UcxLinkState to : UcxLinkState.values()) {
                if (UcxLinkState.moves(from, to) && found.add(to)) {
                    open.add(to);
                }
            }
        }
        return found;
    }

    @Test
    void moves_allPairs_areThoseOfTheDrawing() {
        assertEquals(EnumSet.allOf(UcxLinkState.class), MOVES.keySet());
        for (UcxLinkState from : UcxLinkState.values()) {
            assertEquals(MOVES.get(from), matching(to -> UcxLinkState.moves(from, to)), from::toString);
        }
    }

    @Test
    void states_areReachedFromTheFirst_endReleased_andNeverComeBack() {
        assertEquals(EnumSet.complementOf(EnumSet.of(NAMED)), behind(NAMED));
        for (UcxLinkState state : UcxLinkState.values()) {
            assertTrue(state == RELEASED || behind(state).contains(RELEASED), state::toString);
            assertFalse(behind(state).contains(state), state::toString);
        }
    }

    @Test
    void kindsOfStates_areTheirStates() {
        assertEquals(Set.of(OPEN, LOST), matching(UcxLinkState::isOpen));
        assertEquals(Set.of(CLOSING, LOST_CLOSING), matching(UcxLinkState::isClosing));
        assertEquals(Set.of(OVER, RELEASED), matching(UcxLinkState::isOver));
    }
}
