package io.teff.cluster.superpeer;

import io.teff.cluster.message.ServiceAnswer;
import io.teff.cluster.message.ServiceAnswer.Row;
import io.teff.cluster.registry.NameRow;
import io.teff.cluster.registry.QueueRow;
import io.teff.cluster.registry.QueueRow.Place;
import io.teff.cluster.registry.Registry;
import io.teff.cluster.registry.RegistryEvents;
import io.teff.cluster.registry.RegistryResult;
import io.teff.cluster.registry.RegistryStep;
import io.teff.cluster.registry.StepCode;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Answers of a registry to questions. Pure. */
final class ServiceReads {
    private ServiceReads() {}

    /** Returns the answer; WAITED if there is no answer yet. */
    static ServiceAnswer of(Registry registry, RegistryStep step, int rowsMax, long bytesMax) {
        return switch (step.code()) {
            case StepCode.GET -> name(registry, step.name());
            case StepCode.LIST -> names(registry, step, rowsMax, bytesMax);
            case StepCode.WATCH -> changes(registry, step, rowsMax);
            case StepCode.AWAIT -> place(registry, step);
            case StepCode.HOLDER -> holder(registry, step);
            case StepCode.VALUES -> values(registry, step);
            default -> ServiceAnswer.of(RegistryResult.MALFORMED);
        };
    }

    private static ServiceAnswer name(Registry registry, String name) {
        final NameRow row = registry.name(name);
        return row == null ? new ServiceAnswer(RegistryResult.ABSENT, registry.revision(), 0, List.of())
            : new ServiceAnswer(RegistryResult.DONE, registry.revision(), 0, List.of(row(row)));
    }

    private static Row row(NameRow row) {
        return new Row(row.name(), row.value(), row.version(), (row.session() == 0 ? 0 : 1)
            + (row.ttlMs() == 0 ? 0 : 2));
    }

    private static ServiceAnswer names(Registry registry, RegistryStep step, int rowsMax, long bytesMax) {
        final int most = Math.clamp(step.first(), 1, rowsMax);
        final List<NameRow> found = registry.names(step.name(), new String(step.value(), StandardCharsets.UTF_8), most,
            bytesMax);
        final boolean isEnd = found.isEmpty()
            || registry.names(step.name(), found.getLast().name(), 1, bytesMax).isEmpty();
        return new ServiceAnswer(RegistryResult.DONE, registry.revision(), isEnd ? 1 : 0,
            found.stream().map(ServiceReads::row).toList());
    }

    private static ServiceAnswer changes(Registry registry, RegistryStep step, int rowsMax) {
        if (step.first() > registry.revision()) {
            return ServiceAnswer.of(ServiceAnswer.NOT_LEADING); // this superpeer lags behind
        }
        final RegistryEvents.Part part = registry.since(step.first(), step.name(), rowsMax);
        if (part == null) {
            return new ServiceAnswer(ServiceAnswer.GAP, registry.revision(), 0, List.of());
        }
        return new ServiceAnswer(part.events().isEmpty() ? ServiceAnswer.WAITED : RegistryResult.DONE, part.upTo(), 0,
            part.events().stream().map(it -> new Row(it.name(), it.value(), it.revision(), 0)).toList());
    }

    private static ServiceAnswer place(Registry registry, RegistryStep step) {
        final QueueRow queue = registry.queue(step.name());
        final Place place = queue == null ? null : queue.place(step.first());
        return place == null ? ServiceAnswer.of(step.first() > registry.revision() ? ServiceAnswer.NOT_LEADING
                : RegistryResult.ABSENT)
            : new ServiceAnswer(place.token() == 0 ? ServiceAnswer.WAITED : RegistryResult.DONE, place.number(),
                place.token(), List.of());
    }

    private static ServiceAnswer holder(Registry registry, RegistryStep step) {
        final QueueRow queue = registry.queue(step.name());
        final Place holder = queue == null ? null : queue.holder();
        final long token = holder == null ? 0 : holder.token();
        return new ServiceAnswer(token == step.first() ? ServiceAnswer.WAITED : RegistryResult.DONE,
            registry.revision(), token,
            holder == null ? List.of() : List.of(new Row(step.name(), holder.value(), token, 0)));
    }

    private static ServiceAnswer values(Registry registry, RegistryStep step) {
        final QueueRow queue = registry.queue(step.name());
        final List<byte[]> values = queue == null ? List.of() : queue.values(step.first());
        return new ServiceAnswer(values.isEmpty() ? RegistryResult.ABSENT : RegistryResult.DONE, registry.revision(),
            0, values.stream().map(it -> new Row("", it, step.first(), 0)).toList());
    }
}
