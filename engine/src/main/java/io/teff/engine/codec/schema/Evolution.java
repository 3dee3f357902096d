package io.teff.engine.codec.schema;

import io.teff.engine.codec.SchemaException;
import io.teff.engine.codec.partial.StackCodec;
import io.teff.engine.codec.type.BoxCodec;
import io.teff.engine.codec.type.Conversion;
import io.teff.engine.codec.type.Description;
import io.teff.engine.codec.type.EnumCodec;
import io.teff.engine.codec.type.FieldLayout;
import io.teff.engine.codec.type.FixedMappedCodec;
import io.teff.engine.codec.type.FormerNames;
import io.teff.engine.codec.type.MapCodec;
import io.teff.engine.codec.type.MappedCodec;
import io.teff.engine.codec.type.OptionalCodec;
import io.teff.engine.codec.type.RecursiveCodec;
import io.teff.engine.codec.type.Scalar;
import io.teff.engine.codec.type.SealedCodec;
import io.teff.engine.codec.type.SequenceCodec;
import io.teff.engine.codec.type.StructCodec;
import io.teff.engine.codec.type.TypeCodec;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes codecs that read values of another version as values of this version's types. Used once, by one thread.
 *
 * <p>The layout of a struct is that of the writer: all of the writer's fields, in the writer's order. Only the
 * constructor differs: it is this version's, with its parameters permuted, converted, left out or filled in. The
 * generated code is therefore as straight as that of this version, and partial reading needs no change.
 *
 * <p>A struct that contains itself is found in the same places as the writer found it, because both walk the same tree.
 * This matters because a {@link RecursiveCodec} has no fixed size.
 */
final class Evolution {
    private static final MethodHandle APPLY;
    private static final MethodHandle MISSING;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            APPLY = lookup.findVirtual(UnaryOperator.class, "apply", MethodType.genericMethodType(1));
            MISSING = lookup.findVirtual(TypeCodec.class, "missing", MethodType.genericMethodType(0));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Defaults defaults;
    private final SkippedTypes skipped = new SkippedTypes();
    private final List<String> lost = new ArrayList<>();
    private final Map<Pair, TypeCodec<Object>> structs = new HashMap<>();
    /** References to codecs that are incomplete: those of the structs that surround the current one. */
    private final Map<Pair, RecursiveCodec> incomplete = new HashMap<>();

    /** A struct of the other version, and its counterpart of this version to be read as. */
    private record Pair(Shape.Struct written, FieldLayout wanted) {}

    Evolution(Defaults defaults) {
        this.defaults = defaults;
    }

    /** Returns the paths of the other version's fields that the codecs do not show. */
    List<String> lost() {
        return List.copyOf(lost);
    }

    /**
     * Makes a codec.
     *
     * @param written type in the other version
     * @param wanted codec of the type in this version
     * @param path path of both, for exceptions
     * @throws SchemaException if values of {@code written} cannot be read as values of {@code wanted}
     */
    TypeCodec<Object> codec(Shape written, TypeCodec<?> wanted, String path) {
        TypeCodec<?> target = wanted instanceof RecursiveCodec recursive ? recursive.target() : wanted;
        if (target instanceof FixedMappedCodec mapped) {
            return converted(codec(written, mapped.stored(), path), mapped::fromStored);
        }
        if (target instanceof MappedCodec mapped && !mapped.isStandard()) {
            return converted(codec(written, mapped.stored(), path), mapped::fromStored);
        }
        TypeCodec<?> made = switch (written) {
            case Shape.Struct struct when target instanceof StructCodec codec -> struct(struct, codec.layout(), path);
            case Shape.Named named -> named(named, target);
            case Shape.Sequence sequence when target instanceof SequenceCodec<?> codec ->
                codec.withElement(codec(sequence.element(), codec.element(), path + "[]"));
            case Shape.Entries entries when target instanceof MapCodec map ->
                map.with(codec(entries.key(), map.key(), path + ".key"), codec(entries.value(), map.value(),
                    path + ".value"));
            case Shape.Optional optional when target instanceof OptionalCodec codec ->
                new OptionalCodec(codec(optional.value(), codec.value(), path));
            case Shape.Optional optional when target instanceof MappedCodec mapped && mapped.isOptional() ->
                converted(codec(optional, mapped.stored(), path), mapped::fromStored);
            case Shape.Constants constants when target instanceof EnumCodec codec -> codec.as(constants.names());
            case Shape.Subclasses subclasses when target instanceof SealedCodec codec ->
                sealed(subclasses, codec, path);
            default -> null;
        };
        return made != null ? general(made) : wrapped(written, target, path);
    }

