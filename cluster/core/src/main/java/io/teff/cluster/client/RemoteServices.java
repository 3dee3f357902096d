package io.teff.cluster.client;

import io.teff.cluster.message.ServiceAnswer;
import io.teff.cluster.registry.RegistryLimits;
import io.teff.cluster.registry.RegistryResult;
import io.teff.cluster.registry.RegistryStep;
import io.teff.cluster.registry.StepCode;
import io.teff.cluster.service.Barrier;
import io.teff.cluster.service.ClusterNames;
import io.teff.cluster.service.ClusterServices;
import io.teff.cluster.service.Election;
import io.teff.cluster.service.Hold;
import io.teff.cluster.service.IdSource;
import io.teff.cluster.service.NamedLock;
import io.teff.cluster.service.NamedSemaphore;
import io.teff.cluster.service.SharedCounter;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.Deadline;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.Optional;

/** The services of a cluster: each call is a few requests to the leading superpeer. Thread-safe. */
final class RemoteServices implements ClusterServices {
    private final ServiceCalls calls;
    private final ClusterNames names;

    RemoteServices(ServiceCalls calls) {
        this.calls = calls;
        names = new ServiceNames(calls);
    }

    /** Checks a name before anything is sent. */
    static String name(String text) {
        if (!RegistryLimits.isName(text)) {
            throw new IllegalArgumentException("a name of " + RegistryLimits.utf8(text)
                + " bytes; allowed are 1 to " + RegistryLimits.NAME_BYTES_MAX + " bytes of UTF-8");
        }
        return text;
    }

    /** Returns a copy of a value, after a check of its length. */
    static byte[] value(byte[] bytes, int most) {
        if (bytes.length > most) {
            throw new IllegalArgumentException("a value of " + bytes.length + " bytes; allowed are " + most);
        }
        return bytes.clone();
    }

    /** Returns the exception for a refused step. */
    static RuntimeException refused(String what, ServiceAnswer answer) {
        final String text = what + ": " + ServiceCalls.text(answer);
        return answer.code() == RegistryResult.FULL ? new StoreException(Category.DEGRADED, text)
            : new IllegalArgumentException(text);
    }

    @Override
    public ClusterNames names() {
        return names;
    }

    @Override
    public NamedLock lock(String name) {
        final ServiceQueue queue = new ServiceQueue(calls, name(name), 1);
        return timeoutNs -> queue.acquire(1, RegistryStep.NONE, timeoutNs);
    }

    @Override
    public NamedSemaphore semaphore(String name, int permits) {
        check("permits", permits, RegistryLimits.PERMITS_MAX);
        final ServiceQueue queue = new ServiceQueue(calls, name(name), permits);
        return (wanted, timeoutNs) -> {
            check("permits", wanted, permits);
            return queue.acquire(wanted, RegistryStep.NONE, timeoutNs);
        };
    }

    private static void check(String what, int number, int most) {
        if (number < 1 || number > most) {
            throw new IllegalArgumentException(what + "=" + number + " is not in 1 to " + most);
        }
    }

    @Override
    public Election election(String name) {
        return new RemoteElection(calls, name(name));
    }

    @Override
    public Barrier barrier(String name, int parties) {
        check("parties", parties, RegistryLimits.QUEUE_MAX);
        return new RemoteBarrier(calls, name(name), parties);
    }

    @Override
    public SharedCounter counter(String name) {
        return new RemoteCounter(calls, name(name));
    }

    @Override
    public IdSource ids(String name, int block) {
        check("block", block, Integer.MAX_VALUE);
        return new BlockIds(counter(name), block);
    }

    @Override
    public long leaseNs() {
        return calls.leaseNs();
    }

    /** A counter. */
    private record RemoteCounter(ServiceCalls calls, String name) implements SharedCounter {
        @Override
        public long getAndAdd(long delta) {
            try (Call call = calls.call("add to counter " + name)) {
                final ServiceAnswer answer = calls.change(call, RegistryStep.of(StepCode.ADD, delta, name)).answer();
                if (answer.code() != RegistryResult.DONE) {
                    throw refused("counter " + name, answer);
                }
                return answer.first();
            }
        }

        @Override
        public long get() {
            try (Call call = calls.call("read counter " + name)) {
                final ServiceAnswer answer = calls.ask(call, RegistryStep.of(StepCode.GET, 0, name), 0);
                final byte[] value = answer.rows().isEmpty() ? new byte[Long.BYTES]
                    : Objects.requireNonNull(answer.rows().getFirst().value());
                if (value.length != Long.BYTES) {
                    throw new IllegalArgumentException("the name " + name + " has " + value.length
                        + " bytes, and is no counter");
                }
                return ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getLong();
            }
        }
    }

    /** An election. */
    private record RemoteElection(ServiceCalls calls, String name) implements Election {
        @Override
        public Optional<Hold> lead(byte[] value, long timeoutNs) {
            return new ServiceQueue(calls, name, 1).acquire(1, RemoteServices.value(value,
                RegistryLimits.PLACE_BYTES_MAX), timeoutNs);
        }

        @Override
        public Optional<Leader> leader() {
            try (Call call = calls.call("read the leader of " + name)) {
                return leader(calls.ask(call, RegistryStep.of(StepCode.HOLDER, StepCode.ANY, name), 0));
            }
        }

        private static Optional<Leader> leader(ServiceAnswer answer) {
            return answer.rows().isEmpty() ? Optional.empty() : Optional.of(new Leader(answer.second(),
                Objects.requireNonNull(answer.rows().getFirst().value())));
        }

        @Override
        public Optional<Leader> leaderAfter(long token, long timeoutNs) {
            final Deadline limit = Deadline.in(calls.clock(), timeoutNs);
            while (true) {
                try (Call call = calls.call("await another leader of " + name)) {
                    final ServiceAnswer answer = calls.ask(call, RegistryStep.of(StepCode.HOLDER, token, name),
                        Math.clamp(limit.leftNs(), ServiceQueue.WAIT_NS_MIN, ServiceQueue.WAIT_NS));
                    if (answer.second() != token || limit.isOver()) {
                        return leader(answer);
                    }
                }
            }
        }
    }
}
