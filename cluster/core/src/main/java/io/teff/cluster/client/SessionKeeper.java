package io.teff.cluster.client;

import io.teff.cluster.cell.CellClient;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.SessionBeat;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.Reply;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.message.NetworkException;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Has a session while the client changes something: opens one with the first change, gives every superpeer a sign of
 * life each three seconds, and opens another one with the next change if the cell has ended it. Thread-safe.
 */
final class SessionKeeper {
    private static final long BEAT_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(2);

    private final Supplier<Network> network;
    private final Supplier<CellClient> cell;
    private final int superpeers;
    private final RandomGenerator chance;
    private final Clock clock;
    private volatile @Nullable ClientSession current;
    /** Key of the session that is being opened. Guarded by this. */
    private long key;
    private long beatNs;

    SessionKeeper(Supplier<Network> network, Supplier<CellClient> cell, int superpeers, RandomGenerator chance,
                  Clock clock) {
        this.network = network;
        this.cell = cell;
        this.superpeers = superpeers;
        this.chance = chance;
        this.clock = clock;
        key = chance.nextLong();
        beatNs = clock.nowNs();
    }

    /**
     * Returns the session, and opens one if there is none. Threads that do so at the same time send one command, with
     * one key, and so get the same session.
     *
     * @throws RuntimeException if the call is over, or the cell refuses
     */
    ClientSession session(Call call, ClusterClient client) {
        while (true) {
            final ClientSession known = current;
            if (known != null && !known.isLost()) {
                return known;
            }
            final long with = key();
            switch (client.ask(call, new Command.ClientOpen(with))) {
                case Reply.SessionOpened opened -> opened(with, opened.session());
                case Reply.Refused refused -> throw new StoreException(Category.RETRY, "no session: "
                    + refused.reason());
                case null, default -> {
                    call.failed("no superpeer has opened a session", null);
                    call.pause();
                }
            }
        }
    }

    private synchronized long key() {
        return key;
    }

    private synchronized void opened(long with, int number) {
        if (with == key && (current == null || current.isLost())) {
            current = new ClientSession(number);
        }
    }

    /** The cell has ended a session: the next change opens another one. */
    synchronized void lost(ClientSession session) {
        if (!session.isLost()) {
            session.lose();
            key = chance.nextLong();
        }
    }

    /** Gives signs of life if they are due; by one thread. */
    void beat() {
        final ClientSession known = current;
        if (known == null || known.isLost() || clock.nowNs() - beatNs < BEAT_NS) {
            return;
        }
        beatNs = clock.nowNs();
        for (int superpeer = 0; superpeer < superpeers; superpeer++) {
            try {
                var _ = network.get().request(CellMessages.nid(superpeer), CellMessages.SESSION,
                    new SessionBeat(known.number()), ANSWER_NS).thenAccept(answer -> {
                        if (answer.hasEnded()) {
                            lost(known);
                        }
                    });
            } catch (NetworkException _) {
                continue;                                       // the others, and the next one, may be reached
            }
        }
    }

    /** Ends the session; if the superpeer that leads does not receive that, its lease does. */
    void close() {
        final ClientSession known = current;
        if (known != null && !known.isLost()) {
            var _ = cell.get().send(new Command.ClientGone(known.number()));
        }
    }
}
