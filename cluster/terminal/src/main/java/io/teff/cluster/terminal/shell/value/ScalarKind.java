package io.teff.cluster.terminal.shell.value;

import java.nio.ByteBuffer;

/** The primitive types of descriptions, by their names there. */
enum ScalarKind {
    /** One byte. */
    BOOLEAN(1),
    /** One byte. */
    BYTE(Byte.BYTES),
    /** Two bytes. */
    SHORT(Short.BYTES),
    /** Two bytes. */
    CHAR(Character.BYTES),
    /** Four bytes. */
    INT(Integer.BYTES),
    /** Eight bytes. */
    LONG(Long.BYTES),
    /** Four bytes. */
    FLOAT(Float.BYTES),
    /** Eight bytes. */
    DOUBLE(Double.BYTES);

    private final int bytes;

    ScalarKind(int bytes) {
        this.bytes = bytes;
    }

    int bytes() {
        return bytes;
    }

    /** Reads a value at the position of a buffer. */
    Object read(ByteBuffer from) {
        return switch (this) {
            case BOOLEAN -> from.get() != 0;
            case BYTE -> from.get();
            case SHORT -> from.getShort();
            case CHAR -> String.valueOf(from.getChar());
            case INT -> from.getInt();
            case LONG -> from.getLong();
            case FLOAT -> from.getFloat();
            case DOUBLE -> from.getDouble();
        };
    }

    /** Writes the value of a word. */
    void write(String word, ByteBuffer to) {
        switch (this) {
            case BOOLEAN -> FieldType.BOOL.write(word, to);
            case BYTE -> FieldType.BYTE.write(word, to);
            case SHORT -> FieldType.SHORT.write(word, to);
            case CHAR -> {
                if (word.length() != 1) {
                    throw new IllegalArgumentException("one character is allowed");
                }
                to.putChar(word.charAt(0));
            }
            case INT -> FieldType.INT.write(word, to);
            case LONG -> FieldType.LONG.write(word, to);
            case FLOAT -> FieldType.FLOAT.write(word, to);
            case DOUBLE -> FieldType.DOUBLE.write(word, to);
        }
    }
}
