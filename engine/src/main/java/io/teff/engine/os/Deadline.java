package io.teff.engine.os;

import java.util.concurrent.TimeUnit;

/**
 * The end of the time for an operation, by a clock: all waits inside the operation share this one budget, so that the
 * sum of the waits is never longer than the budget. Immutable, thread-safe if the clock is.
 */
public final class Deadline {
    /** Longer budgets are cut: the sum of a clock's time and a budget must not overflow. */
    private static final long BUDGET_NS_MAX = Long.MAX_VALUE / 4;

    private final Clock clock;
    private final long budgetNs;
    private final long endNs;

    private Deadline(Clock clock, long budgetNs) {
        this.clock = clock;
        this.budgetNs = Math.clamp(budgetNs, 0, BUDGET_NS_MAX);
        endNs = clock.nowNs() + this.budgetNs;
    }

    /**
     * Begins the time of an operation.
     *
     * @param clock measures the time
     * @param budgetNs nanoseconds of the whole operation; negative counts as 0
     * @return the deadline
     */
    public static Deadline in(Clock clock, long budgetNs) {
        return new Deadline(clock, budgetNs);
    }

    /** {@return nanoseconds of the whole operation, from 0} */
    public long budgetNs() {
        return budgetNs;
    }

    /** {@return nanoseconds to the end, from 0; 0 if the time is over} */
    public long leftNs() {
        return Math.clamp(endNs - clock.nowNs(), 0, budgetNs);
    }

    /** {@return whether the time is over} */
    public boolean isOver() {
        return leftNs() == 0;
    }

    /**
     * Returns the time for the next one of several waits of equal right.
     *
     * @param waits number of waits still to come, from 1, with the next one
     * @param mostNs longest time of one wait in nanoseconds
     * @return nanoseconds, from 0: an equal share of the time that is left
     */
    public long shareNs(int waits, long mostNs) {
        return Math.min(leftNs() / waits, mostNs);
    }

    /**
     * Returns a deadline of a part of the operation, which never ends later than the operation.
     *
     * @param mostNs nanoseconds of the part
     * @return the deadline of the part
     */
    public Deadline part(long mostNs) {
        return new Deadline(clock, Math.min(mostNs, leftNs()));
    }

    /** {@return the budget of the whole operation, as {@code 1500 ms}} */
    @Override
    public String toString() {
        return TimeUnit.NANOSECONDS.toMillis(budgetNs) + " ms";
    }
}
