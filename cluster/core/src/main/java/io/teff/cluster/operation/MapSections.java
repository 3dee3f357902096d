package io.teff.cluster.operation;

import static io.teff.cluster.operation.OperationFormat.NOT_DONE;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.collect.ChangeEvent;
import io.teff.cluster.collect.ChangePage;
import io.teff.cluster.collect.ChangeRing;
import io.teff.cluster.collect.MapName;
import io.teff.cluster.collect.ServedMaps;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.operation.ZoneHost.Verdict;
import io.teff.cluster.slot.RecordedZone;
import io.teff.cluster.slot.Slot;
import io.teff.cluster.slot.SlotTable;
import io.teff.cluster.slot.SlotWriter;
import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.os.FailureText;
import io.teff.engine.raw.RawMap;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The sections of a batch for maps. Each entry names a map by its root. The contents of entries with a value, and of
 * pages, are side by side in the answer.
 *
 * <p><b>Order.</b> The changes of a section are made one after the other, and none behind a change that was not made.
 * So of two changes of one key in a section, the later one wins, also if the section is sent again. Used once.
 */
final class MapSections {
    /** The entries of a section. */
    record Range(int from, int count, long sourceAt) {}

    private final ZoneHost host;
    private final OperationRequest request;
    private final Scratch scratch;
    private final boolean isLong;
    private final long[] roots;
    private final long[] results;
    private final int contentMax;
    private final int contentsAt;
    private int contentLength;
    /** Chunks that the current section has read. */
    private long[] read = new long[16];
    private int readCount;
    private boolean isOfAll;
    private int changed;
    private final List<Runnable> awaited = new ArrayList<>();
    private boolean isRepeated;
    /** Whether the section reads events; the last record of these events; whether a ring was made or a fence raised. */
    private boolean isWatch;
    private long behind;
    private boolean isMade;
    /** The last map that was looked up. */
    private @Nullable RawMap map;
    private long root;

    MapSections(ZoneHost host, OperationRequest request, Scratch scratch, boolean isLong, long[] roots, long[] results,
                int contentMax, int contentsAt) {
        this.host = host;
        this.request = request;
        this.scratch = scratch;
        this.isLong = isLong;
        this.roots = roots;
        this.results = results;
        this.contentMax = contentMax;
        this.contentsAt = contentsAt;
    }

    /** Returns the length of the contents until now. */
    int contentLength() {
        return contentLength;
    }

    // ---- maps ----

    /** Thrown where a map does not exist: the collection was dropped. */
    private static final class Dropped extends RuntimeException {
        private static final long serialVersionUID = 1;

        Dropped() {
            super(null, null, false, false);
        }
    }

    /** Returns a map; null if the map is not open, and the request is a short one. */
    private @Nullable RawMap map(ChunkStore store, ServedMaps maps, long of) {
        if (map != null && root == of) {
            return map;
        }
        RawMap found = maps.known(of);
        if (found == null && isLong) {
            maps.enter();
            try {
                found = maps.open(store, of);
            } finally {
                maps.leave();
            }
            if (found == null) {
                throw new Dropped();
            }
        }
        map = found;
        root = of;
        return found;
    }

    /** Returns the code of a section whose map was dropped meanwhile. */
    private int absent(IllegalStateException thrown) {
        if (thrown instanceof StoreClosedException || thrown instanceof ZoneDroppedException || map == null
            || !ServedMaps.isDropped(map)) {
            throw thrown;
        }
        return OperationFormat.ABSENT;
    }

