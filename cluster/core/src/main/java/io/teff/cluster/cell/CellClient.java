package io.teff.cluster.cell;

import io.teff.cluster.MissingRightException;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.CommandAnswer;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.net.message.NetworkException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands to the leading superpeer, as far as known. A command is sent once for each call; the caller repeats
 * the command until a reply arrives, because commands may be repeated. Thread-safe.
 */
public final class CellClient {
    private static final int NONE = -1;
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(1);

    private final Requests requests;
    private final Supplier<SuperpeerSet> superpeers;
    private final int self;
    private final AtomicInteger target = new AtomicInteger();
    private final SuperpeerRefusals refusals;

    /**
     * Creates a client.
     *
     * @param requests sends requests of the node
     * @param superpeers returns the present superpeers
     */
    public CellClient(Requests requests, Supplier<SuperpeerSet> superpeers) {
        this(requests, superpeers, NONE);
    }

    /**
     * Creates the client of a superpeer. A superpeer sends nothing to itself.
     *
     * @param requests sends requests of the superpeer
     * @param superpeers returns the present superpeers
     * @param self number of the superpeer
     */
    public CellClient(Requests requests, Supplier<SuperpeerSet> superpeers, int self) {
        this.requests = requests;
        this.superpeers = superpeers;
        this.self = self;
        refusals = new SuperpeerRefusals(superpeers);
    }

    /**
     * Sends a command to the superpeer believed to lead.
     *
     * @param command to be applied by the cell; may be applied even without a reply
     * @return the reply, as of {@link #send(Command, long)}; null after a second without an answer
     */
    public CompletableFuture<@Nullable CommandReply> send(Command command) {
        return send(command, ANSWER_NS);
    }

    /**
     * Sends a command to the superpeer believed to lead.
     *
     * @param command to be applied by the cell; may be applied even without a reply
     * @param mostNs longest wait for an answer in nanoseconds, at most a second counts
     * @return the reply, or null if the application of the command is uncertain: the superpeer does not lead, or gave
     *     no answer in time. The next call asks a different superpeer. The future fails with a {@link
     *     MissingRightException} alone, if this process may not send the command
     */
    public CompletableFuture<@Nullable CommandReply> send(Command command, long mostNs) {
        int superpeer = target();
        if (superpeer == self) {
            return CompletableFuture.completedFuture(reply(superpeer, null, null));
        }
        try {
            return requests.request(CellMessages.nid(superpeer), CellMessages.COMMAND, command,
                Math.clamp(mostNs, 1, ANSWER_NS))
                .handle((answer, failure) -> reply(superpeer, answer, failure));
        } catch (NetworkException e) {                          // the request was not sent
            return CompletableFuture.completedFuture(reply(superpeer, null, e));
        }
    }

    /** Returns the superpeer believed to lead; a superpeer that has been removed does not lead. */
    private int target() {
        final int believed = target.get();
        final SuperpeerSet now = superpeers.get();
        if (now.rows().isEmpty() || now.row(believed) != null) {
            return believed;
        }
        target.compareAndSet(believed, Math.max(now.after(believed), 0));
        return target.get();
    }

    private @Nullable CommandReply reply(int superpeer, @Nullable CommandAnswer answer, @Nullable Throwable failure) {
        final MissingRightException denied = Denials.in(failure);
        if (denied != null) {
            throw denied;
        }
        if (failure != null) {
            refusals.failed(superpeer, failure);
        } else if (answer != null) {
            refusals.answered(superpeer);
        }
        if (failure != null || answer == null || answer.reply() == null) {
            target.compareAndSet(superpeer, Math.max(superpeers.get().after(superpeer), 0));
            return null;
        }
        return answer.reply();
    }

    /**
     * {@return why a majority of the superpeers refuses this node for good; null if no majority does, as far as the
     * superpeers were asked}
     */
    public @Nullable String misfit() {
        return refusals.ofMajority();
    }

    /** {@return number of the superpeer that is believed to lead} */
    public int leading() {
        return target.get();
    }

    /**
     * Records which superpeer leads.
     *
     * @param superpeer number of the superpeer
     */
    public void leads(int superpeer) {
        target.set(superpeer);
    }
}
