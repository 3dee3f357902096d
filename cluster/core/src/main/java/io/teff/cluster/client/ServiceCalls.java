package io.teff.cluster.client;

import io.teff.cluster.UnknownOutcomeException;
import io.teff.cluster.cell.CellClient;
import io.teff.cluster.cell.ClientNetwork;
import io.teff.cluster.client.ClientSession.Turn;
import io.teff.cluster.client.ServiceSession.Sent;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.ServiceAnswer;
import io.teff.cluster.message.ServiceRequest;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.registry.RegistryResult;
import io.teff.cluster.registry.RegistryStep;
import io.teff.cluster.registry.StepCode;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Platform;
import io.teff.engine.os.Threads;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A client's requests for services, and the session of its changes. The first change opens the session and starts a
 * thread. The thread renews the session, and ends what calls have left behind: a place whose call has passed its
 * deadline would otherwise be granted to no thread. Thread-safe.
 */
final class ServiceCalls implements AutoCloseable {
    /** Renewals in a lease. */
    private static final int BEATS = 4;
    private static final long ANSWER_NS = TimeUnit.SECONDS.toNanos(1);
    /** Pause after a renewal without an answer. */
    private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ClusterClient client;
    private final ClientNetwork network;
    private final CellClient cell;
    private final Supplier<SuperpeerSet> superpeers;
    private final RandomGenerator chance;
    private final Clock clock;
    private final Threads threads;
    private final long leaseNs;
    private final Queue<Left> leftovers = new ConcurrentLinkedQueue<>();
    private volatile @Nullable ServiceSession current;
    /** Key of the session that is being opened, and when it was first sent. Guarded by this. */
    private @Nullable Opening opening;
    private @Nullable Thread thread;
    private volatile boolean isClosed;

    /** A session that is being opened. */
    private record Opening(long key, Sent sent) {}

    /** A step with an unknown outcome; its slot, if it has one yet, is occupied until the outcome is known. */
    private record Left(ServiceSession session, RegistryStep step, @Nullable Turn turn) {}

    /** The result of a change, and its session. */
    record Done(ServiceSession session, ServiceAnswer answer) {}

    ServiceCalls(ClusterClient client, ClientNetwork network, CellClient cell, Supplier<SuperpeerSet> superpeers,
                 Platform platform, long leaseNs) {
        this.client = client;
        this.network = network;
        this.cell = cell;
        this.superpeers = superpeers;
        chance = platform.chance();
        clock = platform.clock();
        threads = platform.threads();
        this.leaseNs = leaseNs;
    }

    long leaseNs() {
        return leaseNs;
    }

    Clock clock() {
        return clock;
    }

    Call call(String what) {
        return client.call(what);
    }

    // ---- one attempt ----

    /** Sends a request once. Returns null if it may have been done; NOT_LEADING if it was not done. */
    private @Nullable ServiceAnswer attempt(Call call, ServiceRequest request, long mostNs) {
        client.checkOpen();
        final int superpeer = cell.leading();
        final CompletableFuture<ServiceAnswer> future;
        try {
            future = network.request(CellMessages.nid(superpeer), CellMessages.SERVICE, request, Math.max(mostNs, 1));
        } catch (NetworkException e) {
            call.failed(FailureText.of(e), e);
            next(superpeer);
            return ServiceAnswer.of(ServiceAnswer.NOT_LEADING);
        }
        final ServiceAnswer answer = await(call, future, mostNs);
        if (answer == null || answer.code() == ServiceAnswer.NOT_LEADING || answer.code() == ServiceAnswer.UNKNOWN) {
            next(superpeer);
        }
        return answer != null && answer.code() == ServiceAnswer.UNKNOWN ? null : answer;
    }

    private @Nullable ServiceAnswer await(Call call, CompletableFuture<ServiceAnswer> future, long mostNs) {
        final long startNs = clock.nowNs();
        while (true) {
            final long leftNs = mostNs - (clock.nowNs() - startNs);
            try {
                return future.get(Math.clamp(leftNs, 1, LOOK_NS), TimeUnit.NANOSECONDS);
            } catch (TimeoutException _) {
                client.checkOpen();
                if (leftNs <= 0) {
                    future.cancel(false);
                    call.unanswered("the leading superpeer has not answered");
                    return null;
                }
            } catch (InterruptedException _) {
                call.interrupt().keepThrown();
            } catch (ExecutionException e) {
                client.checkOpen();
                final Throwable cause = e.getCause() == null ? e : e.getCause();
                call.failed(FailureText.of(cause), cause);
                return cause instanceof NetworkException failure && isUnsent(failure)
                    ? ServiceAnswer.of(ServiceAnswer.NOT_LEADING) : null;
            }
        }
    }

    private static boolean isUnsent(NetworkException failure) {
        return switch (failure.reason()) {
            case UNREACHABLE, REFUSED, NO_HANDLER, MISFIT, TAKEN, DENIED -> true;
            default -> false;
        };
    }

