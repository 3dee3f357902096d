package io.teff.test.bench.grid;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A client whose values are in a map of keys. */
abstract class MapClient implements GridClient {
    abstract void setAll(Map<Long, byte[]> entries);

    abstract Map<Long, byte[]> allOf(Set<Long> keys);

    @Override
    public void fill(int from, byte[][] values) {
        Map<Long, byte[]> entries = HashMap.newHashMap(values.length);
        for (int i = 0; i < values.length; i++) {
            entries.put((long) (from + i), values[i]);
        }
        setAll(entries);
    }

    @Override
    public int getAll(int[] keys) {
        Set<Long> wanted = HashSet.newHashSet(keys.length);
        for (int key : keys) {
            wanted.add((long) key);
        }
        Map<Long, byte[]> found = allOf(wanted);
        found.forEach((key, value) -> {
            if (!GridValues.isOf(key.intValue(), value)) {
                throw new IllegalStateException("the value of key " + key + " is another one");
            }
        });
        return found.size();
    }

    @Override
    public void putAll(int[] keys, byte[][] values) {
        Map<Long, byte[]> entries = HashMap.newHashMap(keys.length);
        for (int i = 0; i < keys.length; i++) {
            entries.put((long) keys[i], values[i]);
        }
        setAll(entries);
    }
}
