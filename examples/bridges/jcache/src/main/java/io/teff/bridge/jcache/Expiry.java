package io.teff.bridge.jcache;

import java.util.function.Supplier;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Times of expiry from the application's policy and the clock, in milliseconds.
 *
 * <p>If the policy throws, a created entry never expires, and any other entry keeps its time of expiry.
 */
final class Expiry {
    private final ExpiryPolicy policy;
    private final ExpiryClock clock;

    Expiry(ExpiryPolicy policy, ExpiryClock clock) {
        this.policy = policy;
        this.clock = clock;
    }

    long nowMs() {
        return clock.nowMs();
    }

    boolean isExpired(byte[] entry) {
        return EntryLayout.isExpired(entry, nowMs());
    }

    /** Returns the time of expiry of an entry created now; not later than now if it expires at once. */
    long ofCreation() {
        return after(policy::getExpiryForCreation, EntryLayout.NEVER);
    }

    /** Returns the time of expiry of an entry read now. */
    long ofAccess(long before) {
        return after(policy::getExpiryForAccess, before);
    }

    /** Returns the time of expiry of an entry updated now. */
    long ofUpdate(long before) {
        return after(policy::getExpiryForUpdate, before);
    }

    private long after(Supplier<@Nullable Duration> question, long otherwise) {
        Duration duration;
        try {
            duration = question.get();
        } catch (RuntimeException e) {
            return otherwise;                                   // as ExpiryPolicy requires
        }
        if (duration == null) {
            return otherwise;
        }
        if (duration.isEternal()) {
            return EntryLayout.NEVER;
        }
        long ms = duration.getTimeUnit().toMillis(duration.getDurationAmount());
        long now = nowMs();
        return ms < EntryLayout.NEVER - now ? now + ms : EntryLayout.NEVER;
    }

    ExpiryPolicy policy() {
        return policy;
    }
}
