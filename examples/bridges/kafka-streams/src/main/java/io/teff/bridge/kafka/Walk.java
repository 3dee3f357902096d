package io.teff.bridge.kafka;

import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;

/** The entries of a range as Kafka walks over them: the key of the next entry can be seen before. */
final class Walk implements KeyValueIterator<Bytes, byte[]> {
    private Iterator<Map.Entry<byte[], byte[]>> entries;
    private Map.@Nullable Entry<byte[], byte[]> next;

    Walk(Iterator<Map.Entry<byte[], byte[]>> entries) {
        this.entries = entries;
    }

    static Walk empty() {
        return new Walk(Collections.emptyIterator());
    }

    private Map.Entry<byte[], byte[]> peek() {
        Map.Entry<byte[], byte[]> shown = next;
        if (shown == null) {
            shown = entries.next();
            next = shown;
        }
        return shown;
    }

    @Override
    public boolean hasNext() {
        return next != null || entries.hasNext();
    }

    @Override
    public Bytes peekNextKey() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return Bytes.wrap(peek().getKey());
    }

    @Override
    public KeyValue<Bytes, byte[]> next() {
        final Map.Entry<byte[], byte[]> entry = peek();
        next = null;
        return new KeyValue<>(Bytes.wrap(entry.getKey()), entry.getValue());
    }

    @Override
    public void close() {
        entries = Collections.emptyIterator();
        next = null;
    }
}
