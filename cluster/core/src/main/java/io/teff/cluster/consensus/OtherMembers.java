package io.teff.cluster.consensus;

import io.teff.cluster.cell.CellClient;
import io.teff.cluster.cell.Requests;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.LogOrigin;
import io.teff.cluster.message.PartAnswer;
import io.teff.cluster.message.PartRequest;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.net.message.NetworkException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The other superpeers, as seen by a superpeer that joins the log. Calls wait for answers, for about a second. */
final class OtherMembers {
    private static final long ASK_NS = TimeUnit.SECONDS.toNanos(1);

    private final int number;
    private final int superpeers;
    private final Requests requests;
    private final CellClient cell;

    /**
     * Makes no request yet.
     *
     * @param number number of the own superpeer
     * @param superpeers number of all superpeers
     * @param requests sends requests of the own superpeer
     */
    OtherMembers(int number, int superpeers, Requests requests) {
        this.number = number;
        this.superpeers = superpeers;
        this.requests = requests;
        cell = new CellClient(requests, superpeers, number);
    }

    /** Returns for each other superpeer whether the superpeer takes part, or null without an answer. */
    List<@Nullable Boolean> parts() {
        List<@Nullable Boolean> parts = new ArrayList<>();
        ask().forEach((_, answer) -> parts.add(answer == null ? null : answer.hasPart()));
        return parts;
    }

    /** Returns the logs that other superpeers offer, by the numbers of the superpeers. */
    Map<Integer, LogOrigin> origins() {
        Map<Integer, LogOrigin> origins = new TreeMap<>();
        ask().forEach((other, answer) -> {
            LogOrigin origin = answer == null ? null : answer.origin();
            if (origin != null) {
                origins.put(other, origin);
            }
        });
        return origins;
    }

    /** Returns the answer of each other superpeer, or null without an answer. */
    private Map<Integer, @Nullable PartAnswer> ask() {
        Map<Integer, CompletableFuture<@Nullable PartAnswer>> asked = new TreeMap<>();
        for (int other = 0; other < superpeers; other++) {
            if (other != number) {
                asked.put(other, ask(other));
            }
        }
        Map<Integer, @Nullable PartAnswer> answers = new TreeMap<>();
        asked.forEach((other, answer) -> answers.put(other, answer.join()));
        return answers;
    }

    private CompletableFuture<@Nullable PartAnswer> ask(int other) {
        try {
            return requests.request(CellMessages.nid(other), CellMessages.PART, new PartRequest(number), ASK_NS)
                .handle((answer, thrown) -> thrown == null ? answer : null);
        } catch (NetworkException _) {                          // the request was not sent
            return CompletableFuture.completedFuture(null);
        }
    }

    /** Proposes a mark of the own superpeer. Returns whether the other superpeers have committed the mark. */
    boolean commit(long mark) {
        return cell.send(new Command.Newcomer(number, mark)).join() instanceof CommandReply.Done;
    }
}
