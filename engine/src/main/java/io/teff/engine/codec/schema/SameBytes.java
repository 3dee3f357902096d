package io.teff.engine.codec.schema;

import io.teff.engine.codec.type.Description;
import io.teff.engine.codec.type.EnumCodec;
import io.teff.engine.codec.type.FieldLayout;
import io.teff.engine.codec.type.FixedMappedCodec;
import io.teff.engine.codec.type.FormerNames;
import io.teff.engine.codec.type.MapCodec;
import io.teff.engine.codec.type.MappedCodec;
import io.teff.engine.codec.type.OptionalCodec;
import io.teff.engine.codec.type.RecursiveCodec;
import io.teff.engine.codec.type.SealedCodec;
import io.teff.engine.codec.type.SequenceCodec;
import io.teff.engine.codec.type.StructCodec;
import io.teff.engine.codec.type.TypeCodec;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Decides whether another version and this version write the same bytes for each value of the other version. The names
 * of classes do not matter, nor constants and subclasses that this version has in addition, behind all others. Used
 * once, by one thread.
 */
final class SameBytes {
    /** Pairs that are compared already, or now. */
    private final Set<Pair> seen = new HashSet<>();

    private record Pair(Shape.Struct written, FieldLayout wanted) {}

    /** Returns whether values of a type in another version have the bytes of this version. */
    boolean matches(Shape written, TypeCodec<?> wanted) {
        return switch (wanted) {
            case RecursiveCodec recursive -> matches(written, recursive.target());
            case FixedMappedCodec mapped -> matches(written, mapped.stored());
            case MappedCodec mapped when !mapped.isStandard() -> matches(written, mapped.stored());
            case StructCodec struct -> written instanceof Shape.Struct other && matches(other, struct.layout());
            case SequenceCodec<?> sequence -> written instanceof Shape.Sequence(Shape element)
                && matches(element, sequence.element());
            case MapCodec map -> written instanceof Shape.Entries(Shape key, Shape value) && matches(key, map.key())
                && matches(value, map.value());
            case OptionalCodec optional -> written instanceof Shape.Optional(Shape value)
                && matches(value, optional.value());
            case EnumCodec constants -> written instanceof Shape.Constants other && constants.begins(other.names());
            case SealedCodec sealed -> written instanceof Shape.Subclasses other && matches(other, sealed);
            default -> written.equals(DescriptionParser.parse(Description.of(wanted).toString()));
        };
    }

    private boolean matches(Shape.Subclasses written, SealedCodec wanted) {
        List<String> names = written.names();
        if (names.size() > wanted.classes().size()) {
            return false;
        }
        for (int i = 0; i < names.size(); i++) {
            if (FormerNames.indexOf(names.get(i), names, wanted.classes()) != i
                || !matches(written.shapes().get(i), Objects.requireNonNull(wanted.codecs()[i]))) {
                return false;
            }
        }
        return true;
    }

    private boolean matches(Shape.Struct written, FieldLayout wanted) {
        if (!seen.add(new Pair(written, wanted))) {
            return true;
        }
        List<Shape.Member> members = written.members();
        if (members.size() != wanted.fields().size()) {
            return false;
        }
        for (int i = 0; i < members.size(); i++) {
            if (!matches(members.get(i), wanted.fields().get(i), wanted.type())) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a field of another version has the bytes of a field of this version, in a struct of a class. */
    boolean matches(Shape.Member written, FieldLayout.Field wanted, Class<?> owner) {
        boolean isNamed = written.name().equals(wanted.name())
            || FormerNames.ofField(owner, wanted.name()).contains(written.name());
        return isNamed && written.scalar() == wanted.scalar() && written.zigzag() == wanted.zigzag()
            && (written.shape() == null || matches(written.shape(), wanted.codec()));
    }
}
