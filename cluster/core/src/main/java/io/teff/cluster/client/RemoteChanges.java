package io.teff.cluster.client;

import io.teff.cluster.ChangeStream;
import io.teff.cluster.WatchOptions;
import io.teff.cluster.WatchPosition;
import io.teff.cluster.collect.ChangeEvent;
import io.teff.cluster.operation.WaitMessages.Place;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Deadline;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The changes of a collection: asks all owners for the changes behind the known numbers, and asks again when the
 * program has taken all of them. So a program that is slow costs the owners nothing, and this client one answer.
 * Without a change, {@link ChangeAwait} has a question wait at each owner.
 *
 * <p>The known numbers are those of the last answers. The shown numbers are those of the last events that the program
 * has taken: a position has these.
 */
final class RemoteChanges<K, V> implements ChangeStream<K, V> {
    private static final long PAUSE_NS_MIN = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long PAUSE_NS_MAX = TimeUnit.MILLISECONDS.toNanos(20);
    /** Stands for no ring in a question, where 0 is the end of any ring. */
    private static final long NO_RING = -1;
    private static final long LISTEN_NS = TimeUnit.SECONDS.toNanos(1);

    private final Watched<K, V> map;
    private final WatchOptions options;
    private final Clock clock;
    /** The watched partitions; all arrays below are by the index of a partition. */
    private final int[] watched;
    private final int filter;
    private final byte[] wanted;
    private final long[] knownRings;
    private final long[] knownNumbers;
    private final long[] shownRings;
    private final long[] shownNumbers;
    private final int[] waiting;
    private final Deque<Waiting<K, V>> ready = new ArrayDeque<>();
    private final ChangeAwait owners;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private record Waiting<K, V>(Event<K, V> event, long ring) {}

    /** Begins a stream: at its return, the changes from now on are kept. */
    RemoteChanges(Watched<K, V> map, Codec<K> keys, WatchOptions options) {
        this.map = map;
        this.options = options;
        clock = map.client().services().clock();
        owners = new ChangeAwait(map.client());
        filter = filter(keys, options);
        wanted = wanted(keys, options);
        watched = filter == ChangeEvent.KEY ? new int[] {map.partitionOf(wanted)}
            : IntStream.range(0, map.partitions()).toArray();
        knownRings = new long[map.partitions()];
        knownNumbers = new long[map.partitions()];
        waiting = new int[map.partitions()];
        final WatchPosition from = options.from();
        if (from != null) {
            begin(from);
        }
        shownRings = knownRings.clone();
        shownNumbers = knownNumbers.clone();
        map.client().beginStream();
        boolean isBegun = false;
        try {
            ask(true);
            isBegun = true;
        } finally {
            if (!isBegun) {
                close();
            }
        }
    }

    /** Continues at a position, or with a gap in each partition that the position does not know. */
    private void begin(WatchPosition from) {
        final boolean isOfMap = from.collection() == map.token() && from.partitions() == knownRings.length;
        for (int i = 0; i < knownRings.length; i++) {
            knownRings[i] = isOfMap && from.ring(i) != 0 ? from.ring(i) : NO_RING;
            knownNumbers[i] = isOfMap ? from.number(i) : 0;
        }
    }

    private static int filter(Codec<?> keys, WatchOptions options) {
        if (options.prefix() instanceof String && !keys.hasBytesOf(Codecs.STRING.describe())) {
            throw new IllegalArgumentException("the keys are no strings: " + keys.describe());
        }
        return options.key() != null ? ChangeEvent.KEY
            : options.prefix() instanceof String ? ChangeEvent.STRING_PREFIX
            : options.prefix() != null ? ChangeEvent.PREFIX : ChangeEvent.ALL;
    }

    @SuppressWarnings("unchecked")
    private static <K> byte[] wanted(Codec<K> keys, WatchOptions options) {
        final Output out = Output.growing(64);
        if (options.key() != null) {
            out.putValue(keys, (K) options.key());
        } else if (options.prefix() instanceof String prefix) {
            out.putValue(Codecs.STRING, prefix);
        } else if (options.prefix() instanceof byte[] prefix) {
            out.putBytes(prefix, 0, prefix.length);
        }
        return out.toByteArray();
    }

    // ---- questions and answers ----

    private byte[] question(int partition) {
        return ByteBuffer.allocate(ChangeEvent.QUESTION_BYTES + wanted.length).order(ByteOrder.LITTLE_ENDIAN)
            .putLong(knownRings[partition]).putLong(knownNumbers[partition]).putInt(options.keptEvents())
            .putInt(filter).putLong(options.keptBytes()).put(wanted).array();
    }

