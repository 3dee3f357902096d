package io.teff.cluster.client;

import io.teff.cluster.message.ServiceAnswer;
import io.teff.cluster.message.ServiceAnswer.Row;
import io.teff.cluster.registry.RegistryStep;
import io.teff.cluster.registry.StepCode;
import io.teff.cluster.service.Watch;
import io.teff.engine.os.Deadline;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** A watch of names: asks for the changes behind the last known revision. For one thread at a time. */
final class RemoteWatch implements Watch {
    private final ServiceCalls calls;
    private final String prefix;
    private final Deque<Event> ready = new ArrayDeque<>();
    private long known;

    RemoteWatch(ServiceCalls calls, String prefix, long revision) {
        this.calls = calls;
        this.prefix = prefix;
        known = revision;
    }

    @Override
    public Optional<Event> next(long timeoutNs) {
        final Deadline limit = Deadline.in(calls.clock(), timeoutNs);
        while (ready.isEmpty()) {
            try (Call call = calls.call("watch names with " + prefix)) {
                final ServiceAnswer answer = calls.ask(call, RegistryStep.of(StepCode.WATCH, known, prefix),
                    Math.min(limit.leftNs(), ServiceQueue.WAIT_NS));
                take(answer);
            }
            if (ready.isEmpty() && limit.isOver()) {
                return Optional.empty();
            }
        }
        return Optional.of(ready.remove());
    }

    private void take(ServiceAnswer answer) {
        if (answer.code() == ServiceAnswer.GAP) {
            known = answer.first();
            ready.add(new Gap(known));
            return;
        }
        for (Row row : answer.rows()) {
            ready.add(row.value() == null ? new Removed(row.name(), row.version())
                : new Put(row.name(), row.value(), row.version()));
        }
        known = Math.max(known, answer.first());
    }
}
