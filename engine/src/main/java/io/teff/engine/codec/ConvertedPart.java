package io.teff.engine.codec;

/** Values that are stored as those of another part of fixed size; see {@link MappedPart} for the others. */
final class ConvertedPart extends Part.Fixed<Object> {
    private final Mapping<Object, Object> mapping;
    private final Part.Fixed<Object> stored;

    ConvertedPart(Mapping<Object, Object> mapping, Part.Fixed<Object> stored) {
        super(stored.fixedBytes());
        this.mapping = mapping;
        this.stored = stored;
    }

    Part<Object> stored() {
        return stored;
    }

    Object fromStored(Object value) {
        return mapping.makeFrom(value);
    }

    @Override
    void put(Object value, byte[] array, int at) {
        stored.put(mapping.makeStored(value), array, at);
    }

    @Override
    Object get(byte[] array, int at, Input in) {
        return fromStored(stored.get(array, at, in));
    }

    @Override
    void describe(Description description) {
        stored.describe(description);
    }
}
