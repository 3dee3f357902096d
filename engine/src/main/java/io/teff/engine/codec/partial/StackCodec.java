package io.teff.engine.codec.partial;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.type.DeepCodec;
import io.teff.engine.codec.type.TypeCodec;

/** Writes and reads deeply nested values at once by a {@link StackWriter} and a {@link StackReader}. */
public final class StackCodec implements DeepCodec {
    /** The only instance; it has no state. */
    public static final StackCodec INSTANCE = new StackCodec();

    private StackCodec() {}

    @Override
    public void write(TypeCodec<Object> codec, Object value, int level, Output out) {
        StackWriter<Object> writer = new StackWriter<>(codec, level, out);
        writer.begin(value);
        while (!writer.isDone()) {
            int room = Math.max(out.room(), 1);                 // without room the output grows, or throws
            int before = out.size();
            int at = out.take(room);
            int written = writer.write(out.array(), at, room);
            out.rewind(before + written);
        }
        out.takeOver(writer.encoded());
    }

    @Override
    public Object read(TypeCodec<Object> codec, int level, Input in) {
        StackReader<Object> reader = new StackReader<>(Object.class, codec, in.left(), level, in.emptyElements());
        int used;
        try {
            used = reader.read(in.array(), in.position(), in.left());
        } catch (MalformedException e) {
            throw e.at(in.offset() + e.offset());
        }
        if (!reader.isDone()) {
            throw in.malformed("a value whose last bytes are missing");
        }
        in.take(used);
        in.emptyElements(reader.emptyElements());
        return reader.value();
    }
}
