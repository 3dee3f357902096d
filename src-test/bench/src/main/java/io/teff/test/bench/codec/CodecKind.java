package io.teff.test.bench.codec;

import com.esotericsoftware.kryo.Kryo;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Schema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.fory.Fory;
import org.apache.fory.memory.MemoryBuffer;

/** The compared libraries, each configured for speed as its documentation advises. */
public enum CodecKind {
    /** A derived schema, fields at fixed offsets. */
    TEFF("Teff") {
        @Override
        Trip trip(ShapeKind shape) {
            return new TeffTrip(shape, Schema.of(shape.type()));
        }
    },
    /** A derived schema, int and long in as few bytes as they need. */
    TEFF_COMPACT("Teff compact") {
        @Override
        Trip trip(ShapeKind shape) {
            return new TeffTrip(shape, Schema.builder(shape.type()).compact().build());
        }
    },
    /** Classes registered, references not tracked. */
    KRYO("Kryo 5") {
        @Override
        Trip trip(ShapeKind shape) {
            return new KryoTrip(shape);
        }
    },
    /** Classes registered, references not tracked, code generated, no reading of other versions. */
    FORY("Fory") {
        @Override
        Trip trip(ShapeKind shape) {
            return new ForyTrip(shape);
        }
    },
    /** Generated messages, not converted from or to the objects of the others. */
    PROTOBUF("protobuf") {
        @Override
        Trip trip(ShapeKind shape) {
            return new ProtobufTrip(shape);
        }
    },
    /** {@link java.io.Serializable}. */
    JDK("JDK") {
        @Override
        Trip trip(ShapeKind shape) {
            return new JdkTrip(shape);
        }
    };

    private static final int BUFFER_BYTES = 1 << 18;
    private static final List<Class<?>> CLASSES = List.of(Flat.class, Person.class, Node.class, Item.class, Shelf.class,
        ArrayList.class);

    private final String title;

    CodecKind(String title) {
        this.title = title;
    }

    abstract Trip trip(ShapeKind shape);

    /** {@return its name in tables} */
    public String title() {
        return title;
    }

    /** {@return its name on the command line} */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static final class TeffTrip extends Trip {
        private final Codec<Object> codec;
        private final Output out = Output.growing(BUFFER_BYTES);
        private final Input in = new Input(new byte[0], 0, 0);

        @SuppressWarnings("unchecked")
        TeffTrip(ShapeKind shape, Codec<?> codec) {
            super(shape.samples());
            this.codec = (Codec<Object>) codec;
        }

        @Override
        int write(Object value) {
            out.clear();
            codec.write(value, out);
            return out.size();
        }

        @Override
        byte[] written(int length) {
            return out.toByteArray();
        }

        @Override
        Object read(byte[] from) {
            in.reset(from, 0, from.length);
            return codec.read(in);
        }
    }

    private static final class KryoTrip extends Trip {
        private final Class<?> type;
        private final Kryo kryo = new Kryo();
        private final com.esotericsoftware.kryo.io.Output out = new com.esotericsoftware.kryo.io.Output(BUFFER_BYTES);
        private final com.esotericsoftware.kryo.io.Input in = new com.esotericsoftware.kryo.io.Input();

        KryoTrip(ShapeKind shape) {
            super(shape.samples());
            type = shape.type();
            kryo.setReferences(false);
            CLASSES.forEach(kryo::register);
        }

        @Override
        int write(Object value) {
            out.reset();
            kryo.writeObject(out, value);
            return out.position();
        }

        @Override
        byte[] written(int length) {
            return out.toBytes();
        }

        @Override
        Object read(byte[] from) {
            in.setBuffer(from);
            return kryo.readObject(in, type);
        }
    }

    private static final class ForyTrip extends Trip {
        private final Fory fory = Fory.builder().withXlang(false).withCompatible(false).withRefTracking(false)
            .requireClassRegistration(true).withCodegen(true).withAsyncCompilation(false)
            .suppressClassRegistrationWarnings(true).build();
        private final MemoryBuffer buffer = MemoryBuffer.newHeapBuffer(BUFFER_BYTES);

        ForyTrip(ShapeKind shape) {
            super(shape.samples());
            CLASSES.subList(0, CLASSES.size() - 1).forEach(fory::register);
        }

        @Override
        int write(Object value) {
            buffer.writerIndex(0);
            fory.serialize(buffer, value);
            return buffer.writerIndex();
        }

        @Override
        byte[] written(int length) {
            return buffer.getBytes(0, length);
        }

        @Override
        Object read(byte[] from) {
            return fory.deserialize(from);
        }
    }

    private static final class ProtobufTrip extends Trip {
        private final Parser<? extends MessageLite> parser;
        private final byte[] buffer = new byte[BUFFER_BYTES];

        ProtobufTrip(ShapeKind shape) {
            super(shape.samples().stream().map(Messages::of).toList());
            parser = Messages.parser(shape);
        }

        @Override
        int write(Object value) {
            try {
                CodedOutputStream out = CodedOutputStream.newInstance(buffer);
                ((MessageLite) value).writeTo(out);
                return out.getTotalBytesWritten();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        byte[] written(int length) {
            return Arrays.copyOf(buffer, length);
        }

        @Override
        Object read(byte[] from) {
            try {
                return parser.parseFrom(from);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static final class JdkTrip extends Trip {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(BUFFER_BYTES);

        JdkTrip(ShapeKind shape) {
            super(shape.samples());
        }

        @Override
        int write(Object value) {
            bytes.reset();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(value);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return bytes.size();
        }

        @Override
        byte[] written(int length) {
            return bytes.toByteArray();
        }

        @Override
        @SuppressWarnings("BanSerializableRead") // bytes written by this process itself
        Object read(byte[] from) {
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(from))) {
                return in.readObject();
            } catch (IOException | ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
