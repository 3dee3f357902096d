package io.teff.cluster.client;

import io.teff.cluster.cell.CellClient;
import io.teff.cluster.cell.Requests;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.SessionBeat;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.SuperpeerRow;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.net.message.NetworkException;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.Clock;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a session while the client changes something. The first change opens the session. Every superpeer receives a
 * sign of life each three seconds. After the cell has ended the session, the next change opens a new session.
 * Thread-safe.
 */
final class SessionKeeper {
    private static final long BEAT_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(2);

    private final Requests network;
    private final CellClient cell;
    private final Supplier<SuperpeerSet> superpeers;
    private final RandomGenerator chance;
    private final Clock clock;
    private volatile @Nullable ClientSession current;
    /** Key of the session while the session is being opened. Guarded by this. */
    private long key;
    private long beatNs;

    SessionKeeper(Requests network, CellClient cell, Supplier<SuperpeerSet> superpeers,
                  RandomGenerator chance, Clock clock) {
        this.network = network;
        this.cell = cell;
        this.superpeers = superpeers;
        this.chance = chance;
        this.clock = clock;
        key = chance.nextLong();
        beatNs = clock.nowNs();
    }

    /**
     * Returns the session, and opens a session if necessary. Threads that call this method at the same time send one
     * command with one key, and so receive the same session.
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
                case CommandReply.SessionOpened opened -> opened(with, opened.session());
                case CommandReply.Refused refused -> throw new StoreException(Category.RETRY, "no session: "
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

    /** The cell has ended a session: the next change opens a new session. */
    synchronized void lost(ClientSession session) {
        if (!session.isLost()) {
            session.lose();
            key = chance.nextLong();
        }
    }

    /** Sends due signs of life; called by one thread. */
    void beat() {
        final ClientSession known = current;
        if (known == null || known.isLost() || clock.nowNs() - beatNs < BEAT_NS) {
            return;
        }
        beatNs = clock.nowNs();
        for (SuperpeerRow row : superpeers.get().rows()) {
            try {
                var _ = network.request(CellMessages.nid(row.number()), CellMessages.SESSION,
                    new SessionBeat(known.number()), ANSWER_NS).thenAccept(answer -> {
                        if (answer.hasEnded()) {
                            lost(known);
                        }
                    });
            } catch (NetworkException _) {
                continue;                                       // the next superpeer may be reached
            }
        }
    }

    /** Ends the session. If the leading superpeer does not receive the message, the session ends with its lease. */
    void close() {
        final ClientSession known = current;
        if (known != null && !known.isLost()) {
            var _ = cell.send(new Command.ClientGone(known.number()));
        }
    }
}
