package io.teff.cluster.operation;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The operations of requests on queues, lists and sorted maps, with the numbers in messages. Each operation describes
 * the two arguments and the content of a request.
 */
public enum CollectionMode {
    /** Reads a number of the collection; argument: {@link OperationFormat#MAP_ENTRIES}, or another number. */
    NUMBER(1, Effect.READS, false),

    // ---- queues; a place is the CID of a segment, and an offset there ----

    /** Reads the first element. */
    QUEUE_PEEK(10, Effect.READS, false),
    /** Reads a page of elements with their places; arguments: the place behind which the page begins, or zeros. */
    QUEUE_PAGE(11, Effect.READS, false),
    /** Adds an element, the content. */
    QUEUE_OFFER(12, Effect.ADDS, true),
    /** Removes the first element. */
    QUEUE_POLL(13, Effect.REMOVES, false),
    /** Removes elements without reading; argument: how many. The result is how many there were. */
    QUEUE_SKIP(14, Effect.REMOVES, false),
    /** Removes the element at a place; arguments: the place. */
    QUEUE_REMOVE(15, Effect.REMOVES, false),
    /** Adds several elements, the content: of each its length (4), and its bytes. The result is their number. */
    QUEUE_OFFER_ALL(16, Effect.ADDS, true),

    // ---- lists; an index is of the moment of a revision, or of this moment if the revision is 0 ----

    /** Reads an element; argument: index, or {@link #LAST}. */
    LIST_GET(20, Effect.READS, false),
    /** Reads a page of elements from an index on; arguments: index, revision. */
    LIST_PAGE(21, Effect.READS, false),
    /** Reads a page of elements before an index, backwards; arguments: index, revision. */
    LIST_PAGE_BACK(22, Effect.READS, false),
    /** Adds an element, the content, at the end. */
    LIST_ADD(23, Effect.ADDS, true),
    /** Inserts an element, the content; arguments: index, revision. */
    LIST_INSERT(24, Effect.ADDS, true),
    /** Replaces an element by the content, and returns the element before; argument: index. */
    LIST_SET(25, Effect.ADDS, true),
    /** Replaces an element by the content; argument: index. */
    LIST_PUT(26, Effect.ADDS, true),
    /** Replaces an element by the content if it has the same index; arguments: index, revision. */
    LIST_SET_SAME(27, Effect.ADDS, true),
    /** Replaces an element by the content, whatever index it has now; arguments: index, revision. */
    LIST_SET_SHOWN(28, Effect.ADDS, true),
    /** Removes an element and returns it; argument: index, or {@link #LAST}. */
    LIST_REMOVE(29, Effect.REMOVES, false),
    /** Removes an element if it has the same index; arguments: index, revision. */
    LIST_REMOVE_SAME(30, Effect.REMOVES, false),
    /** Removes an element if it is the last one; arguments: index, revision. */
    LIST_REMOVE_LAST(31, Effect.REMOVES, false),
    /** Removes an element, whatever index it has now; arguments: index, revision. */
    LIST_REMOVE_SHOWN(32, Effect.REMOVES, false),
    /** Removes elements from the end; argument: how many. The result is how many there were. */
    LIST_TRUNCATE(33, Effect.REMOVES, false),
    /** Adds several elements, the content, at the end, as {@link #QUEUE_OFFER_ALL}. */
    LIST_ADD_ALL(34, Effect.ADDS, true),
    /** Removes consecutive elements; arguments: index, how many. The result is how many there were. */
    LIST_REMOVE_RANGE(35, Effect.REMOVES, false),

    // ---- sorted maps ----