    /** Asks the next superpeer from now on. */
    private void next(int superpeer) {
        if (cell.leading() == superpeer) {
            cell.leads(Math.max(superpeers.get().after(superpeer), 0));
        }
    }

    // ---- questions ----

    /**
     * Asks until there is an answer.
     *
     * @param waitNs how long the superpeer may wait for a change
     */
    ServiceAnswer ask(Call call, RegistryStep step, long waitNs) {
        while (true) {
            final long answerNs = Math.min(ANSWER_NS / 2, call.leftNs() / 4);
            final long restNs = Math.max(Math.min(waitNs, call.leftNs() - answerNs), 0);
            final int waitMs = (int) TimeUnit.NANOSECONDS.toMillis(restNs);
            final ServiceAnswer answer = attempt(call, new ServiceRequest(0, waitMs, step),
                Math.min(restNs + ANSWER_NS, call.leftNs()));
            if (answer != null && answer.code() != ServiceAnswer.NOT_LEADING
                && answer.code() != ServiceAnswer.OVERLOADED) {
                return answer;
            }
            call.pause();
        }
    }

    // ---- changes ----

    /** Makes a change in the present session, or in the next if the session has ended before. */
    Done change(Call call, RegistryStep step) {
        while (true) {
            final ServiceSession session = session(call);
            final ServiceAnswer answer = changeIn(call, session, step);
            if (answer.code() != RegistryResult.EXPIRED) {
                return new Done(session, answer);
            }
            if (call.mayBeDone()) {
                throw call.sessionLost();
            }
            call.failed("the session of this client has ended", null);
            call.pause();
        }
    }

    /** Makes a change in a session. Returns EXPIRED if the session has ended. */
    ServiceAnswer changeIn(Call call, ServiceSession session, RegistryStep step) {
        final Turn turn = turn(call, session);
        final RegistryStep sent = step.in(session.number, turn.ticket());
        boolean isLeft = false;
        try {
            while (true) {
                final ServiceAnswer answer = session.isLost() ? ServiceAnswer.of(RegistryResult.EXPIRED)
                    : attempt(call, new ServiceRequest(session.key, 0, sent), Math.min(ANSWER_NS, call.leftNs()));
                if (answer == null) {
                    call.isUnknown();
                } else if (answer.code() == RegistryResult.EXPIRED) {
                    session.lose();
                    return answer;
                } else if (answer.code() >= 0) {
                    call.settled();
                    return answer;
                }
                call.pause();
            }
        } catch (RuntimeException e) {
            isLeft = call.mayBeDone() || step.code() == StepCode.LEAVE;
            if (isLeft) {
                leftovers.add(new Left(session, sent, turn));
                wakeThread();
            }
            throw e;
        } finally {
            if (!isLeft) {
                turn.end();
            }
        }
    }

    /** Leaves a place later, in the thread of this client. */
    void leaveLater(ServiceSession session, String name, long place) {
        leftovers.add(new Left(session, RegistryStep.of(StepCode.LEAVE, place, name), null));
        wakeThread();
    }

    /** Leaves a place, in this call or later. */
    void leave(ServiceSession session, String name, long place) {
        try (Call call = call("leave the queue of " + name)) {
            changeIn(call, session, RegistryStep.of(StepCode.LEAVE, place, name));
        } catch (StoreException | UnknownOutcomeException _) {
            wakeThread();                                       // the step is among the leftovers
        }
    }

    private Turn turn(Call call, ServiceSession session) {
        while (true) {
            Turn turn = session.slots.take(0);
            try {
                turn = turn == null ? session.slots.await(0, Math.min(LOOK_NS, call.leftNs())) : turn;
            } catch (InterruptedException _) {
                call.interrupt().keepThrown();
            }
            if (turn != null) {
                return turn;
            }
            client.checkOpen();
            call.failed("the client has 64 changes of services under way", null);
            if (call.isOver()) {
                throw call.timedOut();
            }
        }
    }

    // ---- the session ----

    private ServiceSession session(Call call) {
        while (true) {
            final ServiceSession known = current;
            if (known != null && !known.isLost()) {
                return known;
            }
            final Opening now = opening();
            final ServiceAnswer answer = attempt(call, new ServiceRequest(now.key(), 0, new RegistryStep(StepCode.OPEN,
                0, 0, now.key(), TimeUnit.NANOSECONDS.toMillis(leaseNs), 0, "", RegistryStep.NONE)),
                Math.min(ANSWER_NS, call.leftNs()));
            if (answer != null && answer.code() == RegistryResult.DONE) {
                opened(now, answer.first());
                continue;
            }
            if (answer != null && answer.code() > 0) {
                throw new StoreException(Category.DEGRADED, "no session for services: " + text(answer));
            }
            call.pause();
        }
    }

