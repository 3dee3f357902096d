package io.teff.engine.codec;

/** Constants of one enum, by their number. */
final class EnumPart extends Part.Fixed<Enum<?>> {
    private static final int ONE_BYTE_MAX = 256;

    private final Class<?> type;
    private final Enum<?>[] constants;

    EnumPart(Class<?> type) {
        super(type.getEnumConstants().length <= ONE_BYTE_MAX ? 1 : Short.BYTES);
        this.type = type;
        this.constants = (Enum<?>[]) type.getEnumConstants();
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
        return constants[number];
    }

    @Override
    void describe(Description description) {
        description.constants(type, constants);
    }
}
