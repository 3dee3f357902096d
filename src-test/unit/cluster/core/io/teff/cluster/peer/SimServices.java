package io.teff.cluster.peer;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.cell.Requests;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.message.ServiceAnswer;
import io.teff.cluster.message.ServiceRequest;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.peer.Histories.Span;
import io.teff.cluster.registry.RegistryResult;
import io.teff.cluster.registry.RegistryStep;
import io.teff.cluster.registry.StepCode;
import io.teff.cluster.slot.Ticket;
import io.teff.engine.Cid;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What a client does with services, with the rules of the real one: a session that is renewed four times in a lease,
 * steps that are repeated with one ticket until the superpeers have answered, and holds that are certain for as long as
 * the session is.
 */
final class SimServices {
    private static final int LEASE_MS = 2_000;
    private static final long LEASE_NS = LEASE_MS * SimWorld.MS;
    private static final long BEAT_NS = LEASE_NS / 4;
    private static final long CALL_NS = 5_000 * SimWorld.MS;
    private static final long ANSWER_NS = 500 * SimWorld.MS;
    /** In one of so many holds, the client is stopped, perhaps for longer than its lease. */
    private static final int STOP_ODDS = 8;
    private static final int TTL_MS = 300;
    private static final int NAMES = 3;
    private static final int PERMITS = 2;
    /** The history of a name is that of the CID of zone 1 with this index and the number of the name. */
    private static final long NAME_INDEX = 4_000;
    private static final long TEMPORARY_INDEX = 4_100;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final SimClient client;
    private final SimObjects objects;
    private final SimHolds holds;
    private final Requests requests;
    private final SimWorld world;
    private final SplittableRandom random;
    private final int threads;
    private final long thinkNs;
    /** Values of versions of names that this client knows. */
    private final Map<Long, Long> values = new HashMap<>();
    private @Nullable Session session;
    private boolean isOpening;
    private int leading;

    /** A session. */
    static final class Session {
        final long number;
        final long key;
        private final long[] sequences = new long[Long.SIZE];
        private long certainUntilNs;
        private boolean isLost;

        Session(long number, long key, long certainUntilNs) {
            this.number = number;
            this.key = key;
            this.certainUntilNs = certainUntilNs;
        }

        boolean isCertain(long nowNs) {
            return !isLost && nowNs < certainUntilNs;
        }
    }

    /** A step with its answer; null if the outcome is unknown. */
    private record Done(Session session, @Nullable ServiceAnswer answer, long calledNs, long sentNs) {
        boolean is(int code) {
            return answer != null && answer.code() == code;
        }
    }

    SimServices(SimClient client, SimObjects objects, SimHolds holds, Requests requests, int threads) {
        this.client = client;
        this.objects = objects;
        this.holds = holds;
        this.requests = requests;
        this.threads = threads;
        world = client.world;
        random = world.random;
        thinkNs = world.between(5 * SimWorld.MS, 40 * SimWorld.MS);
    }

    void start() {
        world.repeat(client, BEAT_NS, () -> {
            beat();
            return BEAT_NS;
        });
        for (int i = 0; i < threads; i++) {
            next(i);
        }
    }

    // ---- messages ----

    /** Sends a request to the superpeer that seems to lead; null if there is no answer. */
    private void send(ServiceRequest request, BiConsumer<@Nullable ServiceAnswer, Boolean> then) {
        int superpeer = leading;
        CompletableFuture<ServiceAnswer> sent;
        try {
            sent = requests.request(CellMessages.nid(superpeer), CellMessages.SERVICE, request, ANSWER_NS);
        } catch (NetworkException _) {
            next(superpeer, then, ServiceAnswer.of(ServiceAnswer.NOT_LEADING));
            return;
        }
        boolean[] isOver = new boolean[1];
        var _ = sent.whenComplete((answer, failure) -> {
            if (!isOver[0]) {
                isOver[0] = true;
                boolean isLost = failure != null || answer.code() == ServiceAnswer.UNKNOWN;
                if (isLost || answer.code() == ServiceAnswer.NOT_LEADING) {
                    next(superpeer, then, isLost ? null : answer);
                } else {
                    then.accept(answer, true);
                }
            }
        });
    }

    private void next(int superpeer, BiConsumer<@Nullable ServiceAnswer, Boolean> then,
                      @Nullable ServiceAnswer answer) {
        if (leading == superpeer) {
            List<Integer> all = client.tables().superpeers().rows().stream().map(row -> row.number()).toList();
            leading = all.get(random.nextInt(all.size()));
        }
        then.accept(answer, false);
    }

    private void openSession() {
        if (isOpening || client.isStopped()) {
            return;
        }
        isOpening = true;
        open(random.nextLong());
    }

