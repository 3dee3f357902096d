package io.teff.cluster.superpeer;

import io.teff.cluster.access.SessionCaller;
import io.teff.cluster.consensus.SuperpeerLog;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.ServiceAnswer;
import io.teff.cluster.message.ServiceRequest;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.RegistryChange;
import io.teff.cluster.meta.RegistryReply;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.message.Answer;
import io.teff.cluster.net.message.HandledBy;
import io.teff.cluster.registry.NameRow;
import io.teff.cluster.registry.Registry;
import io.teff.cluster.registry.RegistryLimits;
import io.teff.cluster.registry.RegistryResult;
import io.teff.cluster.registry.RegistryStep;
import io.teff.cluster.registry.StepCode;
import io.teff.engine.os.Clock;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A superpeer's answers to clients of services. Only the leading superpeer answers.
 *
 * <p><b>Steps</b> become commands of the replicated log. A step of a session that has ended is refused without a
 * command, and so is a step above {@link #UNDER_WAY_MAX}: a refused step costs the log nothing.
 *
 * <p><b>Reads</b> wait for one command that changes nothing, {@link StepCode#LOOK}: a superpeer that was deposed
 * without knowing it cannot commit the command, so no read is older than a change that was acknowledged before. All
 * reads that arrive while such a command is on its way share the next one.
 *
 * <p><b>Signs of life</b> of many sessions share one command in the same way.
 *
 * <p><b>Waits</b> keep their request until the registry has what they wait for, or their time is over. No thread waits.
 *
 * <p>Thread-safe.
 */
final class ServiceAnswers {
    /** Most steps under way: with more, the log would refuse some, and clients would look for another leader. */
    static final int UNDER_WAY_MAX = 512;
    /** Most waiting requests, of some hundred bytes each. */
    static final int WAITING_MAX = 4_096;
    /** Most waiting requests of one principal, or of one client without a principal. */
    static final int WAITING_OF_ONE_MAX = WAITING_MAX / 8;
    /** Longest wait of a request in milliseconds. */
    static final int WAIT_MS_MAX = 10_000;
    /** Most names, changes or values of an answer. */
    private static final int ROWS_MAX = 1_024;
    private static final long ROW_BYTES_MAX = 1L << 20;
    /** Most sessions in one sign of life, so that the command fits into the log. */
    private static final int BEATS_MAX = 4_096;
    private static final int THREADS = 2;

    private final SuperpeerLog log;
    private final Clock clock;
    private final BooleanSupplier isServing;
    private final AtomicInteger underWay = new AtomicInteger();
    private final Shared looks = new Shared(this::lookStep, Integer.MAX_VALUE);
    private final Shared beats = new Shared(this::beatStep, BEATS_MAX);
    private final TemporaryShares shares = new TemporaryShares();
    private final List<Wait> waiting = new ArrayList<>();
    private long seen = -1;

    /** A request with its answer. */
    private record Asked(ServiceRequest request, Answer<ServiceAnswer> answer, Object asker) {
        /** Returns whether the step gives a name a time to live. */
        boolean isTemporary() {
            return request.step().code() == StepCode.PUT && request.step().third() > 0;
        }
    }

    /** A request that waits. Guarded by the list. */
    private static final class Wait {
        private final Answer<ServiceAnswer> answer;
        private final Object asker;
        private final long untilNs;
        private RegistryStep step;

        Wait(Asked asked, long untilNs) {
            answer = asked.answer();
            asker = asked.asker();
            step = asked.request().step();
            this.untilNs = untilNs;
        }

        /** Looks at the registry. A watcher looks at each change once. */
        ServiceAnswer look(Registry registry) {
            final ServiceAnswer found = read(registry, step);
            if (step.code() == StepCode.WATCH && found.code() == ServiceAnswer.WAITED) {
                step = RegistryStep.of(StepCode.WATCH, found.first(), step.name());
            }
            return found;
        }
    }

    ServiceAnswers(SuperpeerLog log, Clock clock, BooleanSupplier isServing) {
        this.log = log;
        this.clock = clock;
        this.isServing = isServing;
    }

    /** Registers the handler. Its threads never wait. */
    void register(Network network) {
        network.answerLater(CellMessages.SERVICE, HandledBy.pool("teff-services", THREADS),
            (_, request, answer) -> {
                CellRights.check(request.step());
                answer(request, answer);
            });
    }

    /** Answers a request, now or later. */
    void answer(ServiceRequest request, Answer<ServiceAnswer> answer) {
        final SessionCaller caller = SessionCaller.now();
        final Asked asked = new Asked(request, answer, caller == null ? answer.from() : caller.name());
        if (!isServing.getAsBoolean() || !log.isLeading()) {
            shares.clear();
            answer.complete(ServiceAnswer.of(ServiceAnswer.NOT_LEADING));
            return;
        }
        switch (request.step().code()) {
            case StepCode.GET, StepCode.LIST, StepCode.VALUES -> looks.add(asked);
            case StepCode.BEAT -> beats.add(asked);
            case StepCode.HOLDER -> {
                if (request.waitMs() > 0) {
                    await(asked);
                } else {
                    looks.add(asked);
                }
            }
            case StepCode.WATCH, StepCode.AWAIT -> await(asked);
            default -> {
                if (StepCode.isOfClients(request.step().code())) {
                    change(asked);
                } else {
                    answer.complete(ServiceAnswer.of(RegistryResult.MALFORMED));
                }
            }
        }
    }

    // ---- steps ----

    private void change(Asked asked) {
        final RegistryStep step = asked.request().step();
        final ServiceAnswer refusal = log.read(machine -> refusal(machine.registry(), asked.request()));
        if (refusal != null) {
            asked.answer().complete(refusal);
        } else if (underWay.incrementAndGet() > UNDER_WAY_MAX) {
            underWay.decrementAndGet();
            asked.answer().complete(ServiceAnswer.of(ServiceAnswer.OVERLOADED));
        } else if (asked.isTemporary() && !shares.take(asked.asker(), step, this::name)) {
            underWay.decrementAndGet();
            asked.answer().complete(ServiceAnswer.of(RegistryResult.overShare()));
        } else {
            propose(step, result -> {
                underWay.decrementAndGet();
                if (asked.isTemporary()) {
                    shares.ended(asked.asker(), step, result.code() == RegistryResult.DONE ? result.first() : 0);
                }
                asked.answer().complete(result);
                wake();
            });
        }
    }

    private @Nullable NameRow name(String name) {
        return log.read(machine -> machine.registry().name(name));
    }

    /** Returns why a step is refused without a command, or null. */
    private static @Nullable ServiceAnswer refusal(Registry registry, ServiceRequest request) {
        final RegistryStep step = request.step();
        if (step.value().length > RegistryLimits.VALUE_BYTES_MAX
            || step.code() >= StepCode.PUT && step.code() <= StepCode.LEAVE && !RegistryLimits.isName(step.name())) {
            return ServiceAnswer.of(RegistryResult.MALFORMED);
        }
        if (step.code() == StepCode.OPEN || step.code() == StepCode.RAISE
            || registry.isOpen(step.session(), request.key())) {
            return null;
        }
        return ServiceAnswer.of(step.session() > registry.revision() ? ServiceAnswer.NOT_LEADING
            : RegistryResult.EXPIRED);
    }

    private void propose(RegistryStep step, Consumer<ServiceAnswer> then) {
        final CompletableFuture<CommandReply> reply = log.propose(new RegistryChange(step));
        var _ = reply.whenComplete((applied, _) -> then.accept(applied instanceof RegistryReply known
            ? ServiceAnswer.of(known.result()) : ServiceAnswer.of(ServiceAnswer.UNKNOWN)));
    }

    // ---- commands for many requests ----

    /** Requests that share a command: those that arrive while a command is on its way have the next. */
    private static final class Shared {
        private final Consumer<List<Asked>> command;
        private final int most;
        private final List<Asked> next = new ArrayList<>();
        private boolean isUnderWay;

        Shared(Consumer<List<Asked>> command, int most) {
            this.command = command;
            this.most = most;
        }

        void add(Asked asked) {
            synchronized (next) {
                next.add(asked);
            }
            begin();
        }

        private void begin() {
            final List<Asked> now;
            synchronized (next) {
                if (isUnderWay || next.isEmpty()) {
                    return;
                }
                isUnderWay = true;
                final List<Asked> first = next.subList(0, Math.min(most, next.size()));
                now = List.copyOf(first);
                first.clear();
            }
            command.accept(now);
        }

        void end() {
            synchronized (next) {
                isUnderWay = false;
            }
            begin();
        }
    }

    private void lookStep(List<Asked> asked) {
        propose(RegistryStep.of(StepCode.LOOK, 0, ""), result -> {
            looks.end();
            for (Asked each : asked) {
                each.answer().complete(result.code() != RegistryResult.DONE ? result : log.read(machine ->
                    machine.registry().revision() < result.first() ? ServiceAnswer.of(ServiceAnswer.NOT_LEADING)
                        : read(machine.registry(), each.request().step())));
            }
        });
    }

    private void beatStep(List<Asked> asked) {
        final List<Asked> living = new ArrayList<>();
        for (Asked each : asked) {
            final ServiceAnswer refusal = log.read(machine -> refusal(machine.registry(), each.request()));
            if (refusal == null) {
                living.add(each);
            } else {
                each.answer().complete(refusal);
            }
        }
        if (living.isEmpty()) {
            beats.end();
            return;
        }
        final ByteBuffer sessions = ByteBuffer.allocate(living.size() * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        living.forEach(each -> sessions.putLong(each.request().step().session()));
        propose(new RegistryStep(StepCode.RENEW, 0, 0, 0, 0, 0, "", sessions.array()), result -> {
            beats.end();
            for (Asked each : living) {
                final boolean isOpen = log.read(machine -> machine.registry()
                    .isOpen(each.request().step().session(), each.request().key()));
                each.answer().complete(result.code() != RegistryResult.DONE || isOpen ? result
                    : ServiceAnswer.of(RegistryResult.EXPIRED));
            }
        });
    }

    private static ServiceAnswer read(Registry registry, RegistryStep step) {
        return ServiceReads.of(registry, step, ROWS_MAX, ROW_BYTES_MAX);
    }

    // ---- waits ----

    private void await(Asked asked) {
        final ServiceAnswer now = log.read(machine -> read(machine.registry(), asked.request().step()));
        if (now.code() != ServiceAnswer.WAITED || asked.request().waitMs() <= 0) {
            asked.answer().complete(now);
            return;
        }
        final long ns = TimeUnit.MILLISECONDS.toNanos(Math.min(asked.request().waitMs(), WAIT_MS_MAX));
        synchronized (waiting) {
            if (waiting.size() < WAITING_MAX && (waiting.size() < WAITING_OF_ONE_MAX || waiting.stream()
                .filter(wait -> wait.asker.equals(asked.asker())).count() < WAITING_OF_ONE_MAX)) {
                waiting.add(new Wait(asked, clock.nowNs() + ns));
                seen = -1;                                      // a change may have come meanwhile
                return;
            }
        }
        asked.answer().complete(ServiceAnswer.of(ServiceAnswer.OVERLOADED));
    }

    /** Answers the waits with a result, and the waits whose time is over. */
    void wake() {
        final List<Runnable> answers = new ArrayList<>();
        synchronized (waiting) {
            if (waiting.isEmpty()) {
                return;
            }
            final boolean isLeading = log.isLeading();
            final long nowNs = clock.nowNs();
            final long revision = log.read(machine -> machine.registry().revision());
            final boolean isChanged = revision != seen;
            seen = revision;
            for (Iterator<Wait> each = waiting.iterator(); each.hasNext(); ) {
                final Wait wait = each.next();
                final ServiceAnswer found = !isLeading ? ServiceAnswer.of(ServiceAnswer.NOT_LEADING)
                    : !isChanged && nowNs - wait.untilNs < 0 ? ServiceAnswer.of(ServiceAnswer.WAITED)
                    : log.read(machine -> wait.look(machine.registry()));
                if (found.code() != ServiceAnswer.WAITED || nowNs - wait.untilNs >= 0) {
                    each.remove();
                    answers.add(() -> wait.answer.complete(found));
                } else if (!wait.answer.isOpen()) {
                    each.remove();
                }
            }
        }
        answers.forEach(Runnable::run);
    }
}
