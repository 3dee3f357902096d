package io.teff.cluster.cell;

import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.SuperpeersRequest;
import io.teff.cluster.meta.SuperpeerRow;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.net.message.NetworkException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Asks superpeers for the present superpeers. */
public final class SuperpeerNews {
    private SuperpeerNews() {}

    /**
     * Asks all known superpeers: a superpeer that is unknown to this node may lead.
     *
     * @param requests sends requests
     * @param known the superpeers to ask
     * @param timeoutNs longest wait for an answer
     * @return the first later set; {@code known} if no answer has a later set. Never fails
     */
    public static CompletableFuture<SuperpeerSet> ask(Requests requests, SuperpeerSet known, long timeoutNs) {
        final CompletableFuture<SuperpeerSet> news = new CompletableFuture<>();
        final AtomicInteger open = new AtomicInteger(known.rows().size());
        for (SuperpeerRow row : known.rows()) {
            try {
                var _ = requests.request(CellMessages.nid(row.number()), CellMessages.SUPERPEERS,
                    new SuperpeersRequest(known.rows().size()), timeoutNs).whenComplete((answer, failure) -> {
                        if (failure == null && answer.superpeers().version() > known.version()) {
                            news.complete(answer.superpeers());
                        }
                        end(open, news, known);
                    });
            } catch (NetworkException _) {
                end(open, news, known);                         // the request was not sent
            }
        }
        return news;
    }

    private static void end(AtomicInteger open, CompletableFuture<SuperpeerSet> news, SuperpeerSet known) {
        if (open.decrementAndGet() == 0) {
            news.complete(known);
        }
    }
}