    private void open(long key) {
        long sentNs = world.nowNs();
        send(new ServiceRequest(key, 0, new RegistryStep(StepCode.OPEN, 0, 0, key, LEASE_MS, 0, "",
            RegistryStep.NONE)), (answer, _) -> {
                isOpening = false;
                if (answer != null && answer.code() == RegistryResult.DONE) {
                    session = new Session(answer.first(), key, sentNs + holds.heldNs(LEASE_NS));
                }
            });
    }

    private void beat() {
        Session of = session;
        if (of == null) {
            return;
        }
        long sentNs = world.nowNs();
        send(new ServiceRequest(of.key, 0, new RegistryStep(StepCode.BEAT, of.number, 0, 0, 0, 0, "",
            RegistryStep.NONE)), (answer, _) -> {
                if (answer != null && answer.code() == RegistryResult.DONE) {
                    of.certainUntilNs = Math.max(of.certainUntilNs, sentNs + holds.heldNs(LEASE_NS));
                } else if (answer != null && answer.code() == RegistryResult.EXPIRED) {
                    lose(of);
                }
            });
    }

    private void lose(Session of) {
        of.isLost = true;
        if (session == of) {
            session = null;
        }
    }

    /** Makes a change until it is answered, or the time of the call is over. */
    private void change(Session of, int slot, RegistryStep step, BiConsumer<Done, Long> then) {
        RegistryStep sent = step.in(of.number, Ticket.of(++of.sequences[slot], slot));
        attempt(new ServiceRequest(of.key, 0, sent), of, world.nowNs(), false, then);
    }

    /** Asks until there is an answer, or the time of the call is over. */
    private void ask(Session of, RegistryStep step, BiConsumer<Done, Long> then) {
        attempt(new ServiceRequest(0, 0, step), of, world.nowNs(), false, then);
    }

    private void attempt(ServiceRequest request, Session of, long calledNs, boolean wasSent,
                         BiConsumer<Done, Long> then) {
        long sentNs = world.nowNs();
        if (sentNs - calledNs > CALL_NS) {
            then.accept(new Done(of, wasSent ? null : ServiceAnswer.of(ServiceAnswer.NOT_LEADING), calledNs, sentNs),
                sentNs);
            return;
        }
        send(request, (answer, _) -> {
            boolean isEnd = answer != null && answer.code() != ServiceAnswer.NOT_LEADING
                && answer.code() != ServiceAnswer.OVERLOADED;
            if (isEnd) {
                boolean isUnknown = answer.code() == RegistryResult.EXPIRED && wasSent;
                then.accept(new Done(of, isUnknown ? null : answer, calledNs, sentNs), world.nowNs());
            } else {
                world.after(client, world.between(5 * SimWorld.MS, 100 * SimWorld.MS), () ->
                    attempt(request, of, calledNs, wasSent || answer == null, then));
            }
        });
    }

    // ---- what threads do ----

    private void next(int slot) {
        world.after(client, world.between(0, 2 * thinkNs), () -> {
            Session of = session;
            if (client.isStopped()) {
                return;
            }
            if (of == null) {
                openSession();
                next(slot);
                return;
            }
            client.callBegins();
            int name = random.nextInt(NAMES);
            switch (random.nextInt(8)) {
                case 0, 1 -> put(of, slot, name);
                case 2, 3 -> get(of, slot, "name/" + name, NAME_INDEX + name);
                case 4 -> count(of, slot, random.nextBoolean() ? "ids" : "count", random.nextInt(1, 100));
                case 5 -> temporary(of, slot, name);
                default -> hold(of, slot, random.nextBoolean() ? 1 : PERMITS);
            }
        });
    }

    private void ends(Done done, int slot) {
        client.callEnds(done.answer() != null);
        if (done.answer() == null || done.is(RegistryResult.EXPIRED)) {
            lose(done.session());
        }
        next(slot);
    }

    private static RegistryStep step(int code, long first, long second, long third, String name, byte[] value) {
        return new RegistryStep(code, 0, 0, first, second, third, name, value);
    }

    private static long register(long index) {
        return Cid.of(1, index);
    }

    private Span span(Done done, long nowNs, String note) {
        return done.answer() == null ? Histories.unknown(done.calledNs(), WriteLevel.BACKED, client + note)
            : new Span(done.calledNs(), nowNs, WriteLevel.BACKED, client + note);
    }

