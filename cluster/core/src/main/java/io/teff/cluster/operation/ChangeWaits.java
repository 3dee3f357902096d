package io.teff.cluster.operation;

import io.teff.cluster.access.SessionCaller;
import io.teff.cluster.collect.ChangeRing;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.message.Answer;
import io.teff.cluster.net.message.HandledBy;
import io.teff.cluster.operation.WaitMessages.Place;
import io.teff.cluster.operation.WaitMessages.Question;
import io.teff.cluster.slot.SlotTable;
import io.teff.engine.Cid;
import io.teff.engine.os.Clock;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The questions of watchers that wait at this peer for a change. No thread waits: a question is an open answer in the
 * rings of its maps, and the change that comes first ends the question. Thread-safe.
 *
 * <p><b>A hint.</b> The end of a question says no more than that the watcher should ask for changes: the events, their
 * order, and the wait for backups belong to {@link OperationType#MAPS_WATCH}. So a question that is lost, or ends
 * without a change, costs time and shows nothing wrong.
 *
 * <p><b>Ends.</b> A question ends by a change, by the drop of a map, by its time, and when this peer does not serve one
 * of the zones any more: {@link #look} ends the last two kinds. The questions of a closed network end with the network.
 */
public final class ChangeWaits {
    /** Most questions of all watchers, of some hundred bytes, and some ten for each map. */
    static final int WAITING_MAX = 8_192;
    /** Most questions of one principal, or of one client without a principal, so that others always have room. */
    static final int WAITING_OF_ONE_MAX = WAITING_MAX / 8;
    /** Longest wait of a question in milliseconds. */
    static final int WAIT_MS_MAX = 30_000;

    private final IntFunction<@Nullable SlotTable> zones;
    private final Clock clock;
    private final Set<Wait> waiting = ConcurrentHashMap.newKeySet();
    /** Open questions by the name of a principal, or by the NID of a client without a principal. */
    private final Map<Object, Integer> counts = new ConcurrentHashMap<>();

    /**
     * Begins without a question.
     *
     * @param zones the slots of a zone that this peer owns, or null
     * @param clock measures the waits
     */
    public ChangeWaits(IntFunction<@Nullable SlotTable> zones, Clock clock) {
        this.zones = zones;
        this.clock = clock;
    }

    /** A question with its answer. Runs when there is a change, perhaps several times. */
    private final class Wait implements Runnable {
        private final Answer<WaitMessages.Answer> answer;
        private final Object asker;
        private final long untilNs;
        private final Map<SlotTable, Integer> served = new IdentityHashMap<>();
        private final List<ChangeRing> rings = new ArrayList<>();
        private final AtomicBoolean hasEnded = new AtomicBoolean();

        Wait(Answer<WaitMessages.Answer> answer, Object asker, long untilNs) {
            this.answer = answer;
            this.asker = asker;
            this.untilNs = untilNs;
        }

        @Override
        public void run() {
            end(WaitMessages.Answer.CHANGED);
            leave();
        }

        void end(int code) {
            if (hasEnded.compareAndSet(false, true)) {
                waiting.remove(this);
                uncount(asker);
                answer.complete(new WaitMessages.Answer(code));
            }
        }

        /** Enters the rings of the question, until one has a change that the watcher does not know. */
        synchronized void enter(List<Place> places) {
            for (Place place : places) {
                if (!ChangeWaits.this.enter(this, place)) {
                    end(WaitMessages.Answer.CHANGED);
                    return;
                }
            }
        }

        /** Leaves the rings. A change may come while the question still enters rings: then this method waits. */
        synchronized void leave() {
            rings.forEach(ring -> ring.forget(this));
        }

        boolean isServed() {
            return served.entrySet().stream().allMatch(each -> isSame(zones.apply(each.getValue()), each.getKey()));
        }
    }

    @SuppressWarnings("ReferenceEquality")                      // each time of service has slots of its own
    private static boolean isSame(@Nullable SlotTable now, SlotTable then) {
        return now == then;
    }

    /**
     * Registers the handler, which never waits.
     *
     * @param network of the peer
     */
    public void register(Network network) {
        network.answerLater(WaitMessages.WAIT, HandledBy.AGENT, (_, question, answer) -> answer(question, answer));
    }

    /** Keeps a question, or answers it at once. */
    void answer(Question question, Answer<WaitMessages.Answer> answer) {
        if (question.places().size() > Question.PLACES_MAX) {
            answer.fail("a question about " + question.places().size() + " maps");
            return;
        }
        final SessionCaller caller = SessionCaller.now();
        final Object asker = caller == null ? answer.from() : caller.name();
        if (waiting.size() >= WAITING_MAX || !isCounted(asker)) {
            answer.complete(new WaitMessages.Answer(WaitMessages.Answer.FULL));
            return;
        }
        final long ns = TimeUnit.MILLISECONDS.toNanos(Math.clamp(question.waitMs(), 0, WAIT_MS_MAX));
        final Wait wait = new Wait(answer, asker, clock.nowNs() + ns);
        wait.enter(question.places());
        waiting.add(wait);
        if (wait.hasEnded.get()) {                              // by a change that is known already, or came meanwhile
            waiting.remove(wait);
            wait.leave();
        }
    }

    /** Counts a question of an asker; returns false if the asker has as many as permitted. */
    private boolean isCounted(Object asker) {
        if (counts.merge(asker, 1, Integer::sum) <= WAITING_OF_ONE_MAX) {
            return true;
        }
        uncount(asker);
        return false;
    }

    private void uncount(Object asker) {
        counts.computeIfPresent(asker, (_, count) -> count == 1 ? null : count - 1);
    }

    /** Enters a question into the ring of a map; returns whether the watcher knows the last change of the ring. */
    private boolean enter(Wait wait, Place place) {
        final int zone = Cid.nid(place.root());
        final SlotTable slots = zones.apply(zone);
        final ChangeRing ring = slots == null ? null : slots.maps().ring(place.root());
        if (slots == null || ring == null) {
            return false;
        }
        wait.served.put(slots, zone);
        wait.rings.add(ring);
        return ring.await(place.ring(), place.number(), wait);
    }

    /** Ends the questions whose time is over, or whose zones are not served any more. Called now and then. */
    public void look() {
        final long nowNs = clock.nowNs();
        for (Wait wait : waiting) {
            final boolean isOver = nowNs - wait.untilNs >= 0;
            if (isOver || !wait.answer.isOpen() || !wait.isServed()) {
                wait.end(isOver ? WaitMessages.Answer.WAITED : WaitMessages.Answer.CHANGED);
                wait.leave();
            }
        }
    }

    /** {@return the number of questions that wait now} */
    public int count() {
        return waiting.size();
    }
}
