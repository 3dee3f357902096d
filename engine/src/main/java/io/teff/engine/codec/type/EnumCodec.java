package io.teff.engine.codec.type;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.bytes.LittleEndian;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Codec of the constants of one enum: their ordinal numbers in the writer's version, in one byte or two. */
public final class EnumCodec extends TypeCodec.Fixed<Enum<?>> {
    private static final int ONE_BYTE_MAX = 256;

    private final Class<?> type;
    /** Constants by number in the writer's version; null if this version has no constant of that name. */
    private final @Nullable Enum<?>[] constants;
    private final List<String> names;

    private EnumCodec(Class<?> type, List<String> names, @Nullable Enum<?>[] constants) {
        super(names.size() <= ONE_BYTE_MAX ? 1 : Short.BYTES);
        this.type = type;
        this.names = names;
        this.constants = constants;
    }

    /** Makes a codec of an enum. */
    public static EnumCodec of(Class<?> type) {
        Enum<?>[] constants = (Enum<?>[]) type.getEnumConstants();
        return new EnumCodec(type, Arrays.stream(constants).<String>map(Enum::name).toList(), constants);
    }

    /** Makes a codec that reads each of the written constants as the same constant. */
    public static EnumCodec skipping(Enum<?> instead, List<String> written) {
        return new EnumCodec(instead.getDeclaringClass(), written,
            Collections.nCopies(written.size(), instead).toArray(Enum<?>[]::new));
    }

    /** Makes a codec of the same enum for another version, in which the constants have these names in this order. */
    public EnumCodec as(List<String> written) {
        Map<String, Enum<?>> byName = new HashMap<>();
        for (Enum<?> constant : (Enum<?>[]) type.getEnumConstants()) {
            byName.put(constant.name(), constant);
        }
        for (Enum<?> constant : (Enum<?>[]) type.getEnumConstants()) {
            FormerNames.ofField(type, constant.name()).forEach(name -> byName.putIfAbsent(name, constant));
        }
        return new EnumCodec(type, written, written.stream().map(byName::get).toArray(Enum<?>[]::new));
    }

    /**
     * Returns whether the constants of another version are the first constants of this version, with the same bytes.
     */
    public boolean begins(List<String> written) {
        EnumCodec other = as(written);
        for (int i = 0; i < written.size(); i++) {
            if (i >= constants.length || other.constants[i] != constants[i]) {
                return false;
            }
        }
        return other.fixedBytes() == fixedBytes();
    }

    @Override
    public void put(Enum<?> value, byte[] array, int at) {
        if (fixedBytes() == 1) {
            array[at] = (byte) value.ordinal();
        } else {
            LittleEndian.putShort(array, at, (short) value.ordinal());
        }
    }

    @Override
    public Enum<?> get(byte[] array, int at, Input in) {
        int number = fixedBytes() == 1 ? array[at] & 0xFF : LittleEndian.getChar(array, at);
        if (number >= constants.length) {
            throw in.malformed("constant " + number + " of " + type.getName() + ", which has " + constants.length
                + ",");
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
