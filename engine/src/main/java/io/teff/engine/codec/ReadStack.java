package io.teff.engine.codec;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is under way of one value: the value itself, what is inside of it, and so on; the innermost goes on first. Not
 * thread-safe.
 */
final class ReadStack {
    final Pieces pieces;
    /** Over what was collected. */
    final Input in;
    private final Deque<Reading> readings = new ArrayDeque<>();
    private int levels;
    private @Nullable Object value;

    ReadStack(Pieces pieces) {
        this.pieces = pieces;
        this.in = pieces.in();
    }

    /** Begins with a value that lies so many levels deep in another. */
    void begin(Part<Object> part, int levelsBefore) {
        readings.clear();
        levels = levelsBefore;
        value = null;
        start(part);
    }

    /** Whether the value is complete. */
    boolean isDone() {
        return readings.isEmpty();
    }

    /** The value, if it is complete. */
    @Nullable Object value() {
        return value;
    }

    /** Goes on until bytes are missing or the value is complete. */
    void run() {
        while (!readings.isEmpty()) {
            Reading reading = readings.element();
            Reading.Step step = reading.step();
            if (step == Reading.Step.STARVED) {
                return;
            }
            if (step == Reading.Step.DONE) {
                Object result = reading.result();
                readings.remove();
                if (readings.isEmpty()) {
                    value = result;
                } else {
                    readings.element().accept(result);
                }
            }
        }
    }

    /** Begins a value inside of that which is under way. */
    void start(Part<Object> part) {
        switch ((Part<?>) part) {
            case Struct struct -> readings.push(new StructReading(this, struct.layout()));
            case Part.Fixed<?> _ -> readings.push(new FixedReading(this, part));
            case StringPart _ -> readings.push(new BytesReading.OfString(this));
            case PrimitiveArrayPart array -> readings.push(new BytesReading.OfArray(this, array));
            case CustomPart custom -> readings.push(new BytesReading.OfCustom(this, custom));
            case ElementsPart<?> elements -> readings.push(new ElementsReading<>(this, elements));
            case MapPart map -> readings.push(new MapReading(this, map));
            case OptionalPart optional -> readings.push(new OptionalReading(this, optional));
            case SealedPart sealed -> readings.push(new SealedReading(this, sealed));
            case MappedPart mapped -> {
                readings.push(new MappedReading(this, mapped));
                start(mapped.stored());
            }
            case RecursivePart recursive -> {
                if (++levels > Depth.LEVELS_MAX) {
                    throw in.malformed("more than " + Depth.LEVELS_MAX + " values inside of each other");
                }
                readings.push(new LevelReading(this));
                start(recursive.target());
            }
            default -> throw new AssertionError(part.getClass());
        }
    }

    private void leaveLevel() {
        levels--;
    }

    // ---- values of at most one value inside ----

    private static final class FixedReading extends Reading {
        private final Part<Object> part;
        private @Nullable Object result;

        FixedReading(ReadStack stack, Part<Object> part) {
            super(stack);
            this.part = part;
        }

        @Override
        Step step() {
            if (!stack.pieces.collect(part.fixedBytes())) {
                return Step.STARVED;
            }
            result = part.read(stack.in);
            return Step.DONE;
        }

        @Override
        @Nullable Object result() {
            return result;
        }
    }

    /** With one value inside, at most. */
    private abstract static class OuterReading extends Reading {
        private @Nullable Object inner;

        OuterReading(ReadStack stack) {
            super(stack);
        }

        @Override
        Step step() {
            return Step.DONE;
        }

        @Override
        final void accept(@Nullable Object value) {
            inner = value;
        }

        /** The value inside, if it was read. */
        final @Nullable Object inner() {
            return inner;
        }

        @Override
        @Nullable Object result() {
            return inner;
        }
    }

    private static final class OptionalReading extends OuterReading {
        private final OptionalPart part;
        private boolean begun;

        OptionalReading(ReadStack stack, OptionalPart part) {
            super(stack);
            this.part = part;
        }

        @Override
        Step step() {
            if (begun) {
                return Step.DONE;
            }
            if (!stack.pieces.collect(1)) {
                return Step.STARVED;
            }
            begun = true;
            if (Scalar.getBoolean(stack.in.array(), 0, stack.in)) {
                stack.start(part.value());
                return Step.MORE;
            }
            return Step.DONE;
        }

        @Override
        Object result() {
            return Optional.ofNullable(inner());
        }
    }

    private static final class SealedReading extends OuterReading {
        private final SealedPart part;

        SealedReading(ReadStack stack, SealedPart part) {
            super(stack);
            this.part = part;
        }

        @Override
        Step step() {
            if (inner() != null) {
                return Step.DONE;
            }
            if (!stack.pieces.collectVar()) {
                return Step.STARVED;
            }
            stack.start(part.part(stack.in.getVar(), stack.in));
            return Step.MORE;
        }
    }

    /** Stays below what is inside of a recursive value. */
    private static final class LevelReading extends OuterReading {
        LevelReading(ReadStack stack) {
            super(stack);
        }

        @Override
        @Nullable Object result() {
            stack.leaveLevel();
            return inner();
        }
    }

    private static final class MappedReading extends OuterReading {
        private final MappedPart part;

        MappedReading(ReadStack stack, MappedPart part) {
            super(stack);
            this.part = part;
        }

        @Override
        Object result() {
            return part.fromStored(Objects.requireNonNull(inner()));
        }
    }
}
