package io.teff.cluster.cell;

import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.CommandAnswer;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.Reply;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.message.NetworkException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands to the superpeer that leads, as far as it is known. A command is sent once for each call; the caller
 * repeats it until there is a reply, because commands may be repeated. Thread-safe.
 */
public final class CellClient {
    private static final int NONE = -1;
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(1);

    private final Network network;
    private final int superpeers;
    private final int self;
    private final AtomicInteger target = new AtomicInteger();

    /**
     * Creates a client.
     *
     * @param network of the node
     * @param superpeers number of superpeers
     */
    public CellClient(Network network, int superpeers) {
        this(network, superpeers, NONE);
    }

    /**
     * Creates the client of a superpeer, which sends nothing to itself.
     *
     * @param network of the superpeer
     * @param superpeers number of superpeers
     * @param self number of the superpeer
     */
    public CellClient(Network network, int superpeers, int self) {
        this.network = network;
        this.superpeers = superpeers;
        this.self = self;
    }

    /**
     * Sends a command to the superpeer that is believed to lead.
     *
     * @param command the command
     * @return the reply, or null if it is not known whether the command was applied: the superpeer does not lead, or
     *     gave no answer within a second. The next call asks another superpeer. Never fails
     */
    public CompletableFuture<@Nullable Reply> send(Command command) {
        int superpeer = target.get();
        if (superpeer == self) {
            return CompletableFuture.completedFuture(reply(superpeer, null, null));
        }
        try {
            return network.request(CellMessages.nid(superpeer), CellMessages.COMMAND, command, ANSWER_NS)
                .handle((answer, failure) -> reply(superpeer, answer, failure));
        } catch (NetworkException e) {                          // it was not sent
            return CompletableFuture.completedFuture(reply(superpeer, null, e));
        }
    }

    private @Nullable Reply reply(int superpeer, @Nullable CommandAnswer answer, @Nullable Throwable failure) {
        if (failure != null || answer == null || answer.reply() == null) {
            target.compareAndSet(superpeer, (superpeer + 1) % superpeers);
            return null;
        }
        return answer.reply();
    }

    /** {@return number of the superpeer that is believed to lead} */
    public int leading() {
        return target.get();
    }

    /**
     * Notes which superpeer leads.
     *
     * @param superpeer number of the superpeer
     */
    public void leads(int superpeer) {
        target.set(superpeer);
    }
}
