package io.teff.engine.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes parts that read what somebody else has written, as values of this program's types. Used once, by one thread.
 *
 * <p>A struct's layout is that of the writer: all its fields, in its order. Only the constructor differs: it is this
 * program's, with its parameters permuted, converted, left out, or filled in. So the code that is generated for it is
 * as straight as any other, and partial reading needs to know nothing of it.
 *
 * <p>A struct that contains itself is found to do so in the same places as the writer found it, because both walk the
 * same tree; that matters, as a {@link RecursivePart} has no fixed size.
 */
final class Evolution {
    private static final MethodHandle APPLY;
    private static final MethodHandle MISSING;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            APPLY = lookup.findVirtual(UnaryOperator.class, "apply", MethodType.genericMethodType(1));
            MISSING = lookup.findVirtual(Part.class, "missing", MethodType.genericMethodType(0));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Defaults defaults;
    private final SkippedParts skipped = new SkippedParts();
    private final Map<Pair, Part<Object>> structs = new HashMap<>();
    private final Map<Pair, RecursivePart> underWay = new HashMap<>();

    /** What was written and what is wanted instead. */
    private record Pair(Shape.Fields written, Layout wanted) {}

    Evolution(Defaults defaults) {
        this.defaults = defaults;
    }

    /**
     * Makes a part.
     *
     * @param written what the bytes are
     * @param wanted the part that reads what this program itself writes
     * @param path of both, for complaints
     * @throws SchemaException if what was written cannot be read as what is wanted
     */
    Part<Object> part(Shape written, Part<?> wanted, String path) {
        Part<?> target = wanted instanceof RecursivePart recursive ? recursive.target() : wanted;
        if (target instanceof ConvertedPart given) {
            return converted(part(written, given.stored(), path), given::fromStored);
        }
        if (target instanceof MappedPart given && !given.isStandard()) {
            return converted(part(written, given.stored(), path), given::fromStored);
        }
        Part<?> made = switch (written) {
            case Shape.Fields fields when target instanceof Struct struct -> struct(fields, struct.layout(), path);
            case Shape.Named named -> named(named, target);
            case Shape.Sequence sequence when target instanceof ElementsPart<?> elements ->
                elements.of(part(sequence.element(), elements.element(), path + "[]"));
            case Shape.Entries entries when target instanceof MapPart map ->
                map.of(part(entries.key(), map.key(), path + ".key"), part(entries.value(), map.value(),
                    path + ".value"));
            case Shape.Perhaps perhaps when target instanceof OptionalPart optional ->
                new OptionalPart(part(perhaps.value(), optional.value(), path));
            case Shape.Perhaps perhaps when target instanceof MappedPart mapped && mapped.isOptional() ->
                converted(part(perhaps, mapped.stored(), path), mapped::fromStored);
            case Shape.Constants constants when target instanceof EnumPart part -> part.as(constants.names());
            case Shape.Subclasses subclasses when target instanceof SealedPart part -> sealed(subclasses, part, path);
            default -> null;
        };
        return made != null ? general(made) : wrapped(written, target, path);
    }

    @SuppressWarnings("unchecked")
    private static Part<Object> general(Part<?> part) {
        return (Part<Object>) part;
    }

    private static @Nullable Part<?> named(Shape.Named written, Part<?> target) {
        if (written.kind().equals(Description.SCALAR) && target instanceof BoxPart box) {
            Scalar scalar = Scalar.valueOf(written.name());
            return scalar == box.scalar() ? box : !scalar.widensTo(box.scalar()) ? null
                : converted(new BoxPart(scalar), box.scalar()::widened);
        }
        return shapeOf(target).equals(written) ? target : null;
    }

    private static Shape shapeOf(Part<?> part) {
        return DescriptionParser.parse(Description.of(part).toString());
    }

    /** What was not optional may be so now; everything else does not go together. */
    private Part<Object> wrapped(Shape written, Part<?> target, String path) {
        Part<Object> value = optionalValue(target);
        if (value == null) {
            throw mismatch(written, shapeOf(target), path);
        }
        return converted(part(written, value, path), inOptional(target));
    }

    private static @Nullable Part<Object> optionalValue(Part<?> target) {
        Part<?> inner = target instanceof MappedPart mapped ? mapped.stored() : target;
        return inner instanceof OptionalPart optional ? optional.value() : null;
    }

    private static UnaryOperator<Object> inOptional(Part<?> target) {
        return target instanceof MappedPart mapped ? value -> mapped.fromStored(Optional.ofNullable(value))
            : Optional::ofNullable;
    }

    /** It stays fixed or variable, or what surrounds it would lie elsewhere. */
    private static Part<Object> converted(Part<Object> stored, UnaryOperator<Object> conversion) {
        return MappedPart.of(Mapping.reading(conversion), stored);
    }

    private static SchemaException mismatch(Object written, Object wanted, String path) {
        return new SchemaException(path + ": was written as " + written + ", which cannot be read as " + wanted, null);
    }

    // ---- sealed types ----

    private Part<?> sealed(Shape.Subclasses written, SealedPart wanted, String path) {
        @SuppressWarnings({"unchecked", "rawtypes"})
        @Nullable Part<Object>[] parts = new Part[written.names().size()];
        for (int i = 0; i < parts.length; i++) {
            int number = find(written.names().get(i), written.names(), wanted.classes());
            parts[i] = number < 0 ? null : part(written.shapes().get(i),
                Objects.requireNonNull(wanted.parts()[number]), path + "(" + simple(written.names().get(i)) + ")");
        }
        return new SealedPart(wanted.type(), List.of(), written.names(), parts);
    }

