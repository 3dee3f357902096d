package io.teff.engine.codec;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A struct inside of itself. */
final class RecursivePart extends Part<Object> {
    private @Nullable Part<Object> target;

    RecursivePart() {
        super(VARIABLE, 1);                                     // at least the null bit of the reference that recurs
    }

    void resolve(Part<Object> struct) {
        target = struct;
    }

    Part<Object> target() {
        return Objects.requireNonNull(target, "a schema that is used before it is made");
    }

    @Override
    public void write(Object value, Output out) {
        int level = out.enter();
        if (level <= Depth.GENERATED_MAX) {
            target().write(value, out);
        } else {
            writeDeep(value, level, out);
        }
        out.leave();
    }

    /** On a stack of its own instead of the thread's. */
    private void writeDeep(Object value, int level, Output out) {
        PartialWriter<Object> writer = new PartialWriter<>(target(), level);
        writer.begin(value);
        while (!writer.isDone()) {
            int room = Math.max(out.room(), 1);                 // no room: the output grows, or refuses
            int before = out.size();
            int at = out.take(room);
            int written = writer.write(out.array(), at, room);
            out.rewind(before + written);
        }
    }

    @Override
    public Object read(Input in) {
        int level = in.enter();
        Object value = level <= Depth.GENERATED_MAX ? target().read(in) : readDeep(level, in);
        in.leave();
        return value;
    }

    private Object readDeep(int level, Input in) {
        PartialReader<Object> reader = new PartialReader<>(Object.class, target(), in.left(), level,
            in.emptyElements());
        int used;
        try {
            used = reader.read(in.array(), in.position(), in.left());
        } catch (MalformedException e) {
            throw e.at(in.offset() + e.offset());
        }
        if (!reader.isDone()) {
            throw in.malformed("a value that is cut off");
        }
        in.take(used);
        in.emptyElements(reader.emptyElements());
        return reader.value();
    }

    @Override
    @Nullable Object missing() {
        return target().missing();
    }

    @Override
    void describe(Description description) {
        target().describe(description);
    }
}
