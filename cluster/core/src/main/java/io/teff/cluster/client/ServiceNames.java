package io.teff.cluster.client;

import io.teff.cluster.message.ServiceAnswer.Row;
import io.teff.cluster.message.ServiceAnswer;
import io.teff.cluster.registry.RegistryLimits;
import io.teff.cluster.registry.RegistryResult;
import io.teff.cluster.registry.RegistryStep;
import io.teff.cluster.registry.StepCode;
import io.teff.cluster.service.ClusterNames;
import io.teff.cluster.service.Watch;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Names of a cluster. Thread-safe. */
final class ServiceNames implements ClusterNames {
    private static final int PAGE = 256;
    private static final int BOUND = 1;
    private static final int MORTAL = 2;

    private final ServiceCalls calls;

    ServiceNames(ServiceCalls calls) {
        this.calls = calls;
    }

    private static Entry entry(Row row) {
        return new Entry(row.name(), Objects.requireNonNull(row.value()), row.version(), (row.flags() & BOUND) != 0,
            (row.flags() & MORTAL) != 0);
    }

    @Override
    public Optional<Entry> get(String name) {
        try (Call call = calls.call("read the name " + name)) {
            return calls.ask(call, RegistryStep.of(StepCode.GET, 0, RemoteServices.name(name)), 0).rows().stream()
                .map(ServiceNames::entry).findFirst();
        }
    }

    @Override
    public Page list(String prefix, String after) {
        final RegistryStep step = new RegistryStep(StepCode.LIST, 0, 0, PAGE, 0, 0, prefix,
            after.getBytes(StandardCharsets.UTF_8));
        try (Call call = calls.call("list names with " + prefix)) {
            final ServiceAnswer answer = calls.ask(call, step, 0);
            return new Page(answer.rows().stream().map(ServiceNames::entry).toList(), answer.first(),
                answer.second() == 1);
        }
    }

    @Override
    public long put(String name, byte[] value) {
        return put(name, value, StepCode.ANY, false, 0);
    }

    @Override
    public long putBound(String name, byte[] value) {
        return put(name, value, StepCode.ANY, true, 0);
    }

    @Override
    public long putFor(String name, byte[] value, long ttlNs) {
        final long ms = (ttlNs + TimeUnit.MILLISECONDS.toNanos(1) - 1) / TimeUnit.MILLISECONDS.toNanos(1);
        if (ttlNs < 1 || ms > RegistryLimits.TTL_MS_MAX) {
            throw new IllegalArgumentException("ttlNs=" + ttlNs + " is not in 1 ms to 30 days");
        }
        return put(name, value, StepCode.ANY, false, ms);
    }

    @Override
    public long putIf(String name, byte[] value, long version) {
        return put(name, value, checked(version), false, 0);
    }

    @Override
    public long putBoundIf(String name, byte[] value, long version) {
        return put(name, value, checked(version), true, 0);
    }

    private static long checked(long version) {
        if (version < 0) {
            throw new IllegalArgumentException("version=" + version + " is negative");
        }
        return version;
    }

    private long put(String name, byte[] value, long expected, boolean isBound, long ttlMs) {
        final RegistryStep step = new RegistryStep(StepCode.PUT, 0, 0, expected, isBound ? 1 : 0, ttlMs,
            RemoteServices.name(name), RemoteServices.value(value, VALUE_BYTES_MAX));
        try (Call call = calls.call("put the name " + name)) {
            final ServiceAnswer answer = calls.change(call, step).answer();
            return switch (answer.code()) {
                case RegistryResult.DONE -> answer.first();
                case RegistryResult.MISMATCH -> -1 - answer.first();
                default -> throw RemoteServices.refused("the name " + name, answer);
            };
        }
    }

    @Override
    public boolean remove(String name) {
        return remove(name, StepCode.ANY);
    }

    @Override
    public boolean removeIf(String name, long version) {
        return remove(name, checked(version));
    }

    private boolean remove(String name, long expected) {
        try (Call call = calls.call("remove the name " + name)) {
            return calls.change(call, RegistryStep.of(StepCode.REMOVE, expected, RemoteServices.name(name))).answer()
                .code() == RegistryResult.DONE;
        }
    }

    @Override
    public Watch watch(String prefix, long revision) {
        return new RemoteWatch(calls, prefix, checked(revision));
    }
}
