package io.teff.bridge.jcache;

import java.util.function.Supplier;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Times of expiry, from the user's policy and the clock.
 *
 * <p>A policy that throws decides nothing: an entry that is made then never expires, any other keeps its time.
 */
final class Expiry {
    private final ExpiryPolicy policy;
    private final Clock clock;

    Expiry(ExpiryPolicy policy, Clock clock) {
        this.policy = policy;
        this.clock = clock;
    }

    long nowMs() {
        return clock.nowMs();
    }

    boolean isExpired(byte[] entry) {
        return EntryLayout.isExpired(entry, nowMs());
    }

    /** When an entry expires that is made now; not later than now if at once. */
    long ofCreation() {
        return after(policy::getExpiryForCreation, EntryLayout.NEVER);
    }

    /** When an entry expires that is read now. */
    long ofAccess(long before) {
        return after(policy::getExpiryForAccess, before);
    }

    /** When an entry expires that gets a new value now. */
    long ofUpdate(long before) {
        return after(policy::getExpiryForUpdate, before);
    }

    private long after(Supplier<@Nullable Duration> question, long otherwise) {
        Duration duration;
        try {
            duration = question.get();
        } catch (RuntimeException e) {
            return otherwise;                                   // as the interface of policies demands
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
