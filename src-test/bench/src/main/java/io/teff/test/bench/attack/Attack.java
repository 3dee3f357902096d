package io.teff.test.bench.attack;

import io.teff.test.bench.store.Contender;
import java.util.List;

/** What an attacker does: breaks a rule once, or floods a port. */
enum Attack implements Contender {
    /** The first greeting has a length of 2 GiB. */
    GREETING_LENGTH("no proof: length of 2 GiB"),
    /** The first bytes are no greeting. */
    GREETING_GARBAGE("no proof: garbage"),
    /** A bit of the proof is wrong. */
    PROOF("no proof: a wrong bit in it"),
    /** A frame's checksum is wrong. */
    CHECKSUM("proved: wrong checksum"),
    /** A frame has a length of 2 GiB. */
    FRAME_LENGTH("proved: length of 2 GiB"),
    /** More messages come than were allowed. */
    WINDOW("proved: beyond the window"),
    /** What comes are no frames. */
    GARBAGE("proved: garbage"),
    /** Links that say the front of a greeting. */
    HALF_OPEN_FLOOD("half-open links"),
    /** The same to sockets that are closed. */
    HALF_OPEN_CONTROL("half-open links, control"),
    /** Links of peers that have proved themselves, and say what are no frames. */
    GARBAGE_FLOOD("garbage of proved peers"),
    /** The same to sockets that are closed. */
    GARBAGE_CONTROL("garbage of proved peers, control");

    private final String title;

    Attack(String title) {
        this.title = title;
    }

    /** Whether honest nodes are measured meanwhile. */
    boolean isFlood() {
        return compareTo(HALF_OPEN_FLOOD) >= 0;
    }

    /** Whether it goes to a plain server of the same process. */
    boolean isControl() {
        return this == HALF_OPEN_CONTROL || this == GARBAGE_CONTROL;
    }

    /** The same flood to a plain server. */
    Attack control() {
        return isHalfOpen() ? HALF_OPEN_CONTROL : GARBAGE_CONTROL;
    }

    /** Whether its links never prove themselves, and are kept. */
    boolean isHalfOpen() {
        return this == HALF_OPEN_FLOOD || this == HALF_OPEN_CONTROL;
    }

    /** Names of its figures. */
    List<String> figures() {
        return isFlood() ? FloodTrial.FIGURES : CutTrial.FIGURES;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public List<String> flags() {
        return List.of();
    }
}
