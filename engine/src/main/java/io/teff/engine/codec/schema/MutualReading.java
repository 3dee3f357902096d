package io.teff.engine.codec.schema;

import io.teff.engine.codec.SchemaException;
import io.teff.engine.codec.type.Description;
import io.teff.engine.codec.type.FormerNames;
import io.teff.engine.codec.type.Scalar;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides by descriptions alone whether a remote program reads given values, by the rules of {@link Evolution}. The
 * classes and the former names of fields are not here. Used once, by one thread.
 */
final class MutualReading {
    private final Set<Pair> seen = new HashSet<>();
    private final List<String> lost = new ArrayList<>();

    /** Two structs that are compared already, or now. */
    private record Pair(Shape.Struct written, Shape.Struct wanted) {}

    /** Returns the fields of the written values that a reader lacks by their names. */
    List<String> lost() {
        return lost;
    }

    /**
     * Checks a type.
     *
     * @throws SchemaException if the reader cannot read the written values; names the field
     */
    void check(Shape written, Shape wanted, String path) {
        if (wanted instanceof Shape.Optional optional && !(written instanceof Shape.Optional)) {
            check(written, optional.value(), path);
            return;
        }
        switch (written) {
            case Shape.Struct struct when wanted instanceof Shape.Struct other -> struct(struct, other, path);
            case Shape.Named named when wanted instanceof Shape.Named other -> named(named, other, path);
            case Shape.Sequence sequence when wanted instanceof Shape.Sequence other ->
                check(sequence.element(), other.element(), path + "[]");
            case Shape.Entries entries when wanted instanceof Shape.Entries other -> {
                check(entries.key(), other.key(), path + ".key");
                check(entries.value(), other.value(), path + ".value");
            }
            case Shape.Optional optional when wanted instanceof Shape.Optional other ->
                check(optional.value(), other.value(), path);
            case Shape.Constants _ when wanted instanceof Shape.Constants -> { }
            case Shape.Subclasses subclasses when wanted instanceof Shape.Subclasses other ->
                subclasses(subclasses, other, path);
            default -> throw mismatch(written, wanted, path);
        }
    }

    private static SchemaException mismatch(Object written, Object wanted, String path) {
        return new SchemaException(path + ": is written as " + written + ", which programs of the other version cannot "
            + "read as " + wanted, null);
    }

    private static void named(Shape.Named written, Shape.Named wanted, String path) {
        boolean areScalars = written.kind().equals(Description.SCALAR)
            && wanted.kind().equals(Description.SCALAR);
        if (!written.equals(wanted)
            && !(areScalars && Scalar.valueOf(written.name()).widensTo(Scalar.valueOf(wanted.name())))) {
            throw mismatch(written, wanted, path);
        }
    }

    private void struct(Shape.Struct written, Shape.Struct wanted, String path) {
        if (!seen.add(new Pair(written, wanted))) {
            return;
        }
        for (Shape.Member member : written.members()) {
            Shape.Member reader = wanted.members().stream()
                .filter(it -> it.name().equals(member.name())).findFirst().orElse(null);
            if (reader == null) {
                lost.add(path + "." + member.name());
            } else {
                member(member, reader, path + "." + member.name());
            }
        }
    }

    private void member(Shape.Member written, Shape.Member wanted, String path) {
        Shape from = written.shape();
        Shape to = wanted.shape();
        if (from != null && to != null) {
            check(from, to, path);
            return;
        }
        Scalar scalar = written.scalar();
        Scalar target = wanted.scalar() != null ? wanted.scalar() : boxed(to);
        if (scalar == null || target == null || !scalar.widensTo(target)) {
            throw mismatch(written, wanted, path);
        }
    }

    /** Returns the type of a box, also of an optional box; null for other types. */
    private static @Nullable Scalar boxed(@Nullable Shape shape) {
        return switch (shape) {
            case Shape.Named named when named.kind().equals(Description.SCALAR) -> Scalar.valueOf(named.name());
            case Shape.Optional optional -> boxed(optional.value());
            case null, default -> null;
        };
    }

    private void subclasses(Shape.Subclasses written, Shape.Subclasses wanted, String path) {
        for (int i = 0; i < written.names().size(); i++) {
            String name = written.names().get(i);
            String end = FormerNames.simple(name);
            List<String> ends = wanted.names().stream().map(FormerNames::simple).toList();
            int index = wanted.names().contains(name) ? wanted.names().indexOf(name) : ends.indexOf(end);
            if (index >= 0) {                                   // or an error at the read of such a value
                check(written.shapes().get(i), wanted.shapes().get(index), path + "(" + end + ")");
            }
        }
    }
}