    /** Gives a name a value, perhaps only if the name has a version. */
    private void put(Session of, int slot, int name) {
        long cid = register(NAME_INDEX + name);
        long value = objects.registers.nextValue();
        long before = objects.registers.guess(cid);
        long version = values.entrySet().stream().filter(it -> it.getValue() == before).mapToLong(Map.Entry::getKey)
            .findAny().orElse(StepCode.ANY);
        boolean isBlind = random.nextBoolean() || version == StepCode.ANY;
        change(of, slot, step(StepCode.PUT, isBlind ? StepCode.ANY : version, 0, 0, "name/" + name,
            Histories.bytes(value)), (done, now) -> {
                Span span = span(done, now, isBlind ? ", put" : ", put if " + before);
                if (done.is(RegistryResult.DONE)) {
                    values.put(done.answer().first(), value);
                }
                if (done.answer() == null || done.is(RegistryResult.DONE)) {
                    if (isBlind) {
                        objects.registers.write(cid, span, value);
                    } else {
                        objects.registers.update(cid, span, before, value);
                    }
                } else if (done.is(RegistryResult.MISMATCH)) {
                    Long present = values.get(done.answer().first());
                    if (present != null) {
                        objects.registers.read(cid, done.calledNs(), now, present, span.note());
                    }
                }
                ends(done, slot);
            });
    }

    private void get(Session of, int slot, String name, long index) {
        ask(of, RegistryStep.of(StepCode.GET, 0, name), (done, now) -> {
            if (done.is(RegistryResult.DONE)) {
                ServiceAnswer.Row row = done.answer().rows().getFirst();
                long value = MemorySegment.ofArray(row.value()).get(LONG, 0);
                values.put(row.version(), value);
                objects.registers.read(register(index), done.sentNs(), now, value, client + ", get");
            } else if (done.is(RegistryResult.ABSENT)) {
                objects.registers.read(register(index), done.sentNs(), now, Histories.ABSENT, client + ", get");
            }
            client.callEnds(done.answer() != null);
            next(slot);
        });
    }

    private void count(Session of, int slot, String name, long summand) {
        change(of, slot, step(StepCode.ADD, summand, 0, 0, name, RegistryStep.NONE), (done, now) -> {
            Long before = done.is(RegistryResult.DONE) ? done.answer().first() : null;
            SequentialHistory.Step add = state -> before != null && before != (state.isEmpty() ? 0 : state.getFirst())
                ? null : List.of((state.isEmpty() ? 0 : state.getFirst()) + summand);
            String note = client + ", " + summand + " to " + before;
            if (done.answer() == null) {
                objects.of(name).addUnknown(done.calledNs(), add, note);
            } else if (before != null) {
                objects.of(name).add(done.calledNs(), now, add, note);
            }
            ends(done, slot);
        });
    }

    /** Gives a name a value that ends by itself, or reads it. */
    private void temporary(Session of, int slot, int name) {
        long index = TEMPORARY_INDEX + name;
        if (random.nextBoolean()) {
            get(of, slot, "temporary/" + name, index);
            return;
        }
        long value = objects.registers.nextValue();
        change(of, slot, step(StepCode.PUT, StepCode.ANY, 0, TTL_MS, "temporary/" + name, Histories.bytes(value)),
            (done, now) -> {
                if (done.answer() == null || done.is(RegistryResult.DONE)) {
                    Span span = span(done, now, ", put for " + TTL_MS + " ms");
                    objects.registers.write(register(index), span, value);
                    objects.registers.write(register(index), Histories.unknown(done.calledNs() + TTL_MS * SimWorld.MS
                        * 9 / 10, WriteLevel.BACKED, "the end of " + value), Histories.ABSENT);
                }
                ends(done, slot);
            });
    }

    // ---- locks and semaphores ----

    private void hold(Session of, int slot, int permits) {
        String name = permits == 1 ? "lock" : "semaphore";
        change(of, slot, step(StepCode.ENTER, permits, 1, StepCode.NO_WAIT, name, RegistryStep.NONE), (done, now) -> {
            if (!done.is(RegistryResult.DONE) || done.answer().second() == 0) {
                ends(done, slot);
                return;
            }
            SimHolds.Hold hold = new SimHolds.Hold(done.answer().first(), done.answer().second(), of, now);
            holds.granted(name, permits, done.calledNs(), hold);
            if (random.nextInt(STOP_ODDS) == 0) {
                client.pause(world.between(LEASE_NS / 2, 2 * LEASE_NS), false);
            }
            long heldNs = random.nextInt(8) == 0 ? LEASE_NS : world.between(0, 200 * SimWorld.MS);
            world.after(client, heldNs, () -> {
                if (random.nextInt(6) == 0) {                   // the client ends without a word
                    lose(of);
                    ends(done, slot);
                } else {
                    hold.leaves();
                    change(of, slot, step(StepCode.LEAVE, hold.place, 0, 0, name, RegistryStep.NONE), (left, _) ->
                        ends(left, slot));
                }
            });
        });
    }
}
