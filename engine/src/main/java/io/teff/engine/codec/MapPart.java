package io.teff.engine.codec;

import java.util.ConcurrentModificationException;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Maps: a count, then for each entry a byte with two null bits, the key and the value. */
final class MapPart extends Part<Map<@Nullable Object, @Nullable Object>> {
    static final int NULL_KEY = 1;
    static final int NULL_VALUE = 2;

    private final Part<Object> key;
    private final Part<Object> value;
    private final IntFunction<Map<@Nullable Object, @Nullable Object>> factory;

    MapPart(Part<Object> key, Part<Object> value, IntFunction<Map<@Nullable Object, @Nullable Object>> factory) {
        super(VARIABLE, 1);
        this.key = key;
        this.value = value;
        this.factory = factory;
    }

    @Override
    public void write(Map<@Nullable Object, @Nullable Object> map, Output out) {
        int count = map.size();
        out.putVar(count);
        for (Map.Entry<@Nullable Object, @Nullable Object> entry : map.entrySet()) {
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
            throw new ConcurrentModificationException("not as many entries as size() said");
        }
    }

    @Override
    public Map<@Nullable Object, @Nullable Object> read(Input in) {
        int count = in.getCount(1);
        Map<@Nullable Object, @Nullable Object> map = make(count);
        for (int i = 0; i < count; i++) {
            int nulls = in.getByte();
            Bytes.requireClear(nulls, ~(NULL_KEY | NULL_VALUE), in);
            Object k = (nulls & NULL_KEY) != 0 ? null : key.read(in);
            Object v = (nulls & NULL_VALUE) != 0 ? null : value.read(in);
            map.put(k, v);
            if (map.size() != i + 1) {
                throw in.malformed("a key that is there already");
            }
        }
        return map;
    }

    /** The same map of keys and values that are read in another way. */
    MapPart of(Part<Object> otherKey, Part<Object> otherValue) {
        return new MapPart(otherKey, otherValue, factory);
    }

    @Override
    Object missing() {
        return make(0);
    }

    Part<Object> key() {
        return key;
    }

    Part<Object> value() {
        return value;
    }

    Map<@Nullable Object, @Nullable Object> make(int count) {
        return factory.apply(Math.min(count, CollectionPart.CAPACITY_MAX));
    }

    @Override
    void describe(Description description) {
        description.of(Description.MAP, key, value);
    }
}