    private synchronized Opening opening() {
        if (opening == null) {
            opening = new Opening(chance.nextLong(), Sent.now(clock));
        }
        return opening;
    }

    private synchronized void opened(Opening now, long number) {
        if (now.equals(opening)) {
            opening = null;
            current = new ServiceSession(number, now.key(), leaseNs, now.sent(), clock);
            if (thread == null && !isClosed) {
                thread = threads.create("teff-client-services", this::run);
                thread.start();
            } else {
                LockSupport.unpark(thread);
            }
        }
    }

    /** Returns the text of a refusal. */
    static String text(ServiceAnswer answer) {
        return switch (answer.code()) {
            case RegistryResult.FULL -> answer.first() > 0 && answer.first() < RegistryResult.LIMITS.length
                ? RegistryResult.LIMITS[(int) answer.first()] : "limit " + answer.first();
            case RegistryResult.MALFORMED -> "an argument is out of range";
            case RegistryResult.MISFIT -> "the name is in use with another kind, or with another number: "
                + answer.first();
            default -> "code " + answer.code();
        };
    }

    // ---- the thread ----

    private void run() {
        while (!isClosed) {
            long restNs = AGAIN_NS;
            try (Call call = client.call("renew the session of services")) {
                final boolean isRenewed = renew(call);
                final boolean isDone = finish(call);
                restNs = isRenewed && isDone ? leaseNs / BEATS : AGAIN_NS;
            } catch (RuntimeException _) {
                restNs = AGAIN_NS;                              // closed, or refused: the loop or a call says so
            }
            final long untilNs = clock.nowNs() + restNs;
            for (long left = restNs; left > 0 && !isClosed; left = untilNs - clock.nowNs()) {
                clock.park(this, left);
                if (restNs > AGAIN_NS && !leftovers.isEmpty()) {
                    break;
                }
            }
        }
    }

    private void wakeThread() {
        final Thread running = thread();
        if (running != null) {
            LockSupport.unpark(running);
        }
    }

    private synchronized @Nullable Thread thread() {
        return thread;
    }

    private boolean renew(Call call) {
        final ServiceSession session = current;
        if (session == null || session.isLost()) {
            return true;
        }
        final Sent sent = Sent.now(clock);
        final ServiceAnswer answer = attempt(call, new ServiceRequest(session.key, 0,
            RegistryStep.of(StepCode.BEAT, 0, "").in(session.number, 0)), Math.min(ANSWER_NS, leaseNs / BEATS));
        if (answer != null && answer.code() == RegistryResult.DONE) {
            session.renewed(sent);
            return true;
        }
        if (answer != null && answer.code() == RegistryResult.EXPIRED) {
            session.lose();
            return true;
        }
        return false;
    }

    /** Finds the outcome of steps that calls have given up, and leaves their places; returns whether none is left. */
    private boolean finish(Call call) {
        for (Left left = leftovers.poll(); left != null; left = leftovers.poll()) {
            final ServiceSession session = left.session();
            final Turn turn = left.turn() == null ? session.slots.take(0) : left.turn();
            if (turn == null) {
                leftovers.add(left);
                return false;
            }
            final RegistryStep step = left.step().in(session.number, turn.ticket());
            final ServiceAnswer answer = session.isLost() ? ServiceAnswer.of(RegistryResult.EXPIRED)
                : attempt(call, new ServiceRequest(session.key, 0, step), ANSWER_NS / 2);
            if (answer == null || answer.code() < 0) {
                leftovers.add(new Left(session, step, turn));
                return false;
            }
            turn.end();
            if (step.code() == StepCode.ENTER && answer.code() == RegistryResult.DONE) {
                leaveLater(session, step.name(), answer.first());
            } else if (step.code() == StepCode.LEAVE && step.second() == 1 && answer.second() != 0) {
                leaveLater(session, step.name(), step.first()); // it was granted, and no thread waits for it
            }
        }
        return true;
    }

    // ---- the end ----

    /** Ends the session, without a wait: if no superpeer receives the message, the session ends with its lease. */
    @Override
    public void close() {
        isClosed = true;
        final ServiceSession session = current;
        final Turn turn = session == null || session.isLost() ? null : session.slots.take(0);
        if (session != null && turn != null) {
            try {
                var _ = network.request(CellMessages.nid(cell.leading()), CellMessages.SERVICE,
                    new ServiceRequest(session.key, 0, RegistryStep.of(StepCode.CLOSE, 0, "")
                        .in(session.number, turn.ticket())), ANSWER_NS);
            } catch (NetworkException _) {
                session.lose();                                 // the superpeers end it with its lease
            }
            session.lose();
        }
        wakeThread();
    }

    /** Waits for the end of the thread, after the network is closed. */
    void join() {
        final Thread running = thread();
        if (running != null) {
            Threads.join(running);
        }
    }
}
