package io.teff.bridge.jcache;

import javax.cache.Cache;

/**
 * An immutable entry for iterators and writers.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 * @param getKey the key
 * @param getValue the value
 */
record SimpleEntry<K, V>(K getKey, V getValue) implements Cache.Entry<K, V> {
    @Override
    public <T> T unwrap(Class<T> type) {
        return unwrap(this, type);
    }

    /**
     * Implements {@code unwrap} for all classes of this package: returns the object if it is of the class.
     *
     * @throws IllegalArgumentException if the object is not of that class
     */
    static <T> T unwrap(Object object, Class<T> type) {
        if (type.isInstance(object)) {
            return type.cast(object);
        }
        throw new IllegalArgumentException(object.getClass().getName() + " is not a " + type.getName());
    }

    @Override
    public String toString() {
        return getKey + "=" + getValue;
    }
}
