package io.teff.cluster.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Schema;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/**
 * Goal: any sequence of steps leaves a registry equal to the model. Method: swarm over few names, sessions and slots,
 * with repeated, late and doubled steps, and a registry that is restored from its bytes at random moments. A watcher
 * follows the changes, away at times. {@link #plants_areFound} plants faults around the registry, and the model finds
 * each.
 */
class RegistryModelTest {
    private static final int SEEDS = Form.size(150, 600, 3_000);
    private static final int STEPS = 160;
    private static final int NAMES = 4;
    private static final int SLOTS = 3;
    private static final Schema<RegistryState> STATES = Schema.of(RegistryState.class);

    /** One run from a seed. */
    private static final class Run {
        private final SplittableRandom random;
        private final BiFunction<Registry, RegistryStep, RegistryResult> applied;
        private final RegistryModel model = new RegistryModel();
        private final int[] weights;
        private final Map<Long, long[]> sequences = new HashMap<>();
        private final Map<RegistryStep, RegistryResult> done = new HashMap<>();
        private final List<RegistryStep> sent = new ArrayList<>();
        private final Map<String, String> watched = new HashMap<>();
        private Registry registry = new Registry(RegistryState.EMPTY);
        private long known;

        Run(long seed, BiFunction<Registry, RegistryStep, RegistryResult> applied) {
            random = new SplittableRandom(seed);
            this.applied = applied;
            weights = random.ints(10, 0, 10).toArray();
        }

        void play() {
            for (int i = 0; i < STEPS; i++) {
                step();
                registry.audit();
                model.granted(registry);
                compare();
                if (random.nextInt(8) == 0) {
                    watch();
                }
            }
            model.sessions.keySet().stream().toList().forEach(this::end);
            compare();
            watch();
            final Map<String, String> last = new HashMap<>();
            model.names.forEach((name, row) -> last.put(name, row.value()));
            assertEquals(last, watched, "what a watcher has seen");
            RegistryModel.require(registry.state().queues().isEmpty() && registry.sessions().isEmpty(), "all is free");
        }

        private RegistryResult apply(RegistryStep step) {
            final RegistryResult result = applied.apply(registry, step);
            if (step.ticket() != 0) {
                sent.add(step);
                done.put(step, result);
            }
            return result;
        }

        private long session() {
            final List<Long> open = List.copyOf(model.sessions.keySet());
            return open.get(random.nextInt(open.size()));
        }

        private String name() {
            return "n" + random.nextInt(NAMES);
        }

        /** Returns a step in a session, with its next ticket in a random slot. */
        private RegistryStep in(long session, RegistryStep step) {
            final int slot = random.nextInt(SLOTS);
            final long sequence = ++sequences.computeIfAbsent(session, _ -> new long[SLOTS])[slot];
            return step.in(session, sequence << 6 | slot);
        }

        private int choose() {
            int rest = random.nextInt(Arrays.stream(weights).sum() + 1);
            for (int i = 0; i < weights.length; i++) {
                rest -= weights[i];
                if (rest < 0) {
                    return i;
                }
            }
            return 0;
        }

        private void step() {
            if (model.sessions.isEmpty() || random.nextInt(20) == 0) {
                open();
                return;
            }
            final long session = session();
            switch (choose()) {
                case 0, 1 -> put(session);
                case 2 -> remove(session);
                case 3 -> add(session);
                case 4, 5 -> enter(session);
                case 6 -> leave(session);
                case 7 -> repeat();
                case 8 -> restore();
                default -> lease(session);
            }
        }

        private void open() {
            final long key = random.nextLong();
            final RegistryStep step = new RegistryStep(StepCode.OPEN, 0, 0, key, 5_000, 0, "", RegistryStep.NONE);
            final RegistryResult result = apply(step);
            assertEquals(result, apply(step), "a second opening opens no second session");
            model.sessions.put(result.first(), 0L);
        }

        private void put(long session) {
            final String name = name();
            final String value = "v" + random.nextInt(1_000);
            final RegistryModel.Name before = model.names.get(name);
            final long present = before == null ? 0 : before.version();
            final long expected = switch (random.nextInt(3)) {
                case 0 -> StepCode.ANY;
                case 1 -> present;
                default -> random.nextInt(50);
            };
            final boolean isBound = random.nextBoolean();
            final RegistryResult result = apply(in(session, new RegistryStep(StepCode.PUT, 0, 0, expected,
                isBound ? 1 : 0, random.nextInt(4) == 0 ? 60_000 : 0, name, value.getBytes(StandardCharsets.UTF_8))));
            if (expected == StepCode.ANY || expected == present) {
                assertEquals(RegistryResult.DONE, result.code());
                RegistryModel.require(result.first() > present, "versions rise");
                model.names.put(name, new RegistryModel.Name(value, result.first(), isBound ? session : 0));
            } else {
                assertEquals(new RegistryResult(RegistryResult.MISMATCH, present, 0), result);
            }
        }