    @SuppressWarnings("unchecked")
    private static TypeCodec<Object> general(TypeCodec<?> codec) {
        return (TypeCodec<Object>) codec;
    }

    /** Reads a type without components as the same type or as a wider number; returns null if that is impossible. */
    private static @Nullable TypeCodec<?> named(Shape.Named written, TypeCodec<?> target) {
        if (written.kind().equals(Description.SCALAR) && target instanceof BoxCodec box) {
            Scalar scalar = Scalar.valueOf(written.name());
            return scalar == box.scalar() ? box : !scalar.widensTo(box.scalar()) ? null
                : converted(new BoxCodec(scalar), box.scalar()::widened);
        }
        return shapeOf(target).equals(written) ? target : null;
    }

    private static Shape shapeOf(TypeCodec<?> codec) {
        return DescriptionParser.parse(Description.of(codec).toString());
    }

    /** Reads a value as an optional one; all other differences are mismatches. */
    private TypeCodec<Object> wrapped(Shape written, TypeCodec<?> target, String path) {
        TypeCodec<Object> value = optionalValue(target);
        if (value == null) {
            throw mismatch(written, shapeOf(target), path);
        }
        return converted(codec(written, value, path), inOptional(target));
    }

    /** Returns the codec of the values of an optional type, or null if the type is not optional. */
    private static @Nullable TypeCodec<Object> optionalValue(TypeCodec<?> target) {
        TypeCodec<?> inner = target instanceof MappedCodec mapped ? mapped.stored() : target;
        return inner instanceof OptionalCodec optional ? optional.value() : null;
    }

    /** Returns the function that makes an optional of a value; null becomes empty. */
    private static UnaryOperator<Object> inOptional(TypeCodec<?> target) {
        return target instanceof MappedCodec mapped ? value -> mapped.fromStored(Optional.ofNullable(value))
            : Optional::ofNullable;
    }

    /**
     * Converts values that are read. The codec has a fixed size if {@code stored} has, so that offsets stay the same.
     */
    private static TypeCodec<Object> converted(TypeCodec<Object> stored, UnaryOperator<Object> conversion) {
        return MappedCodec.of(Conversion.reading(conversion), stored);
    }

    private static SchemaException mismatch(Object written, Object wanted, String path) {
        return new SchemaException(path + ": was written as " + written + ", which cannot be read as " + wanted, null);
    }

    // ---- sealed types ----

    private TypeCodec<?> sealed(Shape.Subclasses written, SealedCodec wanted, String path) {
        @SuppressWarnings({"unchecked", "rawtypes"})
        @Nullable TypeCodec<Object>[] codecs = new TypeCodec[written.names().size()];
        for (int i = 0; i < codecs.length; i++) {
            int number = FormerNames.indexOf(written.names().get(i), written.names(), wanted.classes());
            codecs[i] = number < 0 ? null : codec(written.shapes().get(i),
                Objects.requireNonNull(wanted.codecs()[number]),
                path + "(" + FormerNames.simple(written.names().get(i)) + ")");
        }
        return new SealedCodec(wanted.type(), List.of(), written.names(), codecs);
    }

    // ---- structs ----

    private TypeCodec<Object> struct(Shape.Struct written, FieldLayout wanted, String path) {
        Pair pair = new Pair(written, wanted);
        TypeCodec<Object> waiting = incomplete.get(pair);
        TypeCodec<Object> known = waiting != null ? waiting : structs.get(pair);
        if (known != null) {
            return known;
        }
        SkippedTypes.checkNesting(incomplete.size());
        RecursiveCodec placeholder = new RecursiveCodec(StackCodec.INSTANCE);
        incomplete.put(pair, placeholder);
        TypeCodec<Object> made = StructGenerator.generate(new Match(written, wanted, path).layout());
        placeholder.resolve(made);
        incomplete.remove(pair);
        structs.put(pair, made);
        return made;
    }

    /** Matches the fields of a struct of the other version with those of this version. */
    private final class Match {
        private final Shape.Struct written;
        private final FieldLayout wanted;
        private final String path;
        private final Map<String, Integer> indexes = new HashMap<>();
        /** Codecs of the written fields that this version has; null for the others. */
        private final @Nullable TypeCodec<?>[] codecs;

        Match(Shape.Struct written, FieldLayout wanted, String path) {
            this.written = written;
            this.wanted = wanted;
            this.path = path;
            this.codecs = new TypeCodec<?>[written.members().size()];
            for (Shape.Member member : written.members()) {
                indexes.put(member.name(), indexes.size());
            }
        }

