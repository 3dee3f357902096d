package io.teff.engine.codec;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Constants of one enum, by their number. */
final class EnumPart extends Part.Fixed<Enum<?>> {
    private static final int ONE_BYTE_MAX = 256;

    private final Class<?> type;
    /** By number, in the order of whoever writes; null where this program has none of that name. */
    private final @Nullable Enum<?>[] constants;
    private final List<String> names;

    private EnumPart(Class<?> type, List<String> names, @Nullable Enum<?>[] constants) {
        super(names.size() <= ONE_BYTE_MAX ? 1 : Short.BYTES);
        this.type = type;
        this.names = names;
        this.constants = constants;
    }

    static EnumPart of(Class<?> type) {
        Enum<?>[] constants = (Enum<?>[]) type.getEnumConstants();
        return new EnumPart(type, Arrays.stream(constants).<String>map(Enum::name).toList(), constants);
    }

    /** Reads all constants that others have as the same one. */
    static EnumPart skipping(Enum<?> instead, List<String> written) {
        return new EnumPart(instead.getDeclaringClass(), written,
            Collections.nCopies(written.size(), instead).toArray(Enum<?>[]::new));
    }

    /** The same constants, with the numbers that others had given them. */
    EnumPart as(List<String> written) {
        Map<String, Enum<?>> byName = new HashMap<>();
        for (Enum<?> constant : (Enum<?>[]) type.getEnumConstants()) {
            byName.put(constant.name(), constant);
        }
        return new EnumPart(type, written, written.stream().map(byName::get).toArray(Enum<?>[]::new));
    }

    @Override
    void put(Enum<?> value, byte[] array, int at) {
        if (fixedBytes() == 1) {
            array[at] = (byte) value.ordinal();
        } else {
            Bytes.putShort(array, at, (short) value.ordinal());
        }
    }

    @Override
    Enum<?> get(byte[] array, int at, Input in) {
        int number = fixedBytes() == 1 ? array[at] & 0xFF : Bytes.getChar(array, at);
        if (number >= constants.length) {
            throw in.malformed("constant " + number + " of " + type.getName());
        }
        Enum<?> constant = constants[number];
        if (constant == null) {
            throw in.malformed("constant " + names.get(number) + ", which " + type.getName() + " does not have,");
        }
        return constant;
    }

    @Override
    void describe(Description description) {
        description.constants(type, names);
    }
}
