package io.teff.cluster.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.cluster.consensus.JoiningState.State;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The part of a superpeer in the log: every pair of states, in every state. */
class JoiningStateTest {
    /** The drawing of {@link JoiningState}. */
    private static final Map<State, Set<State>> DRAWN = new EnumMap<>(Map.of(
        State.ASKING, EnumSet.of(State.READING, State.VOTING, State.NO_ROOM, State.FAILED, State.CLOSED),
        State.READING, EnumSet.of(State.ASKING, State.VOTING, State.NO_ROOM, State.FAILED, State.CLOSED),
        State.VOTING, EnumSet.of(State.COPYING, State.NO_ROOM, State.FAILED, State.CLOSED),
        State.COPYING, EnumSet.of(State.VOTING, State.NO_ROOM, State.FAILED, State.CLOSED),
        State.NO_ROOM, EnumSet.of(State.ASKING, State.READING, State.VOTING, State.COPYING, State.FAILED, State.CLOSED),
        State.FAILED, EnumSet.of(State.CLOSED),
        State.CLOSED, EnumSet.noneOf(State.class)));
    /** A way from ASKING to each state. */
    private static final Map<State, List<State>> WAYS = new EnumMap<>(Map.of(
        State.ASKING, List.of(),
        State.READING, List.of(State.READING),
        State.VOTING, List.of(State.VOTING),
        State.COPYING, List.of(State.VOTING, State.COPYING),
        State.NO_ROOM, List.of(State.NO_ROOM),
        State.FAILED, List.of(State.FAILED),
        State.CLOSED, List.of(State.CLOSED)));

    private static JoiningState in(State wanted) {
        JoiningState state = new JoiningState();
        WAYS.get(wanted).forEach(next -> state.moves(state.state(), next, "before"));
        assertEquals(wanted, state.state());
        return state;
    }

    @Test
    void moves_asDrawn_fromEachState() {
        for (State from : State.values()) {
            for (State to : State.values()) {
                JoiningState state = in(from);
                if (DRAWN.get(from).contains(to)) {
                    state.moves(from, to, "a text");
                    assertEquals(to, state.state());
                    assertEquals("a text", state.text());
                } else {
                    String before = state.text();
                    assertThrows(IllegalStateException.class, () -> state.moves(from, to, "a text"),
                        from + " to " + to);
                    assertEquals(from, state.state());
                    assertEquals(before, state.text());
                }
            }
        }
    }

    @Test
    void moves_fromAStateThatIsOver_isRefused() {
        for (State now : State.values()) {
            for (State from : State.values()) {
                for (State to : State.values()) {
                    JoiningState state = in(now);
                    if (from != now) {
                        assertThrows(IllegalStateException.class, () -> state.moves(from, to, ""));
                        assertEquals(now, state.state());
                    }
                }
            }
        }
    }

    @Test
    void fails_inEachStateButClosed_hasTheFailure() {
        for (State state : EnumSet.complementOf(EnumSet.of(State.FAILED, State.CLOSED))) {
            JoiningState failed = in(state);
            failed.fails("a fault");
            assertEquals(State.FAILED, failed.state());
            assertEquals("a fault", failed.failure());
            assertEquals("", failed.waitsFor());
        }
        JoiningState closed = in(State.CLOSED);
        closed.fails("a fault");
        assertEquals(State.CLOSED, closed.state());
        assertNull(closed.failure());
    }

    @Test
    void closes_inEachState_once() {
        for (State before : State.values()) {
            JoiningState state = in(before);
            state.closes();
            assertEquals(State.CLOSED, state.state());
            state.closes();
        }
    }

    @Test
    void waits_keepsTheState() {
        for (State before : State.values()) {
            JoiningState state = in(before);
            state.waits("room");
            assertEquals(before, state.state());
            assertEquals("room", state.text());
        }
    }
}
