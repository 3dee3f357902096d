package io.teff.cluster.net.stream;

import io.teff.cluster.net.thread.UserCode;
import io.teff.cluster.net.wire.Frame;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The message lanes of a session. Messages of a lane are handled in order: a lane is one task while it has messages.
 * Types with different executors have separate lanes, without an order between the lanes.
 */
final class Lanes {
    /** Messages of a lane handled before other tasks have a turn. */
    private static final int TURN = 64;

    /** By the agent only; made when the first lane is used. */
    private @Nullable Lane[] lanes = {};
    /** The executor of these lanes; null if no executor was used. */
    private @Nullable Executor owner;
    /** The lanes of further executors. */
    private @Nullable Lanes others;

    /** Adds a message to its lane; by the agent. */
    void add(Delivery delivery, Executor executor) {
        final Lanes its = of(executor);
        while (!its.lane(delivery.lane(), executor).add(delivery)) {
            its.lanes[delivery.lane()] = null;
        }
    }

    /**
     * Returns whether no message of a lane waits or is handled. If so, the effects of all earlier handling of the lane
     * are visible. By the agent.
     */
    boolean isIdle(int number, Executor executor) {
        final Lanes its = of(executor);
        return its.lanes.length == 0 || its.lanes[number] == null || its.lanes[number].isIdle();
    }

    @SuppressWarnings("ReferenceEquality")                      // equals is the application's
    private Lanes of(Executor executor) {
        Lanes its = this;
        while (its.owner != executor) {
            if (its.owner == null) {
                its.owner = executor;
            } else {
                if (its.others == null) {
                    its.others = new Lanes();
                }
                its = its.others;
            }
        }
        return its;
    }

    private Lane lane(int number, Executor executor) {
        if (lanes.length == 0) {
            lanes = new Lane[Frame.LANE_MAX + 1];
        }
        Lane lane = lanes[number];
        if (lane == null) {
            lane = new Lane(executor);
            lanes[number] = lane;
        }
        return lane;
    }

    /** Adds the waiting messages. */
    void addTo(RetainedBytes held) {
        for (Lane lane : lanes) {
            if (lane != null) {
                lane.addTo(held);
            }
        }
        if (others != null) {
            others.addTo(held);
        }
    }

    /** One lane. Thread-safe. */
    private static final class Lane implements Runnable {
        private final Executor executor;
        private final Queue<Delivery> waiting = new ArrayDeque<>();
        private boolean isTask;
        /**
         * Whether the executor has rejected the lane's task. The executor may run the task nevertheless, so the lane
         * must stay empty.
         */
        private boolean isRefused;

        Lane(Executor executor) {
            this.executor = executor;
        }

        /** Adds a message; returns false if the message must go to a new lane. */
        boolean add(Delivery delivery) {
            synchronized (this) {
                if (isRefused) {
                    return false;
                }
                waiting.add(delivery);
                if (isTask) {
                    return true;
                }
                isTask = true;
            }
            execute();
            return true;
        }

        /** If the application's executor rejects the task, the messages of the lane count as refused. */
        private void execute() {
            try {
                executor.execute(this);
            } catch (Throwable e) {
                refuse();
                for (Delivery next = next(); next != null; next = next()) {
                    next.refused(e);
                }
            }
        }

        private synchronized void refuse() {
            isRefused = true;
        }

        private synchronized @Nullable Delivery next() {
            final Delivery next = waiting.poll();
            isTask = next != null;
            return next;
        }

        synchronized boolean isIdle() {
            return !isTask && !isRefused;
        }

        synchronized void addTo(RetainedBytes held) {
            waiting.forEach(it -> it.addTo(held));
        }

        @Override
        public void run() {
            for (int turn = 0; turn < TURN; turn++) {
                final Delivery next = next();
                if (next == null) {
                    return;
                }
                UserCode.run(next);
            }
            execute();
        }
    }
}