    /** Asks all owners at once. Nothing has changed here if an owner does not answer. */
    private void ask(boolean isFirst) {
        final byte[][] questions = new byte[watched.length][];
        for (int i = 0; i < watched.length; i++) {
            questions[i] = question(watched[i]);
        }
        final byte[][] answers = map.batches().changes(map.roots(watched), questions, isFirst);
        for (int i = 0; i < watched.length; i++) {
            if (answers[i] == null) {
                throw new StoreException(Category.DEGRADED, "a zone does not exist, and has partition " + watched[i]);
            }
        }
        for (int i = 0; i < watched.length; i++) {
            take(watched[i], ByteBuffer.wrap(answers[i]).order(ByteOrder.LITTLE_ENDIAN));
        }
    }

    private void take(int partition, ByteBuffer answer) {
        try {
            final long ring = answer.getLong();
            final long number = answer.getLong();
            final boolean isGap = answer.getInt() != 0;
            final int events = answer.getInt();
            if (isGap) {
                add(new Gap<>(partition, number), ring);
            }
            for (int i = 0; i < events; i++) {
                add(event(partition, answer), ring);
            }
            knownRings[partition] = ring;
            knownNumbers[partition] = number;
            if (waiting[partition] == 0) {
                shown(partition);
            }
        } catch (BufferUnderflowException e) {
            throw new MalformedException(answer.position(), "a wrong answer about changes", e);
        }
    }

    private void shown(int partition) {
        shownRings[partition] = knownRings[partition];
        shownNumbers[partition] = knownNumbers[partition];
    }

    private void add(Event<K, V> event, long ring) {
        ready.add(new Waiting<>(event, ring));
        waiting[event.partition()]++;
    }

    private Event<K, V> event(int partition, ByteBuffer answer) {
        final int length = answer.getInt();
        final int from = answer.position();
        final long number = answer.getLong();
        final int kind = answer.getInt();
        final int keyLength = answer.getInt();
        final int value = from + ChangeEvent.HEAD_BYTES + keyLength;
        if (keyLength < 0 || length < ChangeEvent.HEAD_BYTES + keyLength || from + length > answer.limit()) {
            throw new BufferUnderflowException();
        }
        answer.position(from + length);
        final K key = map.key(answer.array(), from + ChangeEvent.HEAD_BYTES, keyLength);
        return switch (kind) {
            case ChangeEvent.PUT -> new Put<>(key, map.value(answer.array(), value, from + length - value), partition,
                number);
            case ChangeEvent.LONG_PUT -> new Put<>(key, null, partition, number);
            default -> new Removed<>(key, partition, number);
        };
    }

    // ---- the program ----

    @Override
    public Optional<Event<K, V>> next(long timeoutNs) {
        final Deadline limit = Deadline.in(clock, timeoutNs);
        long pauseNs = 0;
        requireOpen();
        while (ready.isEmpty()) {
            ask(false);
            requireOpen();
            if (ready.isEmpty()) {
                if (limit.isOver()) {
                    return Optional.empty();
                }
                if (pauseNs > 0) {                              // the last wait has brought nothing for these keys
                    clock.pause(this, Math.min(limit.leftNs(), pauseNs));
                }
                owners.await(known(), limit);
                pauseNs = Math.clamp(2 * pauseNs, PAUSE_NS_MIN, PAUSE_NS_MAX);
            }
        }
        final Waiting<K, V> next = ready.remove();
        final int partition = next.event().partition();
        shownRings[partition] = next.ring();
        shownNumbers[partition] = next.event().number();
        if (--waiting[partition] == 0) {
            shown(partition);
        }
        return Optional.of(next.event());
    }

    /** Returns what this stream knows, for the owners. */
    private List<Place> known() {
        final long[] roots = map.roots(watched);
        return IntStream.range(0, watched.length).mapToObj(i ->
            new Place(roots[i], knownRings[watched[i]], knownNumbers[watched[i]])).toList();
    }

    private void requireOpen() {
        if (isClosed.get()) {
            throw new IllegalStateException("the stream of changes was closed");
        }
    }

    @Override
    public void forEach(Consumer<? super Event<K, V>> listener) {
        while (!isClosed.get()) {
            final Optional<Event<K, V>> event;
            try {
                event = next(LISTEN_NS);
            } catch (StoreException e) {
                if (e.category() != Category.RETRY) {
                    throw e;
                }
                continue;
            } catch (IllegalStateException e) {
                if (isClosed.get()) {
                    return;
                }
                throw e;
            }
            event.ifPresent(listener);
        }
    }

    @Override
    public WatchPosition position() {
        return new WatchPosition(map.token(), shownRings, shownNumbers);
    }

    @Override
    public boolean isClosed() {
        return isClosed.get();
    }

    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            owners.close();
            map.client().endStream();
        }
    }
}
