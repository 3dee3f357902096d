package io.teff.cluster.client;

import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.operation.WaitMessages;
import io.teff.cluster.operation.WaitMessages.Place;
import io.teff.cluster.operation.WaitMessages.Question;
import io.teff.engine.Cid;
import io.teff.engine.os.Deadline;
import io.teff.engine.os.KeptInterrupt;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * The questions of one stream of changes that wait at the owners of the watched partitions: one for each owner. A wait
 * ends with the first answer; the questions at other owners stay there for the next wait.
 *
 * <p>The end of a wait says that the stream should ask for changes, and nothing else. So each doubt ends the wait: an
 * owner that has failed, is no longer the owner, or takes no question. The caller pauses between waits without a
 * change. For one thread; {@link #close} is for any thread.
 */
final class ChangeAwait implements AutoCloseable {
    private static final int WAIT_MS = 10_000;
    /** An owner that is alive answers within this time. */
    private static final long ANSWER_NS = TimeUnit.MILLISECONDS.toNanos(WAIT_MS) + TimeUnit.SECONDS.toNanos(5);
    /** How often a wait looks whether the owners are still the owners. */
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(250);

    private final ClusterClient client;
    private final Map<NodeRef, CompletableFuture<WaitMessages.Answer>> open = new ConcurrentHashMap<>();
    private final CompletableFuture<WaitMessages.Answer> closing = new CompletableFuture<>();

    ChangeAwait(ClusterClient client) {
        this.client = client;
    }

    /**
     * Waits until there may be a change behind what is known, the time is over, or this object is closed.
     *
     * @param known the watched partitions
     */
    void await(List<Place> known, Deadline limit) {
        final Map<NodeRef, List<Place>> wanted = new HashMap<>();
        for (Place place : known) {
            final NodeRef owner = client.tables().owner(Cid.nid(place.root()));
            if (owner == null) {
                return;                                         // the next question waits for an owner
            }
            wanted.computeIfAbsent(owner, _ -> new ArrayList<>()).add(place);
        }
        forget(wanted.keySet());
        open.values().removeIf(CompletableFuture::isDone);      // an answer to what was known before
        for (Map.Entry<NodeRef, List<Place>> each : wanted.entrySet()) {
            if (!open.containsKey(each.getKey()) && !ask(each.getKey(), each.getValue())) {
                return;
            }
        }
        final CompletableFuture<Object> first = CompletableFuture.anyOf(Stream.concat(open.values().stream(),
            Stream.of(closing)).toArray(CompletableFuture[]::new));
        try (KeptInterrupt interrupt = KeptInterrupt.begin()) {
            boolean hasEnded = limit.isOver();
            while (!hasEnded) {
                hasEnded = hasAnswer(first, interrupt, Math.min(limit.leftNs(), LOOK_NS)) || limit.isOver()
                    || !areOwners(known);
            }
        }
    }

    /** Ends the questions at other nodes. */
    private void forget(Set<NodeRef> owners) {
        open.forEach((owner, answer) -> {
            if (!owners.contains(owner)) {
                open.remove(owner);
                answer.cancel(false);
            }
        });
    }

    private boolean ask(NodeRef owner, List<Place> places) {
        final Network used = client.network();
        try {
            open.put(owner, used.request(owner.nid(), WaitMessages.WAIT, new Question(WAIT_MS, places), ANSWER_NS));
            if (closing.isDone()) {
                forget(Set.of());
            }
            return true;
        } catch (NetworkException e) {
            client.failed(used, e);
            return false;
        }
    }

    private static boolean hasAnswer(CompletableFuture<Object> first, KeptInterrupt interrupt, long ns) {
        try {
            first.get(ns, TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException _) {
            return false;
        } catch (InterruptedException _) {
            interrupt.keepThrown();
            return false;
        } catch (ExecutionException _) {
            return true;                                        // the next question finds out what has failed
        }
    }

    private boolean areOwners(List<Place> known) {
        return client.isOpen() && known.stream().allMatch(place -> {
            final NodeRef owner = client.tables().owner(Cid.nid(place.root()));
            return owner != null && open.containsKey(owner);
        });
    }

    /** Ends the wait and the questions. Idempotent. */
    @Override
    public void close() {
        closing.complete(new WaitMessages.Answer(WaitMessages.Answer.CHANGED));
        forget(Set.of());
    }
}
