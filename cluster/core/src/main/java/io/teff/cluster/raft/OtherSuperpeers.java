package io.teff.cluster.raft;

import io.teff.cluster.cell.Requests;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.EnterAnswer;
import io.teff.cluster.message.EnterRequest;
import io.teff.cluster.message.PartRequest;
import io.teff.cluster.meta.SuperpeerRow;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.RequestType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Questions of a superpeer to all other superpeers. Answers arrive on other threads. */
final class OtherSuperpeers {
    private static final long ASK_NS = TimeUnit.SECONDS.toNanos(1);

    private final int number;
    private final String address;
    private final Supplier<SuperpeerSet> superpeers;
    private final Requests requests;

    OtherSuperpeers(int number, String address, Supplier<SuperpeerSet> superpeers, Requests requests) {
        this.number = number;
        this.address = address;
        this.superpeers = superpeers;
        this.requests = requests;
    }

    /** Asks whether the others took part in a cell. The result has null for each superpeer without an answer. */
    CompletableFuture<List<@Nullable Boolean>> parts() {
        return ask(CellMessages.PART, new PartRequest(number)).thenApply(answers -> {
            List<@Nullable Boolean> parts = new ArrayList<>();
            answers.forEach(answer -> parts.add(answer == null ? null : answer.hasPart()));
            return parts;
        });
    }

    /** Asks the leader, whichever superpeer leads, to take this superpeer in; gives the leader's answer, if any. */
    void enter(RaftId id, long cell, Consumer<EnterAnswer> taken) {
        var _ = ask(CellMessages.ENTER, new EnterRequest(id.number(), id.birth(), cell, address)).thenAccept(answers ->
            answers.stream().filter(answer -> answer != null && answer.isLeading()).findAny().ifPresent(taken));
    }

    private <Q, R> CompletableFuture<List<@Nullable R>> ask(RequestType<Q, R> type, Q question) {
        List<CompletableFuture<@Nullable R>> asked = new ArrayList<>();
        for (SuperpeerRow row : superpeers.get().rows()) {
            if (row.number() != number) {
                asked.add(ask(row.number(), type, question));
            }
        }
        return CompletableFuture.allOf(asked.toArray(CompletableFuture<?>[]::new)).thenApply(_ -> {
            List<@Nullable R> answers = new ArrayList<>();
            asked.forEach(answer -> answers.add(answer.join()));
            return answers;
        });
    }

    private <Q, R> CompletableFuture<@Nullable R> ask(int other, RequestType<Q, R> type, Q question) {
        try {
            return requests.request(CellMessages.nid(other), type, question, ASK_NS)
                .handle((answer, thrown) -> thrown == null ? answer : null);
        } catch (NetworkException _) {                          // the request was not sent
            return CompletableFuture.completedFuture(null);
        }
    }
}
