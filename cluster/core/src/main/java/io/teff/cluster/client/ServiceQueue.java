package io.teff.cluster.client;

import io.teff.cluster.message.ServiceAnswer;
import io.teff.cluster.registry.RegistryResult;
import io.teff.cluster.registry.RegistryStep;
import io.teff.cluster.registry.StepCode;
import io.teff.cluster.service.Hold;
import io.teff.cluster.service.HoldLostException;
import io.teff.engine.os.Deadline;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** The queue of a lock, an election or a semaphore. Thread-safe. */
final class ServiceQueue {
    /** Longest wait of one request: a silent superpeer is left after this time. */
    static final long WAIT_NS = TimeUnit.SECONDS.toNanos(3);
    /** Shortest wait of a request that may wait. */
    static final long WAIT_NS_MIN = TimeUnit.MILLISECONDS.toNanos(1);

    private final ServiceCalls calls;
    private final String name;
    private final int permits;

    ServiceQueue(ServiceCalls calls, String name, int permits) {
        this.calls = calls;
        this.name = name;
        this.permits = permits;
    }

    Optional<Hold> acquire(int wanted, byte[] value, long timeoutNs) {
        final Deadline limit = Deadline.in(calls.clock(), timeoutNs);
        final long flags = timeoutNs <= 0 ? StepCode.NO_WAIT : 0;
        final RegistryStep enter = new RegistryStep(StepCode.ENTER, 0, 0, permits, wanted, flags, name, value);
        while (true) {
            final ServiceCalls.Done entered;
            try (Call call = calls.call("take a place in the queue of " + name)) {
                entered = calls.change(call, enter);
            }
            final ServiceAnswer answer = entered.answer();
            if (answer.code() == RegistryResult.BUSY) {
                return Optional.empty();
            }
            if (answer.code() != RegistryResult.DONE) {
                throw RemoteServices.refused("the queue of " + name, answer);
            }
            final long token = answer.second() != 0 ? answer.second()
                : await(calls, entered.session(), name, answer.first(), limit);
            if (token > 0) {
                return Optional.of(new Held(calls, entered.session(), name, answer.first(), token));
            }
            if (token == 0) {
                final long late = leave(entered.session(), answer.first());
                return late == 0 ? Optional.empty()
                    : Optional.of(new Held(calls, entered.session(), name, answer.first(), late));
            }
        }                                                       // the session has ended: begin again
    }

    /** Leaves the place of a vain wait; returns the token if the place was granted at the last moment. */
    private long leave(ServiceSession session, long place) {
        try (Call call = calls.call("leave the queue of " + name)) {
            final ServiceAnswer answer = calls.changeIn(call, session, new RegistryStep(StepCode.LEAVE, 0, 0, place, 1,
                0, name, RegistryStep.NONE));
            return answer.code() == RegistryResult.DONE ? answer.second() : 0;
        }
    }

    /**
     * Waits until a place is granted. Returns the token; 0 after a vain wait, -1 if there is no such place any more.
     * If the superpeers cannot be reached, the place is left later.
     */
    static long await(ServiceCalls calls, ServiceSession session, String name, long place, Deadline limit) {
        try {
            while (!session.isLost()) {
                try (Call call = calls.call("await a place in the queue of " + name)) {
                    final ServiceAnswer answer = calls.ask(call, RegistryStep.of(StepCode.AWAIT, place, name),
                        Math.min(limit.leftNs(), WAIT_NS));
                    if (answer.code() == RegistryResult.DONE) {
                        return answer.second();
                    }
                    if (answer.code() == RegistryResult.ABSENT) {
                        session.lose();
                        return -1;
                    }
                    if (limit.isOver()) {
                        return 0;
                    }
                }
            }
            return -1;
        } catch (RuntimeException e) {
            calls.leaveLater(session, name, place);
            throw e;
        }
    }

    /** A granted place. */
    private static final class Held implements Hold {
        private final ServiceCalls calls;
        private final ServiceSession session;
        private final String name;
        private final long place;
        private final long token;
        private final AtomicBoolean isClosed = new AtomicBoolean();

        Held(ServiceCalls calls, ServiceSession session, String name, long place, long token) {
            this.calls = calls;
            this.session = session;
            this.name = name;
            this.place = place;
            this.token = token;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public long token() {
            return token;
        }

        @Override
        public boolean isHeld() {
            return !isClosed.get() && session.isCertain();
        }

        @Override
        public void check() {
            if (!isHeld()) {
                throw new HoldLostException(name + ", token " + token + ": " + (isClosed.get() ? "it was closed"
                    : session.isLost() ? "the session of this client has ended"
                    : "no superpeer has answered a renewal for the lease"));
            }
        }

        @Override
        public void close() {
            if (isClosed.compareAndSet(false, true) && !session.isLost()) {
                calls.leave(session, name, place);
            }
        }

        @Override
        public String toString() {
            return "Hold[" + name + ", token " + token + ']';
        }
    }
}
