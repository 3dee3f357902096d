package io.teff.test.bench.attack;

import io.teff.test.bench.store.Contender;
import java.util.List;

/** The attacks: each breaks a rule once, or floods a port. */
enum Attack implements Contender {
    /** The first greeting has a length of 2 GiB. */
    GREETING_LENGTH("no proof: length of 2 GiB"),
    /** The first bytes are not a greeting. */
    GREETING_GARBAGE("no proof: garbage"),
    /** A bit of the proof is flipped. */
    PROOF("no proof: a wrong bit in it"),
    /** A frame has a wrong checksum. */
    CHECKSUM("proved: wrong checksum"),
    /** A frame has a length of 2 GiB. */
    FRAME_LENGTH("proved: length of 2 GiB"),
    /** More messages arrive than the window allows. */
    WINDOW("proved: beyond the window"),
    /** The bytes are not frames. */
    GARBAGE("proved: garbage"),
    /** Links that send only the start of a greeting. */
    HALF_OPEN_FLOOD("half-open links"),
    /** Half-open connections to sockets that are closed immediately. */
    HALF_OPEN_CONTROL("half-open links, control"),
    /** Links of authenticated peers that send garbage instead of frames. */
    GARBAGE_FLOOD("garbage of proved peers"),
    /** The same garbage to sockets that are closed immediately. */
    GARBAGE_CONTROL("garbage of proved peers, control");

    private final String title;

    Attack(String title) {
        this.title = title;
    }

    /** Whether honest nodes are measured during the attack. */
    boolean isFlood() {
        return compareTo(HALF_OPEN_FLOOD) >= 0;
    }

    /** Whether the target is a plain server of the same process. */
    boolean isControl() {
        return this == HALF_OPEN_CONTROL || this == GARBAGE_CONTROL;
    }

    /** Returns the same flood against a plain server. */
    Attack control() {
        return isHalfOpen() ? HALF_OPEN_CONTROL : GARBAGE_CONTROL;
    }

    /** Whether its links stay open without authentication. */
    boolean isHalfOpen() {
        return this == HALF_OPEN_FLOOD || this == HALF_OPEN_CONTROL;
    }

    /** Returns the names of its figures. */
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
