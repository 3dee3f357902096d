package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.peer.LocalZone.State;
import io.teff.engine.os.Clock;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The states of a zone at a node: every pair of states, in every state. */
class LocalZoneTest {
    /** The drawing of {@link LocalZone}. */
    private static final Map<State, Set<State>> DRAWN = new EnumMap<>(Map.of(
        State.ABSENT, EnumSet.of(State.CANDIDATE, State.SERVED),
        State.CANDIDATE, EnumSet.of(State.ABSENT, State.CHOSEN),
        State.CHOSEN, EnumSet.of(State.READING, State.DEPOSED),
        State.READING, EnumSet.of(State.READ, State.CHOSEN, State.DEPOSED),
        State.READ, EnumSet.of(State.SERVED, State.DEPOSED),
        State.SERVED, EnumSet.of(State.HANDING_OVER, State.DEPOSED),
        State.HANDING_OVER, EnumSet.of(State.SERVED, State.DEPOSED),
        State.DEPOSED, EnumSet.noneOf(State.class)));
    /** A way from ABSENT to each state. */
    private static final Map<State, List<State>> WAYS = new EnumMap<>(Map.of(
        State.ABSENT, List.of(),
        State.CANDIDATE, List.of(State.CANDIDATE),
        State.CHOSEN, List.of(State.CANDIDATE, State.CHOSEN),
        State.READING, List.of(State.CANDIDATE, State.CHOSEN, State.READING),
        State.READ, List.of(State.CANDIDATE, State.CHOSEN, State.READING, State.READ),
        State.SERVED, List.of(State.SERVED),
        State.HANDING_OVER, List.of(State.SERVED, State.HANDING_OVER),
        State.DEPOSED, List.of(State.SERVED, State.DEPOSED)));

    private static LocalZone zone(State state) {
        LocalZone zone = new LocalZone(5);
        WAYS.get(state).forEach(next -> zone.moves(zone.state(), next));
        assertEquals(state, zone.state());
        return zone;
    }

    @Test
    void moves_asDrawn_fromEachState() {
        for (State from : State.values()) {
            for (State to : State.values()) {
                LocalZone zone = zone(from);
                if (DRAWN.get(from).contains(to)) {
                    zone.moves(from, to);
                    assertEquals(to, zone.state());
                } else {
                    assertThrows(IllegalStateException.class, () -> zone.moves(from, to), from + " to " + to);
                    assertEquals(from, zone.state());
                }
            }
        }
    }

    @Test
    void moves_fromAStateThatIsOver_isRefused() {
        for (State now : State.values()) {
            for (State from : State.values()) {
                for (State to : State.values()) {
                    LocalZone zone = zone(now);
                    if (from != now) {
                        assertThrows(IllegalStateException.class, () -> zone.moves(from, to));
                        assertEquals(now, zone.state());
                    }
                }
            }
        }
    }

    @Test
    void depose_isRefused_withoutAnOwnerHere() {
        for (State state : State.values()) {
            LocalZone zone = zone(state);
            if (state == State.ABSENT || state == State.CANDIDATE || state == State.DEPOSED) {
                assertThrows(IllegalStateException.class, zone::depose);
            } else {
                zone.depose();
                assertEquals(State.DEPOSED, zone.state());
            }
        }
    }

    @Test
    void giveUp_endsACandidacyOnly() {
        for (State state : State.values()) {
            LocalZone zone = zone(state);
            zone.giveUp();
            assertEquals(state == State.CANDIDATE ? State.ABSENT : state, zone.state());
        }
    }

    @Test
    void readingEnds_afterADeposition_changesNothing() {
        LocalZone zone = zone(State.READING);
        zone.depose();
        zone.readingEnds();
        assertEquals(State.DEPOSED, zone.state());
    }

    @Test
    void serve_ofAZoneThatWasNotRead_isRefused() {
        LocalZone zone = new LocalZone(5);
        zone.candidate(Clock.SYSTEM);
        assertThrows(IllegalStateException.class, () -> zone.serve(0));
        assertEquals(State.CANDIDATE, zone.state());
    }

    @Test
    void serveAgain_inTheEpochOfTheHandOver_isRefused() {
        LocalZone zone = zone(State.SERVED);
        assertTrue(zone.handOver(7));
        assertFalse(zone.handOver(8));
        assertThrows(IllegalStateException.class, () -> zone.serveAgain(8, 0));
        assertEquals(State.HANDING_OVER, zone.state());
    }

    @Test
    void anotherBackup_isAskedForOnceInAPause() {
        LocalZone zone = new LocalZone(5);
        assertFalse(zone.isHeldUp(0, 100));
        assertTrue(zone.mayAsk(0, 50));
        assertFalse(zone.mayAsk(49, 50));
        assertTrue(zone.mayAsk(50, 50));
        zone.holdsUp(50);
        assertTrue(zone.isHeldUp(150, 100));
        assertFalse(zone.isHeldUp(151, 100));
    }

    @Test
    void isIdle_unlessSomethingIsToBeRemembered() {
        LocalZone zone = new LocalZone(5);
        assertTrue(zone.isIdle());
        assertTrue(zone.fault("a fault"));
        assertFalse(zone.fault("a fault"));
        assertFalse(zone.isIdle());
        zone.fault(null);
        assertTrue(zone.isIdle());
        zone.candidate(Clock.SYSTEM);
        assertFalse(zone.isIdle());
    }
}