    private byte[] content(long at, int length) {
        return request.memory.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE);
    }

    private void begin() {
        map = null;
        readCount = 0;
        isOfAll = false;
        changed = 0;
        isRepeated = false;
        isWatch = false;
        isMade = false;
        behind = 0;
    }

    private void read(long cid) {
        if (readCount == read.length) {
            read = Arrays.copyOf(read, 2 * readCount);
        }
        read[readCount++] = cid;
    }

    // ---- reads ----

    /** Executes a section of reads; returns its code. */
    int read(ChunkStore store, SlotTable slots, Range range) {
        final ServedMaps maps = slots.maps();
        long at = range.sourceAt;
        try {
            for (int i = range.from; i < range.from + range.count; i++) {
                final int length = request.type.hasContents() ? request.entryLength(i) : 0;
                if (isOfNames()) {
                    results[i] = isLong ? named(store, maps, content(at, length)) : NOT_DONE;
                } else if (request.type == OperationType.MAPS_FENCE) {
                    results[i] = isLong ? raise(store, maps, roots[i]) : NOT_DONE;
                } else if (request.type == OperationType.MAPS_WATCH) {
                    results[i] = isOpen(store, maps, roots[i]) ? watch(store, maps, roots[i], content(at, length))
                        : NOT_DONE;
                } else {
                    final RawMap of = map(store, maps, roots[i]);
                    results[i] = of == null ? NOT_DONE : read(of, at, length);
                }
                at += length;
            }
            return OperationFormat.DONE;
        } catch (Dropped _) {
            return OperationFormat.ABSENT;
        } catch (IllegalStateException e) {
            return absent(e);
        }
    }

    private long read(RawMap of, long at, int length) {
        return switch (request.type) {
            case MAPS_GET -> get(of, content(at, length));
            case MAPS_PAGE -> page(of, at, length);
            default -> number(of);
        };
    }

    private boolean isOfNames() {
        return request.type == OperationType.MAPS_OPEN || request.type == OperationType.MAPS_DROP;
    }

    /** Opens or drops the map of a name. */
    private long named(ChunkStore store, ServedMaps maps, byte[] bytes) {
        isOfAll = true;
        maps.enter();
        try {
            final MapName name = MapName.CODEC.read(new Input(bytes, 0, bytes.length));
            if (request.type == OperationType.MAPS_OPEN) {
                return maps.open(store, name).root();
            }
            maps.drop(store, name.name());
            return 0;
        } catch (MalformedException | IllegalArgumentException e) {
            throw new StoreException(Category.DEGRADED, FailureText.of(e), e);
        } finally {
            maps.leave();
        }
    }

    /** Raises the fence of a collection; returns the token of the fence. */
    private long raise(ChunkStore store, ServedMaps maps, long of) {
        isWatch = true;
        isMade = true;
        maps.enter();
        try {
            requireOpened(store, maps, of);
            return maps.raise(store, of, request.cid);
        } finally {
            maps.leave();
        }
    }

    /** Opens any collection, inside of the gate. */
    private void requireOpened(ChunkStore store, ServedMaps maps, long of) {
        final ZoneRow row = host.row(Cid.nid(of));
        if (!maps.isOpened(store, of, row == null ? 1 : row.epoch())) {
            throw new Dropped();
        }
    }

    /** Returns whether a collection is open; a long request opens the collection. */
    private boolean isOpen(ChunkStore store, ServedMaps maps, long of) {
        if (maps.known(of) != null || maps.knownCollection(of) != null) {
            return true;
        }
        if (isLong) {
            maps.enter();
            try {
                requireOpened(store, maps, of);
            } finally {
                maps.leave();
            }
        }
        return isLong;
    }

    private long get(RawMap of, byte[] key) {
        if (!MapExecution.isKey(of, key.length)) {
            isOfAll = true;
            return Status.ABSENT;
        }
        final int[] found = new int[1];
        of.read(key, (bytes, length, bucket, overflow) -> {
            read(bucket);
            if (overflow != 0) {
                read(overflow);
            }
            found[0] = length;
            final int to = contentsAt + contentLength;
            if (length > 0 && length <= contentMax - contentLength) {
                scratch.ensure(to + length);
                System.arraycopy(bytes, 0, scratch.bytes(), to, length);
            }
        });
        if (found[0] > contentMax - contentLength) {
            return NOT_DONE;
        }
        contentLength += Math.max(found[0], 0);
        return Math.max(found[0], Status.ABSENT);
    }

    /** Puts the place of the next page, and the entries of a page; returns their length. */
    private long page(RawMap of, long at, int length) {
        final int to = contentsAt + contentLength;
        final int room = contentMax - contentLength - Long.BYTES;
        if (length != Long.BYTES || room <= 0) {
            return NOT_DONE;
        }
        scratch.ensure(to + Long.BYTES);
        final int wished = (int) (request.cid & ~OperationFormat.KEYS_ONLY);
        final MapPage page = new MapPage(scratch, to + Long.BYTES, wished, room,
            (request.cid & OperationFormat.KEYS_ONLY) != 0);
        final long next = of.scan(request.memory.get(OperationFormat.LONG, at), page);
        if (page.isEmpty() && next != 0) {
            return NOT_DONE;
        }
        for (long cid : page.chunks()) {
            read(cid);
        }
        scratch.memory().set(OperationFormat.LONG, to, next);
        contentLength += Long.BYTES + page.bytes();
        return (long) Long.BYTES + page.bytes();
    }

    /**
     * Makes a collection watched if it is not; puts the events behind a number, and returns the length of this answer.
     */
    private long watch(ChunkStore store, ServedMaps maps, long of, byte[] question) {
        final int room = contentMax - contentLength;
        isWatch = true;
        final ByteBuffer asked = ByteBuffer.wrap(question).order(ByteOrder.LITTLE_ENDIAN);
        if (question.length < ChangeEvent.QUESTION_BYTES || !isRing(asked)) {
            throw new StoreException(Category.DEGRADED, "a wrong question for the changes of a map");
        }
        ChangeRing ring = maps.ring(of);
        if (ring == null && isLong) {
            ring = maps.watch(store, of, asked.getInt(16), asked.getLong(24));
            isMade = true;
        }
        if (ring == null || room < ChangeEvent.ANSWER_BYTES) {
            return NOT_DONE;
        }
        final ChangePage page;
        try {
            page = new ChangePage(asked.getInt(20), Arrays.copyOfRange(question, ChangeEvent.QUESTION_BYTES,
                question.length), (int) request.cid, room);
        } catch (MalformedException e) {
            throw new StoreException(Category.DEGRADED, FailureText.of(e), e);
        }
        behind = Math.max(behind, ring.read(store, asked.getLong(0), asked.getLong(Long.BYTES), page));
        final byte[] answer = page.toBytes();
        if (page.isFull()) {
            return NOT_DONE;
        }
        scratch.ensure(contentsAt + contentLength + answer.length);
        System.arraycopy(answer, 0, scratch.bytes(), contentsAt + contentLength, answer.length);
        contentLength += answer.length;
        return answer.length;
    }

    private static boolean isRing(ByteBuffer asked) {
        return asked.getInt(16) >= ChangeRing.PLACES_MIN && asked.getInt(16) <= ChangeRing.PLACES_MAX
            && asked.getLong(24) >= ChangeRing.BYTES_MIN && asked.getLong(24) <= ChangeRing.BYTES_MAX;
    }

    private long number(RawMap of) {
        isOfAll = true;
        return switch ((int) request.cid) {
            case OperationFormat.MAP_ENTRIES -> of.longSize();
            case OperationFormat.MAP_MEMORY -> of.memoryBytes();
            default -> {
                if (!isLong) {
                    yield NOT_DONE;
                }
                of.audit();
                yield 0;
            }
        };
    }

    // ---- changes ----

    /** Executes a section of changes whose results the slot does not know; returns its code. */
    int change(RecordedZone zone, SlotTable slots, @Nullable Slot slot, Range range) {
        final MapMode mode = Objects.requireNonNull(MapMode.of(request.cid), "checked before");
        final long[] known = slot == null ? fresh(range.count) : slot.results(range.count);
        long at = range.sourceAt;
        try {
            for (int i = 0; i < range.count; i++) {
                final int length = request.entryLength(range.from + i);
                if (known[i] == NOT_DONE) {
                    final RawMap of = map(zone.of(), slots.maps(), roots[range.from + i]);
                    if (of == null) {
                        break;
                    }
                    final Entry entry = new Entry(mode, content(at, length), i);
                    final int index = i;
                    final int code = new FencedRun(slots.maps(), zone.of(), request.token, isLong).run(of.root(),
                        () -> known[index] = change(of, zone, slots, slot, entry));
                    if (code == OperationFormat.FENCED) {
                        return code;
                    }
                    if (code != OperationFormat.DONE) {
                        break;
                    }
                } else {
                    isRepeated = true;
                }
                at += length;
            }
            return OperationFormat.DONE;
        } catch (Dropped _) {
            return OperationFormat.ABSENT;
        } catch (IllegalStateException e) {
            return absent(e);
        } finally {
            System.arraycopy(known, 0, results, range.from, range.count);
        }
    }

    private static long[] fresh(int count) {
        final long[] fresh = new long[count];
        Arrays.fill(fresh, NOT_DONE);
        return fresh;
    }

    /** An entry: length of the key (4), length of the expected value (4), key, expected value, value. */
    private record Entry(MapMode mode, byte[] bytes, int index) {
        private int number(int at) {
            return new Input(bytes, at, Integer.BYTES).getInt();
        }

        boolean isValid() {
            if (bytes.length < OperationFormat.ENTRY_HEAD_BYTES) {
                return false;
            }
            final int left = bytes.length - OperationFormat.ENTRY_HEAD_BYTES;
            final int key = number(0);
            final int expected = number(Integer.BYTES);
            return key >= 0 && key <= left && expected >= 0 && expected <= left - key
                && (mode.isConditional() || expected == 0) && (!mode.isRemoval() || key + expected == left)
                && left - expected <= OperationFormat.MAP_ENTRY_BYTES_MAX;
        }
    }

    private long change(RawMap of, RecordedZone zone, SlotTable slots, @Nullable Slot slot, Entry entry) {
        if (!entry.isValid() || !MapExecution.isKey(of, entry.number(0))) {
            throw new StoreException(Category.DEGRADED, "a wrong entry of a batch of changes of a map");
        }
        final int keyLength = entry.number(0);
        final byte[] content = Arrays.copyOfRange(entry.bytes, OperationFormat.ENTRY_HEAD_BYTES, entry.bytes.length);
        final MapChange change;
        try {
            change = new MapChange(entry.mode, content, keyLength, entry.number(Integer.BYTES), slots, slot, zone,
                host.clock(), entry.index);
        } catch (MalformedException e) {
            throw new StoreException(Category.DEGRADED, "no function of a value", e);
        }
        if (slot != null) {
            SlotWriter.prepareEntry(slots, slot, entry.index);
        }
        change.run(slots.maps(), of);
        if (change.hasChanged()) {
            changed++;
            return Status.OK;
        }
        read(change.read()[0]);
        if (change.read()[1] != 0) {
            read(change.read()[1]);
        }
        if (change.isOtherForm()) {
            return Status.TOO_SMALL;
        }
        return change.isOutside() ? Status.OUT_OF_RANGE : change.wasAbsent() ? Status.ABSENT : Status.EXISTS;
    }

    // ---- verdicts ----

    /** Notes which verdicts of the host the section that was executed last waits for. */
    void end(int zone, long number, SectionsAnswer.Section part) {
        final long[] chunks = Arrays.copyOf(read, readCount);
        if (isWatch) {
            final long record = behind;
            final boolean isNew = isMade;
            awaited.add(() -> awaitEvents(zone, record, isNew, part.await()));
        } else if (isOfAll) {
            awaited.add(() -> awaitAll(zone, part.await()));
        } else if (chunks.length > 0) {
            awaited.add(() -> awaitChunks(zone, chunks, part.await()));
        }
        if (changed > 0 || isRepeated) {
            final long last = isRepeated ? 0 : number;
            awaited.add(() -> host.afterChange(zone, last, request.level, part.await()));
        }
        begin();
    }

    /** An event is shown when all backups have its change, whatever the level of the question. */
    private void awaitEvents(int zone, long record, boolean isNew, Consumer<Verdict> part) {
        if (isNew) {
            host.afterChange(zone, 0, WriteLevel.BACKED, part);
        } else {
            host.afterReadBehind(zone, record, part);
        }
    }

    private void awaitAll(int zone, Consumer<Verdict> part) {
        if (isOfNames()) {
            host.afterChange(zone, 0, WriteLevel.BACKED, part);
        } else if (request.isReadAtOwner) {
            host.afterOwnerRead(zone, part);
        } else {
            host.afterReadOfAll(zone, part);
        }
    }

    private void awaitChunks(int zone, long[] chunks, Consumer<Verdict> part) {
        if (request.isReadAtOwner) {
            host.afterOwnerRead(zone, part);
        } else {
            host.afterReads(zone, chunks, 0, chunks.length, part);
        }
    }

    /** Asks the host for all awaited verdicts, so that the changes of all sections are shipped together. */
    void await() {
        awaited.forEach(Runnable::run);
    }
}
