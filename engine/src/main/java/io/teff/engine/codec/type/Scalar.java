package io.teff.engine.codec.type;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.bytes.LittleEndian;
import org.jspecify.annotations.Nullable;

/** The primitive types and the bytes of their values, little-endian. */
public enum Scalar {
    /** One byte, 0 or 1. */
    BOOLEAN(boolean.class, Boolean.class, 1) {
        @Override
        public void put(Object value, byte[] array, int at) {
            LittleEndian.putBoolean(array, at, (Boolean) value);
        }

        @Override
        public Object get(byte[] array, int at, Input in) {
            return Scalar.getBoolean(array, at, in);
        }
    },
    /** One byte. */
    BYTE(byte.class, Byte.class, Byte.BYTES) {
        @Override
        public void put(Object value, byte[] array, int at) {
            array[at] = (Byte) value;
        }

        @Override
        public Object get(byte[] array, int at, Input in) {
            return array[at];
        }
    },
    /** Two bytes. */
    SHORT(short.class, Short.class, Short.BYTES) {
        @Override
        public void put(Object value, byte[] array, int at) {
            LittleEndian.putShort(array, at, (Short) value);
        }

        @Override
        public Object get(byte[] array, int at, Input in) {
            return LittleEndian.getShort(array, at);
        }
    },
    /** Two bytes. */
    CHAR(char.class, Character.class, Character.BYTES) {
        @Override
        public void put(Object value, byte[] array, int at) {
            LittleEndian.putChar(array, at, (Character) value);
        }

        @Override
        public Object get(byte[] array, int at, Input in) {
            return LittleEndian.getChar(array, at);
        }
    },
    /** Four bytes. */
    INT(int.class, Integer.class, Integer.BYTES) {
        @Override
        public void put(Object value, byte[] array, int at) {
            LittleEndian.putInt(array, at, (Integer) value);
        }

        @Override
        public Object get(byte[] array, int at, Input in) {
            return LittleEndian.getInt(array, at);
        }
    },
    /** Eight bytes. */
    LONG(long.class, Long.class, Long.BYTES) {
        @Override
        public void put(Object value, byte[] array, int at) {
            LittleEndian.putLong(array, at, (Long) value);
        }

        @Override
        public Object get(byte[] array, int at, Input in) {
            return LittleEndian.getLong(array, at);
        }
    },
    /** Four bytes, the bits of IEEE 754. */
    FLOAT(float.class, Float.class, Float.BYTES) {
        @Override
        public void put(Object value, byte[] array, int at) {
            LittleEndian.putFloat(array, at, (Float) value);
        }

        @Override
        public Object get(byte[] array, int at, Input in) {
            return LittleEndian.getFloat(array, at);
        }
    },
    /** Eight bytes, the bits of IEEE 754. */
    DOUBLE(double.class, Double.class, Double.BYTES) {
        @Override
        public void put(Object value, byte[] array, int at) {
            LittleEndian.putDouble(array, at, (Double) value);
        }

        @Override
        public Object get(byte[] array, int at, Input in) {
            return LittleEndian.getDouble(array, at);
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

    /** Puts a boxed value at an index. */
    public abstract void put(Object value, byte[] array, int at);

    /** Returns the value at an index, boxed. */
    public abstract Object get(byte[] array, int at, Input in);

    /** Returns whether each value of this type is also a value of the other, as Java converts it. */
    public boolean widensTo(Scalar wider) {
        return wider == this || switch (this) {
            case BYTE -> wider == SHORT || wider == INT || wider == LONG || wider == FLOAT || wider == DOUBLE;
            case SHORT, CHAR -> wider == INT || wider == LONG || wider == FLOAT || wider == DOUBLE;
            case INT -> wider == LONG || wider == DOUBLE;
            case FLOAT -> wider == DOUBLE;
            case BOOLEAN, LONG, DOUBLE -> false;
        };
    }

    /** Converts a boxed value of a type that widens to this one. */
    public Object widened(Object value) {
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

    /** Returns the class of the primitive type. */
    public Class<?> primitive() {
        return primitive;
    }

    /** Returns the size of a value in bytes. */
    public int bytes() {
        return bytes;
    }

    /** Returns the scalar of a primitive type, or null if the class is none. */
    public static @Nullable Scalar ofPrimitive(Class<?> type) {
        for (Scalar scalar : ALL) {
            if (scalar.primitive == type) {
                return scalar;
            }
        }
        return null;
    }

    /** Returns the scalar of a class of boxed values, or null if the class is none. */
    public static @Nullable Scalar ofBox(Class<?> type) {
        for (Scalar scalar : ALL) {
            if (scalar.box == type) {
                return scalar;
            }
        }
        return null;
    }

    /** Returns the boolean at an index; only 0 and 1 are accepted. Generated code calls this too. */
    public static boolean getBoolean(byte[] array, int at, Input in) {
        byte value = array[at];
        if ((value & ~1) != 0) {
            throw in.malformed("a boolean of " + value);
        }
        return value != 0;
    }
}
