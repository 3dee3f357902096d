package io.teff.cluster.terminal.shell.value;

import io.teff.engine.Cid;
import java.nio.ByteBuffer;

/** The types of fields of fixed size in the layout of a chunk, little-endian. */
enum FieldType {
    /** One byte; any byte other than 0 is true. */
    BOOL(1) {
        @Override
        Object read(ByteBuffer from) {
            return from.get() != 0;
        }

        @Override
        void write(String word, ByteBuffer to) {
            if (!word.equals("true") && !word.equals("false")) {
                throw new IllegalArgumentException("true or false are allowed");
            }
            to.put((byte) (word.equals("true") ? 1 : 0));
        }
    },
    /** One byte, signed. */
    BYTE(Byte.BYTES) {
        @Override
        Object read(ByteBuffer from) {
            return from.get();
        }

        @Override
        void write(String word, ByteBuffer to) {
            to.put(Byte.parseByte(word));
        }
    },
    /** Two bytes. */
    SHORT(Short.BYTES) {
        @Override
        Object read(ByteBuffer from) {
            return from.getShort();
        }

        @Override
        void write(String word, ByteBuffer to) {
            to.putShort(Short.parseShort(word));
        }
    },
    /** Four bytes. */
    INT(Integer.BYTES) {
        @Override
        Object read(ByteBuffer from) {
            return from.getInt();
        }

        @Override
        void write(String word, ByteBuffer to) {
            to.putInt(Integer.parseInt(word));
        }
    },
    /** Eight bytes. */
    LONG(Long.BYTES) {
        @Override
        Object read(ByteBuffer from) {
            return from.getLong();
        }

        @Override
        void write(String word, ByteBuffer to) {
            to.putLong(Long.parseLong(word));
        }
    },
    /** Four bytes. */
    FLOAT(Float.BYTES) {
        @Override
        Object read(ByteBuffer from) {
            return from.getFloat();
        }

        @Override
        void write(String word, ByteBuffer to) {
            to.putFloat(Float.parseFloat(word));
        }
    },
    /** Eight bytes. */
    DOUBLE(Double.BYTES) {
        @Override
        Object read(ByteBuffer from) {
            return from.getDouble();
        }

        @Override
        void write(String word, ByteBuffer to) {
            to.putDouble(Double.parseDouble(word));
        }
    },
    /** Eight bytes, shown as a CID. */
    CID(Long.BYTES) {
        @Override
        Object read(ByteBuffer from) {
            return Cid.toString(from.getLong());
        }

        @Override
        void write(String word, ByteBuffer to) {
            to.putLong(CidText.parse(word));
        }
    };

    private final int bytes;

    FieldType(int bytes) {
        this.bytes = bytes;
    }

    int bytes() {
        return bytes;
    }

    /** Reads a value: a number, a boolean, or the text of a CID. */
    abstract Object read(ByteBuffer from);

    /** Writes the value of a word; throws an IllegalArgumentException if the word is no such value. */
    abstract void write(String word, ByteBuffer to);
}
