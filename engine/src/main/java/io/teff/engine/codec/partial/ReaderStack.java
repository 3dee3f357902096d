package io.teff.engine.codec.partial;

import io.teff.engine.codec.bytes.CodecLimits;
import io.teff.engine.codec.type.CustomCodec;
import io.teff.engine.codec.type.MapCodec;
import io.teff.engine.codec.type.MappedCodec;
import io.teff.engine.codec.type.OptionalCodec;
import io.teff.engine.codec.type.PrimitiveArrayCodec;
import io.teff.engine.codec.type.RecursiveCodec;
import io.teff.engine.codec.type.Scalar;
import io.teff.engine.codec.type.SealedCodec;
import io.teff.engine.codec.type.SequenceCodec;
import io.teff.engine.codec.type.StringCodec;
import io.teff.engine.codec.type.StructCodec;
import io.teff.engine.codec.type.TypeCodec;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The incomplete values of one {@link StackReader}, from the value itself to the innermost nested value. The innermost
 * value continues first. Not thread-safe.
 */
final class ReaderStack extends ReadContext {
    private final Deque<TypeReader> readers = new ArrayDeque<>();
    private int levels;
    private @Nullable Object value;

    ReaderStack(PartialInput source) {
        super(source);
    }

    /** Starts a value that is nested {@code levelsBefore} levels deep in values of its own type. */
    void begin(TypeCodec<Object> codec, int levelsBefore) {
        readers.clear();
        levels = levelsBefore;
        value = null;
        start(codec);
    }

    /** Returns whether the value is complete. */
    boolean isDone() {
        return readers.isEmpty();
    }

    /** Returns the value, or null if it is incomplete. */
    @Nullable Object value() {
        return value;
    }

    /** Reads until the window ends or the value is complete. */
    void run() {
        while (!readers.isEmpty()) {
            TypeReader reader = readers.element();
            TypeReader.Step step = reader.step();
            if (step == TypeReader.Step.STARVED) {
                return;
            }
            if (step == TypeReader.Step.DONE) {
                Object result = reader.result();
                readers.remove();
                if (readers.isEmpty()) {
                    value = result;
                } else {
                    readers.element().accept(result);
                }
            }
        }
    }

    @Override
    void start(TypeCodec<Object> codec) {
        switch ((TypeCodec<?>) codec) {
            case StructCodec struct -> readers.push(new StructReader(this, struct.layout()));
            case TypeCodec.Fixed<?> _ -> readers.push(new FixedReader(this, codec));
            case StringCodec _ -> readers.push(new LengthPrefixedReader.OfString(this));
            case PrimitiveArrayCodec array -> readers.push(new LengthPrefixedReader.OfArray(this, array));
            case CustomCodec custom -> readers.push(new LengthPrefixedReader.OfCustom(this, custom));
            case SequenceCodec<?> sequence -> readers.push(new SequenceReader<>(this, sequence));
            case MapCodec map -> readers.push(new MapReader(this, map));
            case OptionalCodec optional -> readers.push(new OptionalReader(this, optional));
            case SealedCodec sealed -> readers.push(new SealedReader(this, sealed));
            case MappedCodec mapped -> {
                readers.push(new MappedReader(this, mapped));
                start(mapped.stored());
            }
            case RecursiveCodec recursive -> {
                if (++levels > CodecLimits.LEVELS_MAX) {
                    throw in.malformed("more than " + CodecLimits.LEVELS_MAX + " values nested in each other");
                }
                readers.push(new LevelReader(this));
                start(recursive.target());
            }
            default -> throw new AssertionError(codec.getClass());
        }
    }

    @Override
    void leaveLevel() {
        levels--;
    }

    // ---- values with at most one nested value ----

    private static final class FixedReader extends TypeReader {
        private final TypeCodec<Object> codec;
        private @Nullable Object result;

        FixedReader(ReadContext context, TypeCodec<Object> codec) {
            super(context);
            this.codec = codec;
        }

        @Override
        Step step() {
            if (!context.source.collect(codec.fixedBytes())) {
                return Step.STARVED;
            }
            result = codec.read(context.in);
            return Step.DONE;
        }

        @Override
        @Nullable Object result() {
            return result;
        }
    }

    /** Reader of a value that has at most one nested value. */
    private abstract static class OuterReader extends TypeReader {
        private @Nullable Object nested;

        OuterReader(ReadContext context) {
            super(context);
        }

        @Override
        Step step() {
            return Step.DONE;
        }

        @Override
        final void accept(@Nullable Object value) {
            nested = value;
        }

        /** Returns the nested value, or null if it is not read yet. */
        final @Nullable Object nested() {
            return nested;
        }

        @Override
        @Nullable Object result() {
            return nested;
        }
    }

    private static final class OptionalReader extends OuterReader {
        private final OptionalCodec codec;
        private boolean begun;

        OptionalReader(ReadContext context, OptionalCodec codec) {
            super(context);
            this.codec = codec;
        }

        @Override
        Step step() {
            if (begun) {
                return Step.DONE;
            }
            if (!context.source.collect(1)) {
                return Step.STARVED;
            }
            begun = true;
            if (Scalar.getBoolean(context.in.array(), 0, context.in)) {
                context.start(codec.value());
                return Step.MORE;
            }
            return Step.DONE;
        }

        @Override
        Object result() {
            return Optional.ofNullable(nested());
        }
    }

    private static final class SealedReader extends OuterReader {
        private final SealedCodec codec;

        SealedReader(ReadContext context, SealedCodec codec) {
            super(context);
            this.codec = codec;
        }

        @Override
        Step step() {
            if (nested() != null) {
                return Step.DONE;
            }
            if (!context.source.collectVar()) {
                return Step.STARVED;
            }
            context.start(codec.subclass(context.in.getVar(), context.in));
            return Step.MORE;
        }
    }

    /** Stays below a value that is nested in a value of its own type, and leaves its level afterwards. */
    private static final class LevelReader extends OuterReader {
        LevelReader(ReadContext context) {
            super(context);
        }

        @Override
        @Nullable Object result() {
            context.leaveLevel();
            return nested();
        }
    }

    private static final class MappedReader extends OuterReader {
        private final MappedCodec codec;

        MappedReader(ReadContext context, MappedCodec codec) {
            super(context);
            this.codec = codec;
        }

        @Override
        Object result() {
            return codec.fromStored(Objects.requireNonNull(nested()));
        }
    }
}
