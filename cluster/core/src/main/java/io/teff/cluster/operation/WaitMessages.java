package io.teff.cluster.operation;

import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Schema;
import java.util.List;

/** The type of messages of watchers that wait for a change. */
public final class WaitMessages {
    private static final int WAIT_ID = 34;

    /** A question that waits at the owner. */
    public static final RequestType<Question, Answer> WAIT =
        RequestType.of(WAIT_ID, Schema.of(Question.class), Schema.of(Answer.class));

    private WaitMessages() {}

    /**
     * A question that waits until a watched map has a change behind a number.
     *
     * @param waitMs longest wait of the owner in milliseconds
     * @param places the maps; the question ends with the first change in any of them
     */
    public record Question(int waitMs, List<Place> places) {
        /** Most maps of a question. */
        public static final int PLACES_MAX = 256;

        /** Copies the list. */
        public Question {
            places = List.copyOf(places);
        }
    }

    /**
     * Last change of a map that a watcher knows.
     *
     * @param root of the map
     * @param ring the CID of the ring
     * @param number of the last change that the watcher knows
     */
    public record Place(long root, long ring, long number) {}

    /**
     * The end of a question.
     *
     * @param code one of the codes below
     */
    public record Answer(int code) {
        /** There may be a change, or the owner is no longer the owner: the watcher asks for changes. */
        public static final int CHANGED = 1;
        /** The time is over. */
        public static final int WAITED = 2;
        /** The owner has as many questions as it takes: the watcher asks again behind a pause. */
        public static final int FULL = 3;
    }
}
