package io.teff.cluster.cell;

import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.SuperpeersRequest;
import io.teff.cluster.meta.MachineState.Settings;
import io.teff.cluster.meta.SuperpeerRow;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Deadline;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Finds all superpeers of a cluster from a single superpeer. A client or peer needs all superpeers: the node continues
 * with the remaining superpeers when the given superpeer ends, and a lease needs a majority of all superpeers.
 *
 * <p>An address of a superpeer does not include the number of the superpeer, but a link needs address and number. So
 * the address is tried under each number; the superpeer refuses every number except its own, without a warning.
 */
public final class SuperpeerSearch {
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final List<String> known;
    private final IntFunction<NetworkConfig.Builder> networks;
    private final RandomGenerator chance;
    private final Clock clock;
    private ClusterId cluster = ClusterId.NONE;

    /**
     * Prepares a search.
     *
     * @param known addresses of superpeers
     * @param networks makes the configuration of a network with a NID, with the settings of the cluster
     * @param chance chooses NIDs
     * @param clock measures the pauses of the search
     */
    public SuperpeerSearch(List<String> known, IntFunction<NetworkConfig.Builder> networks, RandomGenerator chance,
                           Clock clock) {
        this.known = List.copyOf(known);
        this.networks = networks;
        this.chance = chance;
        this.clock = clock;
    }

    /**
     * Asks the known superpeers, one superpeer after the other, until an answer arrives. In a round, each silent
     * superpeer takes an equal share of the time. Three or five addresses may be the addresses of all superpeers: each
     * is asked at most once. If the superpeers know none of the addresses, as
     * behind a translation of addresses, the known addresses stay unchanged.
     *
     * @param limit how long to ask
     * @return the superpeers; the known addresses, taken for all superpeers, if no superpeer has answered
     * @throws MisfitException if each known superpeer refuses this process for good, or this process lacks a transport
     * @throws IOException if there is no network
     */
    public KnownSuperpeers all(Deadline limit) throws IOException {
        MisfitException.checkTransports(known, Network.schemes());
        if (known.size() == Settings.SUPERPEERS_MAX || known.size() == Settings.SUPERPEERS_MAX - 2) {
            KnownSuperpeers found = askEach(limit);
            return found != null ? found : KnownSuperpeers.of(known);
        }
        do {
            KnownSuperpeers found = askEach(limit);
            if (found != null) {
                return found;
            }
            clock.pause(this, Math.min(PAUSE_NS, limit.leftNs()));
        } while (!limit.isOver());
        return KnownSuperpeers.of(known);
    }

    /** {@return the cluster of the superpeer that has answered; unknown, or the expected name, without an answer} */
    public ClusterId cluster() {
        return cluster;
    }

    private @Nullable KnownSuperpeers askEach(Deadline limit) throws IOException {
        Throwable misfit = null;
        int misfits = 0;
        for (int i = 0; i < known.size() && !limit.isOver(); i++) {
            final Answer answer = ask(known.get(i), limit.part(limit.shareNs(known.size() - i, ANSWER_NS)));
            if (answer.found() != null) {
                return known(answer.found());
            }
            if (answer.failure() instanceof NetworkException thrown && thrown.reason() == Reason.MISFIT) {
                misfit = thrown;
                misfits++;
            }
        }
        if (misfit != null && misfits == known.size()) {        // each further attempt would fail alike
            throw new MisfitException(FailureText.of(misfit), misfit);
        }
        return null;
    }

    private KnownSuperpeers known(SuperpeerSet found) {
        final boolean isTranslated = found.rows().stream().map(SuperpeerRow::address).noneMatch(known::contains);
        return new KnownSuperpeers(isTranslated && found.rows().size() != known.size() ? SuperpeerSet.of(known) : found,
            known, isTranslated);
    }

    /** Superpeers, or the reason why there are none. */
    private record Answer(@Nullable SuperpeerSet found, @Nullable Throwable failure) {}

    /** Tries the numbers of the first superpeers of a cluster, then the numbers of later superpeers. */
    private Answer ask(String address, Deadline limit) throws IOException {
        final Answer answer = ask(address, 0, Settings.SUPERPEERS_MAX, limit);
        return answer.found() == null && answer.failure() instanceof NetworkException thrown
            && thrown.reason() == Reason.REFUSED && !limit.isOver()
            ? ask(address, Settings.SUPERPEERS_MAX, SuperpeerSet.NUMBER_MAX + 1, limit) : answer;
    }

    private Answer ask(String address, int first, int end, Deadline limit) throws IOException {
        final int nid = ClientNid.draw(chance);
        try (Network network = Network.open(networks.apply(nid).drawnNid(true).handlerThreads(1).lingerNs(0)
            .addresses(called -> called < CellMessages.nid(end) ? address : null).build())) {
            final CompletableFuture<Answer> found = new CompletableFuture<>();
            final AtomicInteger open = new AtomicInteger(end - first);
            for (int number = first; number < end; number++) {
                ask(network, number, Math.max(limit.leftNs(), 1), found, open);
            }
            final Answer answer = found.join();
            cluster = network.cluster();
            return answer;
        }
    }

    private void ask(Network network, int number, long ns, CompletableFuture<Answer> found, AtomicInteger open) {
        try {
            var _ = network.request(CellMessages.nid(number), CellMessages.SUPERPEERS,
                new SuperpeersRequest(known.size()), ns).whenComplete((answer, failure) -> {
                    if (failure == null) {
                        found.complete(new Answer(answer.superpeers(), null));
                    } else {
                        failed(failure, found, open);
                    }
                });
        } catch (NetworkException e) {                          // the request was not sent
            failed(e, found, open);
        }
    }

    private void failed(Throwable failure, CompletableFuture<Answer> found, AtomicInteger open) {
        final Throwable cause = failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause() : failure;
        if (cause instanceof NetworkException thrown && thrown.reason() == Reason.NO_HANDLER) {
            found.complete(new Answer(SuperpeerSet.of(known), null)); // this superpeer does not publish its addresses
        } else if (cause instanceof NetworkException thrown && thrown.reason() == Reason.MISFIT) {
            found.complete(new Answer(null, cause));            // the superpeer has this number, or refuses each number
        }
        if (open.decrementAndGet() == 0) {
            found.complete(new Answer(null, cause));
        }
    }
}