        private void remove(long session) {
            final String name = name();
            final RegistryModel.Name before = model.names.get(name);
            final long expected = before == null || random.nextBoolean() ? StepCode.ANY
                : before.version() - random.nextInt(2);
            final RegistryResult result = apply(in(session, RegistryStep.of(StepCode.REMOVE, expected, name)));
            if (before == null) {
                assertEquals(RegistryResult.ABSENT, result.code());
            } else if (expected == StepCode.ANY || expected == before.version()) {
                assertEquals(RegistryResult.DONE, result.code());
                model.names.remove(name);
            } else {
                assertEquals(RegistryResult.MISMATCH, result.code());
            }
        }

        private void add(long session) {
            final String name = "count" + random.nextInt(2);
            final RegistryModel.Name before = model.names.get(name);
            final long number = before == null ? 0 : Long.parseLong(before.value());
            final int delta = random.nextInt(-5, 6);
            final RegistryResult result = apply(in(session, RegistryStep.of(StepCode.ADD, delta, name)));
            assertEquals(RegistryResult.done(number, result.second()), result);
            model.names.put(name, new RegistryModel.Name(Long.toString(number + delta), result.second(), 0));
        }

        private void enter(long session) {
            final int kind = random.nextInt(3);
            final String name = "q" + kind + random.nextInt(2);
            final boolean isBarrier = kind == 2;
            final int permits = kind + 1;
            final int wanted = kind == 1 ? 1 + random.nextInt(2) : 1;
            final long flags = (isBarrier ? StepCode.BARRIER : 0) | (random.nextInt(4) == 0 ? StepCode.NO_WAIT : 0);
            final RegistryResult result = apply(in(session, new RegistryStep(StepCode.ENTER, 0, 0, permits, wanted,
                flags, name, new byte[] {(byte) kind})));
            if (result.code() == RegistryResult.BUSY) {
                RegistryModel.require((flags & StepCode.NO_WAIT) != 0 && (isBarrier || used(name) + wanted > permits
                    || waits(name)), "a place is free");
                return;
            }
            assertEquals(RegistryResult.DONE, result.code());
            model.lines.computeIfAbsent(name, _ -> new RegistryModel.Line(isBarrier, permits)).parties
                .add(new RegistryModel.Party(session, wanted, result.first()));
        }

        private int used(String name) {
            final RegistryModel.Line line = model.lines.get(name);
            return line == null ? 0 : line.parties.stream().filter(party -> party.token > 0)
                .mapToInt(party -> party.permits).sum();
        }

        private boolean waits(String name) {
            final RegistryModel.Line line = model.lines.get(name);
            return line != null && line.parties.stream().anyMatch(party -> party.token == 0);
        }

        private void leave(long session) {
            final List<String> all = List.copyOf(model.lines.keySet());
            if (all.isEmpty()) {
                return;
            }
            final String name = all.get(random.nextInt(all.size()));
            final List<RegistryModel.Party> parties = model.lines.get(name).parties;
            final RegistryModel.Party party = parties.get(random.nextInt(parties.size()));
            final boolean stays = random.nextBoolean();
            final RegistryResult result = apply(in(session, new RegistryStep(StepCode.LEAVE, 0, 0, party.number,
                stays ? 1 : 0, 0, name, RegistryStep.NONE)));
            if (party.session != session || party.hasLeft) {
                assertEquals(RegistryResult.ABSENT, result.code(), "a place of another session");
                return;
            }
            assertEquals(RegistryResult.done(0, party.token), result);
            if (!stays || party.token == 0) {
                model.leave(name, session, party.number);
            }
        }

        /** A step arrives again, at any time: the result is that of the first arrival, or the step is refused. */
        private void repeat() {
            if (sent.isEmpty()) {
                return;
            }
            final RegistryStep step = sent.get(random.nextInt(sent.size()));
            final RegistryResult result = applied.apply(registry, step);
            final long[] last = sequences.get(step.session());
            final boolean isNewest = last[(int) step.ticket() & 63] == step.ticket() >>> 6;
            assertEquals(model.sessions.containsKey(step.session()) && isNewest ? done.get(step)
                : RegistryResult.of(RegistryResult.EXPIRED), result, "a repetition of " + step);
        }

        private void restore() {
            final Output out = Output.growing(1_000);
            final RegistryState state = registry.state();
            STATES.write(state, out);
            final byte[] bytes = out.toByteArray();
            registry = new Registry(STATES.read(new Input(bytes, 0, bytes.length)));
            assertEquals(state, registry.state());
        }