    /** By its whole name; else, as classes are moved, by the end of it, if on either side only one ends so. */
    private static int find(String name, List<String> writtenNames, List<Class<?>> classes) {
        List<String> names = classes.stream().<String>map(Class::getName).toList();
        List<String> ends = names.stream().map(Evolution::simple).toList();
        String end = simple(name);
        return names.contains(name) ? names.indexOf(name)
            : Collections.frequency(ends, end) == 1
                && writtenNames.stream().filter(other -> simple(other).equals(end)).count() == 1 ? ends.indexOf(end)
            : -1;
    }

    private static String simple(String className) {
        return className.substring(Math.max(className.lastIndexOf('.'), className.lastIndexOf('$')) + 1);
    }

    // ---- structs ----

    private Part<Object> struct(Shape.Fields written, Layout wanted, String path) {
        Pair pair = new Pair(written, wanted);
        Part<Object> waiting = underWay.get(pair);
        Part<Object> known = waiting != null ? waiting : structs.get(pair);
        if (known != null) {
            return known;
        }
        SkippedParts.checkNesting(underWay.size());
        RecursivePart placeholder = new RecursivePart();
        underWay.put(pair, placeholder);
        Part<Object> made = StructGenerator.generate(new Match(written, wanted, path).layout());
        placeholder.resolve(made);
        underWay.remove(pair);
        structs.put(pair, made);
        return made;
    }

    /** Finds the fields of one struct in another. */
    private final class Match {
        private final Shape.Fields written;
        private final Layout wanted;
        private final String path;
        private final Map<String, Integer> indexes = new HashMap<>();
        /** Of each written field, those that are wanted. */
        private final @Nullable Part<?>[] parts;

        Match(Shape.Fields written, Layout wanted, String path) {
            this.written = written;
            this.wanted = wanted;
            this.path = path;
            this.parts = new Part<?>[written.members().size()];
            for (Shape.Member member : written.members()) {
                indexes.put(member.name(), indexes.size());
            }
        }

        Layout layout() {
            MethodHandle constructor = constructor();
            List<Layout.Draft> drafts = new ArrayList<>();
            for (int i = 0; i < parts.length; i++) {
                Shape.Member member = written.members().get(i);
                Part<?> part = parts[i];
                drafts.add(SkippedParts.draft(member, part != null ? part : skipped.part(member)));
            }
            return new Layout(wanted.type(), constructor, drafts);
        }

        /** The wanted constructor with the written fields as parameters. */
        private MethodHandle constructor() {
            List<Integer> order = new ArrayList<>();
            List<MethodHandle> sources = new ArrayList<>();
            for (Layout.Field field : wanted.fields()) {
                Integer index = indexes.get(field.name());
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

        private MethodHandle missing(Layout.Field field) {
            Object given = defaults.find(wanted.type(), field.name());
            if (field.scalar() != null) {
                Class<?> type = field.scalar().primitive();
                return given != null ? MethodHandles.constant(type, given) : MethodHandles.zero(type);
            }
            return given != null ? MethodHandles.constant(Object.class, given) : MISSING.bindTo(field.part());
        }

        /** From what is written to what is wanted; notes the part that reads it. */
        private MethodHandle conversion(int index, Shape.Member member, Layout.Field field) {
            String fieldPath = path + "." + field.name();
            if (member.scalar() != null) {
                parts[index] = new BoxPart(member.scalar());
                return fromPrimitive(member.scalar(), field, fieldPath);
            }
            if (field.scalar() != null) {
                throw mismatch(member, field.scalar(), fieldPath);
            }
            Shape shape = Objects.requireNonNull(member.shape());
            Part<Object> value = optionalValue(field.part());
            if (value == null || isOptional(shape)) {
                parts[index] = part(shape, field.part(), fieldPath);
                return MethodHandles.identity(Object.class);
            }
            parts[index] = part(shape, value, fieldPath);       // null becomes empty, too
            return APPLY.bindTo(inOptional(field.part()));
        }

        private boolean isOptional(Shape shape) {
            return shape instanceof Shape.Perhaps
                || shape instanceof Shape.Named named && named.name().startsWith(Optional.class.getName());
        }

        private MethodHandle fromPrimitive(Scalar scalar, Layout.Field field, String fieldPath) {
            Part<?> value = optionalValue(field.part());
            Part<?> target = value != null ? value : field.part();
            if (!(target instanceof BoxPart box) || !scalar.widensTo(box.scalar())) {
                throw mismatch(scalar, field.scalar() != null ? field.scalar() : shapeOf(field.part()), fieldPath);
            }
            MethodHandle widened = MethodHandles.identity(scalar.primitive())
                .asType(MethodType.methodType(box.scalar().primitive(), scalar.primitive()));
            if (field.scalar() != null) {
                return widened;
            }
            MethodHandle boxed = widened.asType(MethodType.methodType(Object.class, scalar.primitive()));
            return value == null ? boxed
                : MethodHandles.filterReturnValue(boxed, APPLY.bindTo(inOptional(field.part())));
        }
    }
}
