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
        if (out.enter() <= Depth.GENERATED_MAX) {
            target().write(value, out);
        } else {
            writeDeep(value, out);
        }
        out.leave();
    }

    /** On a stack of its own instead of the thread's. */
    private void writeDeep(Object value, Output out) {
        PartialWriter<Object> writer = new PartialWriter<>(target());
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
        Object value = in.enter() <= Depth.GENERATED_MAX ? target().read(in) : readDeep(in);
        in.leave();
        return value;
    }

    private Object readDeep(Input in) {
        PartialReader<Object> reader = new PartialReader<>(Object.class, target(), in.left());
        int used = reader.read(in.array(), in.position(), in.left());
        if (!reader.isDone()) {
            throw in.malformed("a value that is cut off");
        }
        in.take(used);
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
