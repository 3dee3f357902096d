package io.teff.cluster.client;

import io.teff.cluster.operation.FormTrailer;
import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.SchemaException;
import io.teff.engine.codec.schema.FieldKeeper;
import io.teff.engine.codec.schema.Schema;
import io.teff.engine.os.FailureText;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The codec of the values of a map, or of the elements of a queue or list, in all forms that the collection has. A
 * <i>form</i> is the description of the values of one version of a program. Programs of several versions change one
 * collection at the same time, and each value has the form of its writer. Thread-safe.
 *
 * <p><b>Bytes.</b> A value of the first form is as the program's codec writes the value. A value of another form has a
 * {@link FormTrailer} behind: the number of the form, and the mark of the collection. So collections of one version
 * have no further bytes, and the offsets of fields are those of the schema.
 *
 * <p><b>Forms.</b> The row of the collection has the forms. A form is in the row before the first value of the form is
 * written, and stays. A reader that meets an unknown form reads the row again.
 *
 * <p><b>Fields.</b> A put replaces the whole value: the new value has the form of the writer. An operation that reads a
 * value and writes the value back must not lose fields of a newer form: {@link #over} writes the fields that the
 * program has, in the form of the value, and leaves the other fields as they are.
 *
 * @param <V> type of the values
 */
final class FormCodec<V> implements Codec<V> {
    private static final int INITIAL_BYTES = 64;

    private final Codec<V> own;
    /** The codec as a schema; null if the values have one form for ever. */
    private final @Nullable Schema<V> schema;
    /** Whether values of other forms may be met: also by a codec that is no schema, such as that of a tool. */
    private final boolean hasForms;
    private final String name;
    private final Supplier<CollectionRow> rows;
    private final long mark;
    private final int form;
    private final Map<Integer, Codec<V>> readers = new ConcurrentHashMap<>();
    /** The writers over values of other forms; empty for forms of which nothing can be lost. */
    private final Map<Integer, Optional<FieldKeeper<V>>> keepers = new ConcurrentHashMap<>();
    private volatile CollectionRow row;

    /**
     * Makes the codec of a collection.
     *
     * @param row has the form of the codec
     * @param rows reads the row again; throws if the collection was dropped
     */
    FormCodec(Codec<V> own, String name, CollectionRow row, Supplier<CollectionRow> rows) {
        this.own = own;
        this.name = name;
        this.row = row;
        this.rows = rows;
        schema = row.hasForms() && own instanceof Schema<V> known ? known : null;
        hasForms = schema != null || row.hasForms() && !row.laterForms().isEmpty();
        form = hasForms ? row.formOf(own) : 0;                  // -1 for a program without the right to write
        mark = row.mark();
    }

    /** Returns the program's codec, without trailers. */
    Codec<V> own() {
        return own;
    }

    /** Returns the number of the form that this program writes. */
    private int written() {
        if (form < 0) {
            throw new IllegalStateException("this program may not write to the collection " + name + ", and so has no "
                + "form of values there");
        }
        return form;
    }

    /** Returns the token of the collection. */
    long token() {
        return row.token();
    }

    // ---- codec ----

    @Override
    public void write(V value, Output out) {
        final int number = written();
        out.putValue(own, value);
        if (number > 0) {
            FormTrailer.put(out, number, mark);
        }
    }

    /** {@inheritDoc} The window of the input has one value. */
    @Override
    public V read(Input in) {
        if (!hasForms) {
            return own.read(in);
        }
        final int length = in.left();
        final int from = in.take(length);
        final int written = FormTrailer.formOf(in.array(), from, length, mark);
        final Input value = new Input(in.array(), from, length - FormTrailer.bytesOf(written));
        final V read = reader(written).read(value);
        if (value.left() > 0) {
            throw value.malformed(value.left() + " bytes behind the object");
        }
        return read;
    }

    @Override
    public long fingerprint() {
        return own.fingerprint();
    }

    @Override
    public String describe() {
        return own.describe();
    }

    @Override
    public boolean hasBytesOf(String written) {
        return own.hasBytesOf(written);
    }

    @Override
    public int fixedBytes() {
        return form == 0 ? own.fixedBytes() : -1;
    }

    private Codec<V> reader(int written) {
        if (written == form) {
            return own;
        }
        return readers.computeIfAbsent(written, _ -> own.readerOf(description(written)));
    }

    private String description(int written) {
        if (written >= row.forms().size()) {
            row = rows.get();
        }
        if (written >= row.forms().size()) {
            throw new MalformedException(0, "a value of form " + written + " of " + row.forms().size(), null);
        }
        return row.forms().get(written);
    }

    // ---- bytes ----

    /** Returns a value's bytes in the form of this program, without a trailer, whatever the form of the value is. */
    byte[] plain(byte[] value) {
        if (schema == null) {
            return value;
        }
        final int written = FormTrailer.formOf(value, 0, value.length, mark);
        if (written == form) {
            return Arrays.copyOf(value, value.length - FormTrailer.bytesOf(written));
        }
        final Output out = Output.growing(INITIAL_BYTES);
        out.putValue(own, read(new Input(value, 0, value.length)));
        return out.toByteArray();
    }

    /** Returns bytes of this program's codec as a value of the collection. */
    byte[] sealed(byte[] plain) {
        return FormTrailer.sealed(plain, written(), mark);
    }

    /**
     * Returns the bytes of a value that was made of another value: fields that this program lacks keep their content.
     */
    byte[] over(V value, byte @Nullable [] base) {
        final FieldKeeper<V> keeper = base == null || schema == null ? null
            : keeper(FormTrailer.formOf(base, 0, base.length, mark));
        if (keeper == null || base == null) {
            final Output out = Output.growing(INITIAL_BYTES);
            out.putValue(this, Objects.requireNonNull(value));
            return out.toByteArray();
        }
        final int written = FormTrailer.formOf(base, 0, base.length, mark);
        return FormTrailer.sealed(keeper.write(value, base, 0, base.length - FormTrailer.bytesOf(written)), written,
            mark);
    }

    /** Returns the bytes of {@link #over} of a value in plain bytes. */
    byte[] over(byte[] plain, byte[] base) {
        return over(own.read(new Input(plain, 0, plain.length)), base);
    }

    private @Nullable FieldKeeper<V> keeper(int written) {
        final Schema<V> of = schema;
        if (of == null || written == form) {
            return null;
        }
        return keepers.computeIfAbsent(written, _ -> {
            final String other = description(written);
            try {
                return Optional.ofNullable(of.keeperOf(other));
            } catch (SchemaException e) {
                throw refusal(other, e);
            }
        }).orElse(null);
    }

    private SchemaException refusal(String other, SchemaException cause) {
        return new SchemaException("a value of " + name + " of " + FailureText.excerpt(other, own.describe())
            + " would lose content if a program of " + FailureText.excerpt(own.describe(), other)
            + " changed the value: " + FailureText.of(cause), cause);
    }

    /** Returns whether a value has another form, of which this program has all fields. */
    boolean isOlder(byte @Nullable [] value) {
        if (value == null || schema == null || form < 0) {
            return false;
        }
        final int written = FormTrailer.formOf(value, 0, value.length, mark);
        return written != form && keeper(written) == null;
    }

    /** Throws if a value has fields that this program would lose. */
    void requireNothingLost(byte[] value) {
        final int written = schema == null ? 0 : FormTrailer.formOf(value, 0, value.length, mark);
        if (schema != null && keeper(written) != null) {
            throw refusal(description(written), new SchemaException("a registered function would be given less than "
                + "the value", null));
        }
    }

    /** Returns a function of bytes that an owner applies to values of this program's form only. */
    byte[] guarded(byte[] function) {
        return schema == null ? function : FormTrailer.guarded(function, written(), mark);
    }
}
