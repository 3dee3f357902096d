package io.teff.cluster.operation;

import static io.teff.cluster.operation.OperationFormat.HEAD_BYTES;

import io.teff.cluster.collect.KeyRange;
import io.teff.cluster.collect.ListRevisions;
import io.teff.cluster.collect.RangeState;
import io.teff.cluster.collect.ServedCollection;
import io.teff.engine.Cid;
import io.teff.engine.codec.Input;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.error.Status;
import io.teff.engine.raw.QueuePlaces;
import io.teff.engine.raw.RawCollection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * One read of a queue, list or sorted map at its owner, under the lock of the collection. A page has entries as {@link
 * MapPage}: the key of an element of a queue is its place (CID of the segment 8, offset 4), of an element of a list its
 * index (8). An entry without a key ends the page of a list at an
 * end of the list; its value is the index of the end (8). For one thread; used once.
 */
final class CollectionRead {
    /** Result of a page with the last entries. */
    static final long LAST_PAGE = 0;
    /** Result of a page behind which there may be entries. */
    static final long MORE = 1;

    private static final byte[] NO_BYTES = new byte[0];

    private final ServedCollection collection;
    private final CollectionMode mode;
    private final long first;
    private final long second;
    private final OperationRequest request;
    private final SingleAnswer answer;
    private long result = Status.ABSENT;
    private int length;
    private boolean isTooLong;
    private int code = OperationFormat.DONE;

    CollectionRead(ServedCollection collection, SingleAnswer answer) {
        this.collection = collection;
        this.answer = answer;
        request = answer.request();
        mode = CollectionMode.of(request.argument(0));
        first = request.argument(1);
        second = request.argument(2);
    }

    /** Reads, and returns the number of the last change that the read has seen. Called under the lock. */
    long run() {
        final RangeState part = collection.part();
        if (part != null && !PartRange.isInside(part, collection.content(), mode, first, request.content())) {
            code = OperationFormat.ELSEWHERE;
            value(PartRange.bytes(part));
            return collection.lastNumber();
        }
        switch (collection.content().content()) {
            case ChunkQueue<?> queue -> read(RawContents.of(queue));
            case ChunkList<?> list -> read(RawContents.of(list), collection.revisions());
            case ChunkSortedMap<?, ?> map -> read(RawContents.of(map));
            default -> throw RawContents.wrong(mode);
        }
        return collection.lastNumber();
    }

    /** Returns the result of the answer. */
    long result() {
        return result;
    }

    /** Returns the code of the answer: DONE, or why nothing was read. */
    int code() {
        return code;
    }

    /** Returns the length of the content behind the head. */
    int length() {
        return length;
    }

    /** Returns whether a short answer has no room for the content. */
    boolean isTooLong() {
        return isTooLong;
    }

    private void value(byte @Nullable [] value) {
        if (value == null) {
            return;
        }
        isTooLong = value.length > answer.contentMax();
        result = value.length;
        if (!isTooLong) {
            length = value.length;
            answer.scratch().ensure(HEAD_BYTES + length);
            System.arraycopy(value, 0, answer.scratch().bytes(), HEAD_BYTES, length);
        }
    }

    // ---- pages ----

    private MapPage page() {
        return new MapPage(answer.scratch(), OperationFormat.PAGE_BYTES, answer.contentMax());
    }

    private void end(MapPage page, long how) {
        isTooLong = page.isEmpty();
        length = page.bytes();
        result = how;
    }

    private void read(ChunkQueue<byte[]> queue) {
        if (mode == CollectionMode.QUEUE_PEEK) {
            value(queue.peek());
            return;
        }
        if (mode != CollectionMode.QUEUE_PAGE) {
            throw RawContents.wrong(mode);
        }
        final boolean isPlace = first != 0 && Cid.nid(first) == Cid.nid(request.cid);
        @SuppressWarnings("unchecked") final QueuePlaces.PlaceWalk<byte[]> walk =
            ((QueuePlaces<byte[]>) queue).behind(isPlace ? first : 0, (int) second);
        final MapPage page = page();
        byte[] next = walk.next();
        while (next != null && page.entry(RawContents.place(walk.segment(), walk.at()), next)) {
            next = walk.next();
        }
        end(page, next == null ? LAST_PAGE : MORE);
    }