    /** Reads the value of a key, the content. */
    SORTED_GET(40, Effect.READS, true),
    /** Reads entries of a range, the content; arguments: 1 with values or 0, most entries or 0 for no limit. */
    SORTED_PAGE(41, Effect.READS, true),
    /** Removes the first entry of a range, the content, and returns the entry. */
    SORTED_POLL(42, Effect.REMOVES, true),
    /** Removes entries of a range, the content; argument: how many. The result is how many there were. */
    SORTED_CLEAR(43, Effect.REMOVES, true),
    /**
     * Reads the values of several keys, the content: of each its length (4), and its bytes. The answer is a page of the
     * entries that were found, by the indexes of the keys (8); the result is the number of keys that were looked up.
     */
    SORTED_GET_ALL(44, Effect.READS, true),
    /** Counts entries of a range, the content. If there are more than {@link #COUNTED_MAX}, the last key follows. */
    SORTED_COUNT(45, Effect.READS, true),
    /** Puts several entries, the content: lengths of key and value (4, 4), key, value. The result is their number. */
    SORTED_SET_ALL(46, Effect.ADDS, true),
    /** Removes entries of several keys, the content, as of {@link #SORTED_GET_ALL}; the result is their number. */
    SORTED_DELETE_ALL(47, Effect.REMOVES, true),
    /** Reads the bounds and numbers of a part. */
    SORTED_PART(48, Effect.READS, false),
    /** Changes an entry as {@link MapMode} with the number above 50; the arguments and the content are the same. */
    SORTED_SET(51, Effect.ADDS, true),
    /** Puts an entry, and returns the value before. */
    SORTED_PUT(52, Effect.ADDS, true),
    /** Puts an entry if there is none, and returns the present value. */
    SORTED_PUT_IF_ABSENT(53, Effect.ADDS, true),
    /** Replaces an entry if there is one, and returns the value before. */
    SORTED_REPLACE(54, Effect.ADDS, true),
    /** Replaces a value with expected bytes, or returns the present value. */
    SORTED_REPLACE_IF_SAME(55, Effect.ADDS, true),
    /** Removes an entry, and returns the value before. */
    SORTED_REMOVE(56, Effect.REMOVES, true),
    /** Removes an entry; does not return the value before. */
    SORTED_DELETE(57, Effect.REMOVES, true),
    /** Removes an entry whose value has expected bytes, or returns the present value. */
    SORTED_REMOVE_IF_SAME(58, Effect.REMOVES, true),
    /** Changes a value by a ready-made function in place of the value, and returns the value afterwards. */
    SORTED_APPLY(59, Effect.ADDS, true),
    /** Changes a value by a ready-made function; does not return the value. */
    SORTED_MODIFY(60, Effect.ADDS, true),
    /** Changes an entry by a registered function in place of the value, and returns the result of the function. */
    SORTED_CALL(61, Effect.ADDS, true);

    /** Index of the last element of a list. */
    public static final long LAST = -1;
    /** Most elements that one change removes. */
    public static final int REMOVED_MAX = 256;
    /** Most bytes of several elements that one change adds. */
    public static final int ADDED_BYTES_MAX = 24 << 10;

    /** Most entries of a sorted map that one change puts, or removes by their keys: each may change other nodes. */
    public static final int SORTED_MANY_MAX = 64;
    /** Most entries that one request counts: some milliseconds under the lock of the map. */
    static final int COUNTED_MAX = 1 << 14;

    private static final int SORTED_CHANGES = 50;
    private static final int NUMBER_MAX = 61;
    private static final @Nullable CollectionMode[] BY_NUMBER = new CollectionMode[NUMBER_MAX + 1];

    static {
        for (CollectionMode mode : values()) {
            BY_NUMBER[mode.number] = mode;
        }
        for (MapMode mode : MapMode.values()) {
            assert BY_NUMBER[SORTED_CHANGES + mode.number()] != null : "each change of a map is one of a sorted map";
        }
    }

    private enum Effect { READS, REMOVES, ADDS }

    private final int number;
    private final Effect effect;
    private final boolean hasContent;

    CollectionMode(int number, Effect effect, boolean hasContent) {
        this.number = number;
        this.effect = effect;
        this.hasContent = hasContent;
    }

    /** {@return the number in messages} */
    public int number() {
        return number;
    }

    /** {@return the mode of a change of an entry of a sorted map} */
    public static CollectionMode ofChange(MapMode mode) {
        return Objects.requireNonNull(BY_NUMBER[SORTED_CHANGES + mode.number()]);
    }

    /** Returns the mode with a number, which is valid. */
    static CollectionMode of(long number) {
        return Objects.requireNonNull(BY_NUMBER[(int) number]);
    }

    /** Returns whether arguments and content of a request are those of a mode. */
    static boolean isValid(long number, long first, long second, int length, boolean isChange) {
        final CollectionMode mode = number < 0 || number > NUMBER_MAX ? null : BY_NUMBER[(int) number];
        if (mode == null || isChange == (mode.effect == Effect.READS) || !mode.hasContent && length > 0) {
            return false;
        }
        final MapMode change = mode.change();
        return change == null || change.isSound(first, second, length);
    }

    /** Returns whether the mode may add something. */
    boolean adds() {
        return effect == Effect.ADDS;
    }

    /** Returns the change of an entry of a sorted map; null for other modes. */
    @Nullable MapMode change() {
        return number > SORTED_CHANGES ? MapMode.of(number - SORTED_CHANGES) : null;
    }
}