        private void lease(long session) {
            if (random.nextBoolean()) {
                final byte[] heard = new byte[Long.BYTES];
                ByteBuffer.wrap(heard).order(ByteOrder.LITTLE_ENDIAN).putLong(session);
                apply(new RegistryStep(StepCode.RENEW, 0, 0, 0, 0, 0, "", heard));
                model.sessions.merge(session, 1L, Long::sum);
                assertEquals(RegistryResult.EXPIRED, apply(new RegistryStep(StepCode.END, session, 0,
                    model.sessions.get(session) - 1, 0, 0, "", RegistryStep.NONE)).code(), "a renewal came first");
            } else if (random.nextInt(3) == 0) {
                end(session);
            }
        }

        private void end(long session) {
            final RegistryStep step = random.nextBoolean() ? in(session, RegistryStep.of(StepCode.CLOSE, 0, ""))
                : new RegistryStep(StepCode.END, session, 0, model.sessions.get(session), 0, 0, "", RegistryStep.NONE);
            assertEquals(RegistryResult.DONE, apply(step).code());
            model.end(session);
            model.granted(registry);
        }

        private void compare() {
            assertEquals(List.copyOf(model.names.keySet()), registry.names("", "", 1_000, Long.MAX_VALUE).stream()
                .map(NameRow::name).toList());
            model.names.forEach((name, row) -> {
                final NameRow found = registry.name(name);
                RegistryModel.require(found != null && found.version() == row.version()
                    && found.session() == row.session(), "row of " + name);
                assertEquals(row.value(), text(name, found.value()));
            });
            assertEquals(model.lines.keySet(), new TreeSet<>(registry.state().queues().stream()
                .map(QueueRow::name).toList()));
        }

        private static String text(String name, byte[] value) {
            return name.startsWith("count") ? Long.toString(RegistryModel.number(value))
                : new String(value, StandardCharsets.UTF_8);
        }

        /** A watcher takes the changes since its last look, or reads all names after a gap. */
        private void watch() {
            while (true) {
                final RegistryEvents.Part part = registry.since(known, "", 1 + random.nextInt(4));
                if (part == null) {
                    watched.clear();
                    registry.names("", "", 1_000, Long.MAX_VALUE).forEach(row -> watched.put(row.name(),
                        text(row.name(), row.value())));
                    known = registry.revision();
                    return;
                }
                for (RegistryEvents.Event event : part.events()) {
                    if (event.value() == null) {
                        watched.remove(event.name());
                    } else {
                        watched.put(event.name(), text(event.name(), event.value()));
                    }
                }
                known = part.upTo();
                if (part.events().isEmpty()) {
                    return;
                }
            }
        }
    }

    private static void play(long seed, BiFunction<Registry, RegistryStep, RegistryResult> applied) {
        try {
            new Run(seed, applied).play();
        } catch (AssertionError | IllegalStateException e) {
            throw new AssertionError(Seed.reproduce(RegistryModelTest.class, seed), e);
        }
    }

    @Test
    void behavesLikeTheModel() {
        final long first = Seed.first();
        for (int i = 0; i < SEEDS; i++) {
            play(first + i, Registry::apply);
        }
    }

    /** Faults around a registry: each is found within a few seeds. */
    @Test
    void plants_areFound() {
        assertFound("a place of a living session is freed", (registry, step) -> {
            final RegistryResult result = registry.apply(step);
            if (step.code() == StepCode.PUT && result.first() % 3 == 0) {
                for (QueueRow queue : registry.state().queues()) {
                    final QueueRow.Place place = queue.places().getFirst();
                    registry.apply(RegistryStep.of(StepCode.LEAVE, place.number(), queue.name())
                        .in(place.session(), 1L << 40 | 63));
                }
            }
            return result;
        });
        assertFound("a repeated step is done again", (registry, step) -> step.ticket() == 0 ? registry.apply(step)
            : registry.apply(step.in(step.session(), step.ticket() + (registry.revision() + 1 << 20))));
        assertFound("an end counts although a renewal came first", (registry, step) -> {
            final RegistryResult result = registry.apply(step);
            if (step.code() == StepCode.END && result.code() == RegistryResult.EXPIRED) {
                registry.apply(new RegistryStep(StepCode.END, step.session(), 0, step.first() + 1, 0, 0, "",
                    RegistryStep.NONE));
            }
            return result;
        });
    }

    private static void assertFound(String what, BiFunction<Registry, RegistryStep, RegistryResult> planted) {
        assertThrows(AssertionError.class, () -> {
            for (int seed = 1; seed < 100; seed++) {
                play(seed, planted);
            }
        }, what);
    }
}
