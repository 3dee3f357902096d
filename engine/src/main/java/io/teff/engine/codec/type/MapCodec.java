package io.teff.engine.codec.type;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Codec of maps: the number of entries as LEB128, then for each entry a byte with two null bits, the key, the value.
 */
public final class MapCodec extends TypeCodec<Map<@Nullable Object, @Nullable Object>> {
    /** Null bit of the key. */
    public static final int NULL_KEY = 1;
    /** Null bit of the value. */
    public static final int NULL_VALUE = 2;
    /** Message for a map whose entries change while it is written. */
    public static final String CHANGED = "the entries changed while they were written";
    /** Message for a key that the bytes contain twice. */
    public static final String DUPLICATE = "a duplicate key";

    private final TypeCodec<Object> key;
    private final TypeCodec<Object> value;
    private final ContainerKind<Map<@Nullable Object, @Nullable Object>> kind;
    private final ReadableContainers readable;

    /** Makes a codec of the maps of a declared type. */
    public MapCodec(TypeCodec<Object> key, TypeCodec<Object> value,
                    ContainerKind<Map<@Nullable Object, @Nullable Object>> kind) {
        super(VARIABLE, 1);
        this.key = key;
        this.value = value;
        this.kind = kind;
        this.readable = new ReadableContainers(kind.refusals(), key);
    }

    @Override
    public void write(Map<@Nullable Object, @Nullable Object> map, Output out) {
        if (!isToCheck(map) || !out.beginCheck()) {
            writeEntries(map, out);
            return;
        }
        try {
            int before = out.size();
            writeEntries(map, out);
            ReadableContainers.check(this, map, out.array(), out.start() + before, out.size() - before);
        } finally {
            out.endCheck();
        }
    }

    /**
     * Refuses a map that could not be read.
     *
     * @return whether the map must be read after it was written
     */
    public boolean isToCheck(Map<@Nullable Object, @Nullable Object> map) {
        return readable.isToCheck(map);
    }

    private void writeEntries(Map<@Nullable Object, @Nullable Object> map, Output out) {
        Collection<Map.Entry<@Nullable Object, @Nullable Object>> entries = entries(map);
        int count = entries.size();
        out.putVar(count);
        Iterator<Map.Entry<@Nullable Object, @Nullable Object>> iterator = entries.iterator();
        while (iterator.hasNext()) {
            Map.Entry<@Nullable Object, @Nullable Object> entry = Moment.next(iterator, CHANGED);
            Object k = entry.getKey();
            Object v = entry.getValue();
            out.putByte((byte) ((k == null ? NULL_KEY : 0) | (v == null ? NULL_VALUE : 0)));
            if (k != null) {
                key.write(k, out);
            }
            if (v != null) {
                value.write(v, out);
            }
            count--;
        }
        if (count != 0) {
            throw new ConcurrentModificationException(CHANGED);
        }
    }

    /** Returns the entries of a map, which no other thread may change while the entries are written. */
    public Collection<Map.Entry<@Nullable Object, @Nullable Object>> entries(
        Map<@Nullable Object, @Nullable Object> map) {
        return Moment.entries(map);
    }

    @Override
    public Map<@Nullable Object, @Nullable Object> read(Input in) {
        int count = in.getCount(1);
        Map<@Nullable Object, @Nullable Object> map = make(count);
        for (int i = 0; i < count; i++) {
            int nulls = in.getByte();
            NullBits.requireClear(nulls, ~(NULL_KEY | NULL_VALUE), in);
            Object k = (nulls & NULL_KEY) != 0 ? null : key.read(in);
            Object v = (nulls & NULL_VALUE) != 0 ? null : value.read(in);
            map.put(k, v);
            if (map.size() != i + 1) {
                throw in.malformed(DUPLICATE);
            }
        }
        return map;
    }

    /** Makes a codec of the same kind of map with other codecs of the keys and values. */
    public MapCodec with(TypeCodec<Object> otherKey, TypeCodec<Object> otherValue) {
        return new MapCodec(otherKey, otherValue, kind);
    }

    @Override
    public Object missing() {
        return make(0);
    }

    /** Returns the codec of the keys. */
    public TypeCodec<Object> key() {
        return key;
    }

    /** Returns the codec of the values. */
    public TypeCodec<Object> value() {
        return value;
    }

    /** Makes an empty map for a number of entries. */
    public Map<@Nullable Object, @Nullable Object> make(int count) {
        return kind.factory().apply(Math.min(count, CollectionCodec.CAPACITY_MAX));
    }

    @Override
    void describe(Description description) {
        description.composed(Description.MAP, key, value);
    }
}
