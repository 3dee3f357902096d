package io.teff.cluster.collect;

/**
 * Layout of an event of a {@link ChangeRing}, of its root, and of what watchers send and receive. Numbers are
 * little-endian.
 * <pre>
 *  event       number 8 (0 if void) | kind 4 | length of the key 4 | key | value
 *  root        version 4 | places 4 | CID of the first place 8 | most bytes 8
 *  question    ring 8, 0 for its end | number 8 | places 4 | filter 4 | most bytes 8 | key or prefix
 *  answer      ring 8 | number 8 | gap 4 (1 or 0) | events 4 | events: length 4, event
 *
 *  kind        1 put, 2 removal, 3 put of a value that has no room in the event
 *  filter      0 all, 1 a key, 2 first bytes of keys, 3 first chars of keys that are strings: a string
 * </pre>
 * The answer is complete up to its number. Behind a gap, the watcher continues at the number.
 */
public final class ChangeEvent {
    /** Bytes of an event in front of the key. */
    public static final int HEAD_BYTES = 16;
    /** Kind: the entry has the value. */
    public static final int PUT = 1;
    /** Kind: there is no entry. */
    public static final int REMOVE = 2;
    /** Kind: the entry has a value that is not in the event. */
    public static final int LONG_PUT = 3;

    /** Filter: all keys. */
    public static final int ALL = 0;
    /** Filter: one key. */
    public static final int KEY = 1;
    /** Filter: keys with these first bytes. */
    public static final int PREFIX = 2;
    /** Filter: strings with these first chars. */
    public static final int STRING_PREFIX = 3;

    /** Bytes of a question in front of its key or prefix. */
    public static final int QUESTION_BYTES = 32;
    /** Bytes of an answer in front of its events. */
    public static final int ANSWER_BYTES = 24;

    static final int KIND_AT = 8;
    static final int KEY_LENGTH_AT = 12;
    static final int ROOT_BYTES = 24;

    static {
        assert KEY_LENGTH_AT + Integer.BYTES == HEAD_BYTES : "fields must tile the head of an event";
        assert QUESTION_BYTES == 3 * Long.BYTES + 2 * Integer.BYTES : "fields must tile a question";
    }

    private ChangeEvent() {}
}
