package io.teff.engine.query;

import io.teff.engine.codec.Output;
import io.teff.engine.codec.bytes.LittleEndian;
import io.teff.engine.codec.schema.Schema;
import org.jspecify.annotations.Nullable;

/** The types of the fields of an index. The names are in catalogues of indexes, so they never change. */
enum FieldKind {
    INT("int", Integer.BYTES, int.class, Integer.class) {
        @Override
        void put(Object value, Output out) {
            SortKeyBytes.putInt(out, (Integer) value);
        }

        @Override
        void copy(byte[] struct, int at, Output out) {
            SortKeyBytes.putInt(out, LittleEndian.getInt(struct, at));
        }
    },
    LONG("long", Long.BYTES, long.class, Long.class) {
        @Override
        void put(Object value, Output out) {
            SortKeyBytes.putLong(out, (Long) value);
        }

        @Override
        void copy(byte[] struct, int at, Output out) {
            SortKeyBytes.putLong(out, LittleEndian.getLong(struct, at));
        }
    },
    DOUBLE("double", Double.BYTES, double.class, Double.class) {
        @Override
        void put(Object value, Output out) {
            SortKeyBytes.putDouble(out, (Double) value);
        }

        @Override
        void copy(byte[] struct, int at, Output out) {
            SortKeyBytes.putDouble(out, Double.longBitsToDouble(LittleEndian.getLong(struct, at)));
        }
    },
    BOOLEAN("boolean", 1, boolean.class, Boolean.class) {
        @Override
        void put(Object value, Output out) {
            SortKeyBytes.putBoolean(out, (Boolean) value);
        }

        @Override
        void copy(byte[] struct, int at, Output out) {
            SortKeyBytes.putBoolean(out, struct[at] != 0);
        }
    },
    STRING("string", FieldKind.TEXT, String.class, String.class) {
        @Override
        void put(Object value, Output out) {
            SortKeyBytes.putString(out, (String) value);
        }

        @Override
        void putPrefix(Object value, Output out) {
            SortKeyBytes.putChars(out, (String) value);
        }
    },
    BYTES("bytes", FieldKind.TEXT, byte[].class, byte[].class) {
        @Override
        void put(Object value, Output out) {
            SortKeyBytes.putBytes(out, (byte[]) value);
        }

        @Override
        void putPrefix(Object value, Output out) {
            SortKeyBytes.putPrefix(out, (byte[]) value);
        }
    };

    /** Size of a kind whose values end with a byte of zero. */
    private static final int TEXT = -1;

    private final String text;
    private final int bytes;
    private final Class<?> plain;
    private final Class<?> boxed;

    FieldKind(String text, int bytes, Class<?> plain, Class<?> boxed) {
        this.text = text;
        this.bytes = bytes;
        this.plain = plain;
        this.boxed = boxed;
    }

    /** Returns the kind of the values of a class, or null. */
    static @Nullable FieldKind of(Class<?> type) {
        for (FieldKind kind : values()) {
            if (kind.plain.equals(type) || kind.boxed.equals(type)) {
                return kind;
            }
        }
        return null;
    }

    /** Puts the bytes of a value that is not null. */
    abstract void put(Object value, Output out);

    /** Puts the bytes with which the bytes of all values begin that begin with this value. */
    void putPrefix(Object value, Output out) {
        throw new IllegalArgumentException("fields of type " + text + " have no prefixes; strings and bytes have");
    }

    /** Puts the bytes of a field that a struct has as a primitive at an index. */
    void copy(byte[] struct, int at, Output out) {
        throw new AssertionError(this);
    }

    /** Returns the index behind a value that is not null. */
    int end(byte[] key, int from) {
        return bytes == TEXT ? SortKeyBytes.endOfText(key, from) : from + bytes;
    }

    /** Returns the offset of a primitive field in all values of a schema, or -1 if a value must be decoded. */
    int offset(Schema<?> schema, String name) {
        try {
            return bytes == TEXT ? -1 : schema.offset(name);
        } catch (IllegalArgumentException e) {
            return -1;                                          // compact, or not a struct
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
