package io.teff.engine.codec.type;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.bytes.CodecLimits;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reference to the codec of a type from within that type. Up to a number of nesting levels it calls that codec; below,
 * a {@link DeepCodec} takes over, whose stack is not that of the thread.
 */
public final class RecursiveCodec extends TypeCodec<Object> {
    private final DeepCodec deep;
    private @Nullable TypeCodec<Object> target;

    /** Makes a reference whose target is not known yet. */
    public RecursiveCodec(DeepCodec deep) {
        super(VARIABLE, 1);                                     // at least the null bits of the struct that recurs
        this.deep = deep;
    }

    /** Sets the target; called once, before the schema is used. */
    public void resolve(TypeCodec<Object> struct) {
        target = struct;
    }

    /** Returns the codec that is referred to. */
    public TypeCodec<Object> target() {
        return Objects.requireNonNull(target, "a schema that is used before it is complete");
    }

    @Override
    public void write(Object value, Output out) {
        int level = out.enter();
        if (level <= CodecLimits.RECURSION_LEVELS_MAX) {
            target().write(value, out);
        } else {
            deep.write(target(), value, level, out);
        }
        out.leave();
    }

    @Override
    public Object read(Input in) {
        int level = in.enter();
        Object value = level <= CodecLimits.RECURSION_LEVELS_MAX ? target().read(in) : deep.read(target(), level, in);
        in.leave();
        return value;
    }

    @Override
    public @Nullable Object missing() {
        return target().missing();
    }

    @Override
    void describe(Description description) {
        target().describe(description);
    }
}
