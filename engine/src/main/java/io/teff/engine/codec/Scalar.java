package io.teff.engine.codec;

import org.jspecify.annotations.Nullable;

/** The primitive types, and how a value of each lies in bytes. */
enum Scalar {
    /** One byte, 0 or 1. */
    BOOLEAN(boolean.class, Boolean.class, 1) {
        @Override
        void put(Object value, byte[] array, int at) {
            Bytes.putBoolean(array, at, (Boolean) value);
        }

        @Override
        Object get(byte[] array, int at, Input in) {
            return Scalar.getBoolean(array, at, in);
        }
    },
    /** One byte. */
    BYTE(byte.class, Byte.class, Byte.BYTES) {
        @Override
        void put(Object value, byte[] array, int at) {
            array[at] = (Byte) value;
        }

        @Override
        Object get(byte[] array, int at, Input in) {
            return array[at];
        }
    },
    /** Two bytes. */
    SHORT(short.class, Short.class, Short.BYTES) {
        @Override
        void put(Object value, byte[] array, int at) {
            Bytes.putShort(array, at, (Short) value);
        }

        @Override
        Object get(byte[] array, int at, Input in) {
            return Bytes.getShort(array, at);
        }
    },
    /** Two bytes. */
    CHAR(char.class, Character.class, Character.BYTES) {
        @Override
        void put(Object value, byte[] array, int at) {
            Bytes.putChar(array, at, (Character) value);
        }

        @Override
        Object get(byte[] array, int at, Input in) {
            return Bytes.getChar(array, at);
        }
    },
    /** Four bytes. */
    INT(int.class, Integer.class, Integer.BYTES) {
        @Override
        void put(Object value, byte[] array, int at) {
            Bytes.putInt(array, at, (Integer) value);
        }

        @Override
        Object get(byte[] array, int at, Input in) {
            return Bytes.getInt(array, at);
        }
    },
    /** Eight bytes. */
    LONG(long.class, Long.class, Long.BYTES) {
        @Override
        void put(Object value, byte[] array, int at) {
            Bytes.putLong(array, at, (Long) value);
        }

        @Override
        Object get(byte[] array, int at, Input in) {
            return Bytes.getLong(array, at);
        }
    },
    /** Four bytes, the bits of IEEE 754. */
    FLOAT(float.class, Float.class, Float.BYTES) {
        @Override
        void put(Object value, byte[] array, int at) {
            Bytes.putFloat(array, at, (Float) value);
        }

        @Override
        Object get(byte[] array, int at, Input in) {
            return Bytes.getFloat(array, at);
        }
    },
    /** Eight bytes, the bits of IEEE 754. */
    DOUBLE(double.class, Double.class, Double.BYTES) {
        @Override
        void put(Object value, byte[] array, int at) {
            Bytes.putDouble(array, at, (Double) value);
        }

        @Override
        Object get(byte[] array, int at, Input in) {
            return Bytes.getDouble(array, at);
        }
    };

    private static final Scalar[] ALL = values();

    private final Class<?> primitive;
    private final Class<?> box;
    private final int bytes;

    Scalar(Class<?> primitive, Class<?> box, int bytes) {
        this.primitive = primitive;
        this.box = box;
        this.bytes = bytes;
    }

    /** Puts a boxed value. */
    abstract void put(Object value, byte[] array, int at);

    /** Gets a boxed value. */
    abstract Object get(byte[] array, int at, Input in);

    /** Whether every value of this type is a value of the other, too. */
    boolean widensTo(Scalar wider) {
        return wider == this || switch (this) {
            case BYTE -> wider == SHORT || wider == INT || wider == LONG || wider == FLOAT || wider == DOUBLE;
            case SHORT, CHAR -> wider == INT || wider == LONG || wider == FLOAT || wider == DOUBLE;
            case INT -> wider == LONG || wider == DOUBLE;
            case FLOAT -> wider == DOUBLE;
            case BOOLEAN, LONG, DOUBLE -> false;
        };
    }

    /** A value of a type that widens to this one, as a value of this one. */
    Object widened(Object value) {
        Number number = value instanceof Character letter ? Integer.valueOf(letter) : (Number) value;
        return switch (this) {
            case SHORT -> number.shortValue();
            case INT -> number.intValue();
            case LONG -> number.longValue();
            case FLOAT -> number.floatValue();
            case DOUBLE -> number.doubleValue();
            case BOOLEAN, BYTE, CHAR -> throw new AssertionError(this);
        };
    }

    /** The type itself. */
    Class<?> primitive() {
        return primitive;
    }

    int bytes() {
        return bytes;
    }

    /** The scalar of a primitive type, or null. */
    static @Nullable Scalar ofPrimitive(Class<?> type) {
        for (Scalar scalar : ALL) {
            if (scalar.primitive == type) {
                return scalar;
            }
        }
        return null;
    }

    /** The scalar of a box, or null. */
    static @Nullable Scalar ofBox(Class<?> type) {
        for (Scalar scalar : ALL) {
            if (scalar.box == type) {
                return scalar;
            }
        }
        return null;
    }

    static boolean getBoolean(byte[] array, int at, Input in) {
        byte value = array[at];
        if ((value & ~1) != 0) {
            throw in.malformed("a boolean of " + value);
        }
        return value != 0;
    }
}
