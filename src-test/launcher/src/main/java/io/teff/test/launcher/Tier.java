package io.teff.test.launcher;

import java.util.List;
import java.util.stream.Stream;

/** A tier of tests. Each tier has the tests of the tiers before it, in sizes of its own. */
enum Tier {
    /** Runs for each change: {@code ./teff test}. */
    GATE(List.of()),
    /** Runs before a part is finished: {@code ./teff test --full}. */
    FULL(List.of("-Dteff.tags.excluded=long", "-Dteff.plain.groups=modes", "-Dteff.full=true")),
    /** Runs for hours: {@code ./teff test --long}. */
    LONG(List.of("-Dteff.tags.excluded=none", "-Dteff.plain.groups=modes", "-Dteff.full=true", "-Dteff.long=true",
        "-Dteff.test.timeoutSeconds=14400", "-Dteff.test.methodMinutes=200",
        "-Dteff.plain.sizes=-Dteff.model.sequences=300 -Dteff.map.sequences=12"));

    /** The first compiler alone, whose code is enough for tests of seconds. */
    private static final String BRIEF = "-Dteff.short.jit=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";
    /** A red test leaves out no module behind its own: the reports, not Maven, make the run red. */
    private static final String TO_THE_END = "-Dmaven.test.failure.ignore=true";

    private final List<String> flags;

    Tier(List<String> flags) {
        this.flags = flags;
    }

    /**
     * Returns whether a run of all lanes leaves a module out. The benchmarks are programs of their own, a tenth of all
     * sources; the gate does not build them unless their lane is named.
     */
    boolean leavesOut(Module module) {
        return this == GATE && module.lane().equals(Lanes.BENCH);
    }

    /** Removes the options of tiers from the arguments, and returns the highest of these tiers. */
    static Tier take(List<String> arguments) {
        boolean isFull = arguments.remove("--full");
        boolean isLong = arguments.remove("--long");
        return isLong ? LONG : isFull ? FULL : GATE;
    }

    /** Returns Maven's arguments for the tier. */
    List<String> flags() {
        Stream<String> more = switch (this) {
            case GATE -> Stream.of(BRIEF);
            case FULL -> Stream.of(BRIEF, TO_THE_END);
            case LONG -> Stream.of(TO_THE_END);
        };
        return Stream.concat(more, flags.stream()).toList();
    }
}
