package io.teff.bridge.kafka;

import java.util.Map;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.query.Position;
import org.apache.kafka.streams.query.PositionBound;

/** How far a store has come in each partition of its input, for queries that want an answer of some age. */
final class Places {
    private final Position position = Position.emptyPosition();

    /** Notes the record that the context is at, if there is one. */
    void reach(StateStoreContext context) {
        context.recordMetadata().ifPresent(record ->
            position.withComponent(record.topic(), record.partition(), record.offset()));
    }

    /** Returns a copy. */
    Position position() {
        return position.copy();
    }

    /** Returns whether a partition has come as far as a bound. */
    boolean isAt(PositionBound bound, int partition) {
        for (String topic : bound.position().getTopics()) {
            final Long wanted = bound.position().getPartitionPositions(topic).get(partition);
            final Map<Integer, Long> reached = position.getPartitionPositions(topic);
            if (wanted != null && reached.getOrDefault(partition, Long.MIN_VALUE) < wanted) {
                return false;
            }
        }
        return true;
    }
}
