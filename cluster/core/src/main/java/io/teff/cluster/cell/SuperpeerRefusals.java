package io.teff.cluster.cell;

import io.teff.cluster.meta.SuperpeerRow;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.engine.os.FailureText;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The superpeers that refuse a process for good, with their reasons: another secret, TLS, cluster. Thread-safe. */
public final class SuperpeerRefusals {
    private final AtomicReferenceArray<@Nullable String> reasons =
        new AtomicReferenceArray<>(SuperpeerSet.NUMBER_MAX + 1);
    private final Supplier<SuperpeerSet> superpeers;

    /**
     * Begins without a refusal.
     *
     * @param superpeers returns the present superpeers
     */
    public SuperpeerRefusals(Supplier<SuperpeerSet> superpeers) {
        this.superpeers = superpeers;
    }

    /**
     * Notes an answer: the superpeer does not refuse this process.
     *
     * @param superpeer number of the superpeer
     */
    public void answered(int superpeer) {
        reasons.set(superpeer, null);
    }

    /**
     * Notes a failed request. Only refusals for good count.
     *
     * @param superpeer number of the superpeer
     * @param failure of the request
     */
    public void failed(int superpeer, Throwable failure) {
        final Throwable cause = failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause() : failure;
        if (cause instanceof NetworkException thrown && thrown.reason() == Reason.MISFIT) {
            reasons.set(superpeer, FailureText.of(thrown));
        }
    }

    /** Forgets all refusals. */
    public void clear() {
        for (int superpeer = 0; superpeer < reasons.length(); superpeer++) {
            reasons.set(superpeer, null);
        }
    }

    /** {@return the reason of one superpeer, or null} */
    public @Nullable String any() {
        return reasonOf(superpeers.get(), 1);
    }

    /** {@return a reason if a majority of the superpeers refuses this process; else null} */
    public @Nullable String ofMajority() {
        final SuperpeerSet now = superpeers.get();
        return reasonOf(now, now.counting().size() / 2 + 1);
    }

    private @Nullable String reasonOf(SuperpeerSet now, int least) {
        String reason = null;
        int count = 0;
        for (SuperpeerRow row : now.counting()) {
            final String next = reasons.get(row.number());
            count += next == null ? 0 : 1;
            reason = next == null ? reason : next;
        }
        return count >= least ? reason : null;
    }
}
