package io.teff.cluster.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.registry.QueueRow.Place;
import io.teff.test.kit.Form;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal: no sequence of a few steps of two sessions breaks the rules of a lock. Method: every sequence up to a length,
 * of steps that enter, leave, arrive again, renew, and end, with the number of renewals that was seen now or before.
 * After each step: one holder at most; a holder goes by its own step, or by the end of its session, and an end is void
 * after a renewal; each grant has a token above all earlier tokens.
 */
class RegistrySearchTest {
    private static final int DEPTH = Form.size(3, 4, 5);
    private static final String LOCK = "lock";
    private static final int SESSIONS = 2;

    /** What a session may do. */
    private enum Action { ENTER, TRY, LEAVE, REPEAT, RENEW, END, LATE_END, CLOSE }

    private BiFunction<Registry, RegistryStep, RegistryResult> applied = Registry::apply;
    private long sequences;

    /** A state of the search. */
    private record Node(RegistryState state, long highest, List<Past> pasts) {}

    /** What is known of a session: its number, its last step with the result, and its next sequence. */
    private record Past(long number, RegistryStep last, RegistryResult result, long sequence) {}

    private static Registry registry(Node node) {
        return new Registry(node.state());
    }

    private static @Nullable Place holder(Registry registry) {
        QueueRow queue = registry.queue(LOCK);
        return queue == null ? null : queue.holder();
    }

    private void search(Node node, int left, String path) {
        if (left == 0) {
            sequences++;
            return;
        }
        for (int session = 0; session < SESSIONS; session++) {
            for (Action action : Action.values()) {
                Node next = next(node, session, action, path + ' ' + session + action);
                if (next != null) {
                    search(next, left - 1, path + ' ' + session + action);
                }
            }
        }
    }

    private static @Nullable RegistryStep step(Registry registry, Past past, Action action) {
        long renewals = registry.sessions().stream().filter(row -> row.number() == past.number())
            .mapToLong(RegistryState.SessionRow::renewals).findFirst().orElse(-1);
        return switch (action) {
            case ENTER -> new RegistryStep(StepCode.ENTER, past.number(), past.sequence() << 6, 1, 1, 0, LOCK,
                RegistryStep.NONE);
            case TRY -> new RegistryStep(StepCode.ENTER, past.number(), past.sequence() << 6, 1, 1, StepCode.NO_WAIT,
                LOCK, RegistryStep.NONE);
            case LEAVE -> {
                QueueRow queue = registry.queue(LOCK);
                Place own = queue == null ? null : queue.places().stream()
                    .filter(place -> place.session() == past.number()).findFirst().orElse(null);
                yield own == null ? null : RegistryStep.of(StepCode.LEAVE, own.number(), LOCK)
                    .in(past.number(), past.sequence() << 6);
            }
            case REPEAT -> past.last();
            case RENEW -> new RegistryStep(StepCode.RENEW, 0, 0, 0, 0, 0, "", ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN).putLong(past.number()).array());
            case END, LATE_END -> new RegistryStep(StepCode.END, past.number(), 0,
                action == Action.END ? renewals : renewals - 1, 0, 0, "", RegistryStep.NONE);
            case CLOSE -> RegistryStep.of(StepCode.CLOSE, 0, "").in(past.number(), past.sequence() << 6);
        };
    }

    private @Nullable Node next(Node node, int session, Action action, String path) {
        Registry registry = registry(node);
        Past past = node.pasts().get(session);
        RegistryStep step = step(registry, past, action);
        if (step == null || !registry.isOpen(past.number(), session)) {
            return null;
        }
        Place before = holder(registry);
        RegistryResult result = applied.apply(registry, step);
        registry.audit();
        Place after = holder(registry);
        if (action == Action.REPEAT) {
            assertEquals(past.result(), result, path);
            assertEquals(node.state(), registry.state(), path + ": a repetition changes nothing");
        }
        if (action == Action.LATE_END) {
            assertEquals(node.state(), registry.state(), path + ": a renewal came first");
        }
        if (before != null && !before.equals(after)) {
            assertTrue(before.session() == past.number() && action != Action.RENEW && action != Action.ENTER
                && action != Action.TRY, path + ": a holder loses its lock");
        }
        boolean isGranted = after != null && (before == null || before.number() != after.number());
        if (isGranted) {
            assertTrue(after.token() > node.highest(), path + ": a token was given before");
        }
        boolean isOwn = step.ticket() != 0 && action != Action.REPEAT;
        List<Past> pasts = new ArrayList<>(node.pasts());
        pasts.set(session, isOwn ? new Past(past.number(), step, result, past.sequence() + 1) : past);
        return new Node(registry.state(), isGranted ? after.token() : node.highest(), pasts);
    }

    private long search(int depth) {
        Registry registry = new Registry(RegistryState.EMPTY);
        List<Past> pasts = new ArrayList<>();
        for (int key = 0; key < SESSIONS; key++) {
            long number = registry.apply(new RegistryStep(StepCode.OPEN, 0, 0, key, 5_000, 0, "", RegistryStep.NONE))
                .first();
            RegistryStep first = RegistryStep.of(StepCode.REMOVE, StepCode.ANY, "none").in(number, 1L << 6);
            pasts.add(new Past(number, first, registry.apply(first), 2));
        }
        search(new Node(registry.state(), 0, pasts), depth, "");
        return sequences;
    }

    @Test
    void everySequence_keepsTheRulesOfALock() {
        assertTrue(search(DEPTH) > 1_000);
    }

    /** Faults around the registry, which some short sequence shows. */
    @Test
    void plants_areFound() {
        assertFound((registry, step) -> registry.apply(step.code() == StepCode.END ? new RegistryStep(StepCode.END,
            step.session(), 0, registry.sessions().stream().filter(row -> row.number() == step.session())
                .mapToLong(RegistryState.SessionRow::renewals).findFirst().orElse(0), 0, 0, "", RegistryStep.NONE)
            : step));
        assertFound((registry, step) -> registry.apply(step.ticket() == 0 ? step
            : step.in(step.session(), step.ticket() + (registry.revision() << 20))));
    }

    private static void assertFound(BiFunction<Registry, RegistryStep, RegistryResult> planted) {
        RegistrySearchTest search = new RegistrySearchTest();
        search.applied = planted;
        assertThrows(AssertionError.class, () -> search.search(4));
    }
}
