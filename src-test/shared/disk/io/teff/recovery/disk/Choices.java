package io.teff.recovery.disk;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Decisions of a power cut, each among a few numbered from 0: at random, always the same, or all of them in turn:
 *
 * <pre>{@code
 *  Choices all = Choices.all();
 *  do {
 *      check(disk.powerCut(all));
 *  } while (all.next());
 * }</pre>
 */
public final class Choices {
    private final List<Integer> picks = new ArrayList<>();
    private final List<Integer> bounds = new ArrayList<>();
    private final SplittableRandom random;
    private final int always;
    private final boolean isRandom;
    private int asked;

    private Choices(long seed, boolean isRandom, int always) {
        this.random = new SplittableRandom(seed);
        this.isRandom = isRandom;
        this.always = always;
    }

    /** All combinations of decisions, each one once; in the first one every decision is 0. */
    public static Choices all() {
        return new Choices(0, false, 0);
    }

    /** Random decisions. */
    public static Choices random(long seed) {
        return new Choices(seed, true, 0);
    }

    /** Keeps all writes. */
    public static Choices keep() {
        return new Choices(0, false, FaultDisk.KEEP);
    }

    /** Drops all writes that were not synced. */
    public static Choices drop() {
        return new Choices(0, false, FaultDisk.DROP);
    }

    /** Whether there are too many combinations to try each. */
    boolean isRandom() {
        return isRandom;
    }

    /** Returns the next decision: from 0 to the bound less one. */
    int pick(int bound) {
        if (isRandom) {
            return random.nextInt(bound);
        }
        if (asked == picks.size()) {
            picks.add(Math.min(always, bound - 1));
            bounds.add(bound);
        }
        if (bounds.get(asked) != bound) {
            throw new IllegalStateException("other decisions are asked for than the last time");
        }
        return picks.get(asked++);
    }

    /** Advances to the next combination; returns false if all were tried. */
    public boolean next() {
        asked = 0;
        for (int last = picks.size() - 1; last >= 0; last--) {
            if (picks.get(last) + 1 < bounds.get(last)) {
                picks.set(last, picks.get(last) + 1);
                return true;
            }
            picks.removeLast();
            bounds.removeLast();
        }
        return false;
    }

    @Override
    public String toString() {
        return "choices " + picks;
    }
}