        FieldLayout layout() {
            MethodHandle constructor = constructor();
            List<FieldLayout.Draft> drafts = new ArrayList<>();
            for (int i = 0; i < codecs.length; i++) {
                Shape.Member member = written.members().get(i);
                TypeCodec<?> codec = codecs[i];
                if (codec == null) {
                    lost.add(path + "." + member.name());
                }
                drafts.add(SkippedTypes.draft(member, codec != null ? codec : skipped.codec(member)));
            }
            return new FieldLayout(wanted.type(), constructor, drafts);
        }

        /** Returns this version's constructor with the written fields as parameters. */
        private MethodHandle constructor() {
            List<Integer> order = new ArrayList<>();
            List<MethodHandle> sources = new ArrayList<>();
            for (FieldLayout.Field field : wanted.fields()) {
                Integer index = index(field);
                if (index == null) {
                    sources.add(missing(field));
                } else {
                    sources.add(conversion(index, written.members().get(index), field));
                    order.add(index);
                }
            }
            MethodHandle constructor = wanted.constructor();
            for (int i = sources.size() - 1; i >= 0; i--) {
                constructor = MethodHandles.collectArguments(constructor, i, sources.get(i));
            }
            List<Class<?>> parameters = new ArrayList<>();
            for (Shape.Member member : written.members()) {
                parameters.add(member.scalar() != null ? member.scalar().primitive() : Object.class);
            }
            return MethodHandles.permuteArguments(constructor, MethodType.methodType(Object.class, parameters),
                order.stream().mapToInt(Integer::intValue).toArray());
        }

        /**
         * Returns the index of a field in the other version, by its name or a former name; null if the other version
         * has no such field.
         */
        private @Nullable Integer index(FieldLayout.Field field) {
            Integer known = indexes.get(field.name());
            return known != null ? known : FormerNames.ofField(wanted.type(), field.name()).stream()
                .map(indexes::get).filter(Objects::nonNull).findFirst().orElse(null);
        }

        /** Returns the source of a field that the other version does not have. */
        private MethodHandle missing(FieldLayout.Field field) {
            Object value = defaults.find(wanted.type(), field.name());
            if (field.scalar() != null) {
                Class<?> type = field.scalar().primitive();
                return value != null ? MethodHandles.constant(type, value) : MethodHandles.zero(type);
            }
            return value != null ? MethodHandles.constant(Object.class, value) : MISSING.bindTo(field.codec());
        }

        /** Returns the conversion of a written field to a field of this version, and sets the codec that reads it. */
        private MethodHandle conversion(int index, Shape.Member member, FieldLayout.Field field) {
            String fieldPath = path + "." + field.name();
            if (member.scalar() != null) {
                codecs[index] = new BoxCodec(member.scalar());
                return fromPrimitive(member.scalar(), field, fieldPath);
            }
            if (field.scalar() != null) {
                throw mismatch(member, field.scalar(), fieldPath);
            }
            Shape shape = Objects.requireNonNull(member.shape());
            TypeCodec<Object> value = optionalValue(field.codec());
            if (value == null || isOptional(shape)) {
                codecs[index] = codec(shape, field.codec(), fieldPath);
                return MethodHandles.identity(Object.class);
            }
            codecs[index] = codec(shape, value, fieldPath);
            return APPLY.bindTo(inOptional(field.codec()));
        }

        private boolean isOptional(Shape shape) {
            return shape instanceof Shape.Optional
                || shape instanceof Shape.Named named && named.name().startsWith(Optional.class.getName());
        }

        private MethodHandle fromPrimitive(Scalar scalar, FieldLayout.Field field, String fieldPath) {
            TypeCodec<?> value = optionalValue(field.codec());
            TypeCodec<?> target = value != null ? value : field.codec();
            if (!(target instanceof BoxCodec box) || !scalar.widensTo(box.scalar())) {
                throw mismatch(scalar, field.scalar() != null ? field.scalar() : shapeOf(field.codec()), fieldPath);
            }
            MethodHandle widened = MethodHandles.identity(scalar.primitive())
                .asType(MethodType.methodType(box.scalar().primitive(), scalar.primitive()));
            if (field.scalar() != null) {
                return widened;
            }
            MethodHandle boxed = widened.asType(MethodType.methodType(Object.class, scalar.primitive()));
            return value == null ? boxed
                : MethodHandles.filterReturnValue(boxed, APPLY.bindTo(inOptional(field.codec())));
        }
    }
}