    private void read(ChunkList<byte[]> list, ListRevisions revisions) {
        final long size = list.longSize();
        if (mode == CollectionMode.LIST_GET) {
            final long index = first == CollectionMode.LAST ? size - 1 : first;
            value(index >= 0 && index < size ? list.getAt(index) : null);
            return;
        }
        if (mode != CollectionMode.LIST_PAGE && mode != CollectionMode.LIST_PAGE_BACK) {
            throw RawContents.wrong(mode);
        }
        final boolean isUpwards = mode == CollectionMode.LIST_PAGE;
        final long known = second == 0 ? first : revisions.position(second, first);
        final long from = Math.clamp(known == ListRevisions.UNKNOWN ? first : known, 0, size);
        final MapPage page = page();
        long index = isUpwards ? from : from - 1;
        while (index >= 0 && index < size && page.entry(RawContents.bytes(index), list.getAt(index))) {
            index += isUpwards ? 1 : -1;
        }
        if (index < 0 || index >= size) {
            page.entry(NO_BYTES, RawContents.bytes(Math.max(index, 0)));
        }
        end(page, revisions.now());
    }

    /** Reads values until the page is full; a value that has no room in a short answer needs a long one. */
    private void getAll(ChunkSortedMap<Object, byte[]> map, List<byte[]> keys) {
        final MapPage page = page();
        int looked = 0;
        boolean hasRoom = true;
        while (hasRoom && looked < keys.size()) {
            final byte[] key = keys.get(looked);
            final byte[] found = map.get(RawContents.key(collection.content(), key, key.length));
            hasRoom = found == null || page.entry(RawContents.bytes(looked), found);
            looked += hasRoom ? 1 : 0;
        }
        isTooLong = looked == 0 && !keys.isEmpty();
        length = page.bytes();
        result = looked;
    }

    private void count(NavigableMap<Object, byte[]> part) {
        Object last = null;
        result = 0;
        for (Object key : part.navigableKeySet()) {
            last = key;
            if (++result == CollectionMode.COUNTED_MAX) {
                break;
            }
        }
        if (last != null && result == CollectionMode.COUNTED_MAX) {
            final byte[] bytes = RawContents.bytes(collection.content(), last);
            length = bytes.length;
            answer.scratch().ensure(HEAD_BYTES + length);
            System.arraycopy(bytes, 0, answer.scratch().bytes(), HEAD_BYTES, length);
        }
    }

    private void read(ChunkSortedMap<Object, byte[]> map) {
        final RawCollection of = collection.content();
        final byte[] content = request.content();
        if (mode == CollectionMode.SORTED_GET) {
            value(map.get(RawContents.key(of, content, content.length)));
            return;
        }
        if (mode == CollectionMode.SORTED_PART) {
            value(PartRange.answer(collection, 0, List.of()));
            result = collection.fills() ? OperationFormat.PART_FILLS : 0;
            return;
        }
        if (mode == CollectionMode.SORTED_GET_ALL) {
            getAll(map, RawContents.split(content));
            return;
        }
        final KeyRange range = KeyRange.CODEC.read(new Input(content, 0, content.length));
        if (mode == CollectionMode.SORTED_COUNT && PartRange.isWhole(collection.part(), range)) {
            result = map.longSize();
            return;
        }
        final NavigableMap<Object, byte[]> part = RawContents.in(of, map, range);
        if (mode == CollectionMode.SORTED_COUNT) {
            count(part);
            return;
        }
        if (mode != CollectionMode.SORTED_PAGE) {
            throw RawContents.wrong(mode);
        }
        final MapPage page = page();
        long left = second == 0 ? Long.MAX_VALUE : second;
        boolean isWhole = true;
        if (first == 0) {
            for (Object key : part.navigableKeySet()) {
                isWhole = left-- > 0 && page.entry(RawContents.bytes(of, key), NO_BYTES);
                if (!isWhole) {
                    break;
                }
            }
        } else {
            for (Map.Entry<Object, byte[]> entry : part.entrySet()) {
                isWhole = left-- > 0 && page.entry(RawContents.bytes(of, entry.getKey()), entry.getValue());
                if (!isWhole) {
                    break;
                }
            }
        }
        end(page, isWhole ? LAST_PAGE : MORE);
    }
}
