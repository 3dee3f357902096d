package io.teff.engine.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes parts that read what this program has no use for: the bytes are checked, the values are forgotten. */
final class SkippedParts {
    /** What every skipped struct and constant becomes. */
    private enum Skipped { VALUE }

    private static final int NESTING_MAX = 200;
    private static final MethodHandle SKIPPED = MethodHandles.constant(Object.class, Skipped.VALUE);
    private static final Map<String, Class<?>> STANDARD = Stream.of(FixedParts.types(), Mapping.types(),
        Set.<Class<?>>of(String.class)).flatMap(Set::stream).collect(Collectors.toMap(Class::getName, type -> type));

    private final Map<Shape.Fields, Part<Object>> structs = new HashMap<>();
    private final Map<Shape.Fields, RecursivePart> underWay = new HashMap<>();

    Part<?> part(Shape.Member member) {
        return member.scalar() != null ? new BoxPart(member.scalar()) : part(Objects.requireNonNull(member.shape()));
    }

    Part<Object> part(Shape shape) {
        @SuppressWarnings("unchecked")
        Part<Object> part = (Part<Object>) switch (shape) {
            case Shape.Named named -> named(named);
            case Shape.Sequence sequence -> new CollectionPart(part(sequence.element()), count -> new Elements());
            case Shape.Entries entries ->
                new MapPart(part(entries.key()), part(entries.value()), count -> new Entries());
            case Shape.Perhaps perhaps -> new OptionalPart(part(perhaps.value()));
            case Shape.Constants constants -> EnumPart.skipping(Skipped.VALUE, constants.names());
            case Shape.Subclasses subclasses -> sealed(subclasses);
            case Shape.Fields fields -> struct(fields);
        };
        return part;
    }

    private static Part<?> named(Shape.Named named) {
        return switch (named.kind()) {
            case Description.SCALAR -> new BoxPart(Scalar.valueOf(named.name()));
            case Description.PRIMITIVE_ARRAY -> new PrimitiveArrayPart(Scalar.valueOf(named.name()));
            case Description.CUSTOM -> new PrimitiveArrayPart(Scalar.BYTE);
            default -> {
                Class<?> type = STANDARD.get(named.name());
                if (type == null) {
                    throw new SchemaException("values of " + named.name() + " were written; this program knows no such "
                        + "type and cannot skip them", null);
                }
                yield Derivation.standard(TypeRef.of(type), named.name());
            }
        };
    }

    private Part<?> sealed(Shape.Subclasses subclasses) {
        @SuppressWarnings({"unchecked", "rawtypes"})
        @Nullable Part<Object>[] parts = new Part[subclasses.shapes().size()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = part(subclasses.shapes().get(i));
        }
        return new SealedPart(Skipped.class, List.of(), subclasses.names(), parts);
    }

    private Part<Object> struct(Shape.Fields fields) {
        Part<Object> waiting = underWay.get(fields);
        Part<Object> known = waiting != null ? waiting : structs.get(fields);
        if (known != null) {
            return known;
        }
        checkNesting(underWay.size());
        RecursivePart placeholder = new RecursivePart();
        underWay.put(fields, placeholder);
        List<Layout.Draft> drafts = fields.members().stream().map(member -> draft(member, part(member))).toList();
        MethodHandle constructor = MethodHandles.dropArguments(SKIPPED, 0, drafts.stream().<Class<?>>map(draft ->
            draft.scalar() != null ? draft.scalar().primitive() : Object.class).toList());
        Part<Object> made = StructGenerator.generate(new Layout(Skipped.class, constructor, drafts));
        placeholder.resolve(made);
        underWay.remove(fields);
        structs.put(fields, made);
        return made;
    }

    /** A description may lead from struct to struct without end. */
    static void checkNesting(int structs) {
        if (structs > NESTING_MAX) {
            throw new SchemaException("more than " + NESTING_MAX + " structs inside of each other", null);
        }
    }

    /** A field that is never written here, so its getter is never called. */
    static Layout.Draft draft(Shape.Member member, Part<?> part) {
        Class<?> type = member.scalar() != null ? member.scalar().primitive() : Object.class;
        return new Layout.Draft(member.name(), member.scalar(), part,
            MethodHandles.empty(MethodType.methodType(type, Object.class)), member.zigzag());
    }

    // ---- containers that keep nothing ----

    private static final class Elements extends AbstractCollection<@Nullable Object> {
        private int count;

        @Override
        public boolean add(@Nullable Object element) {
            count++;
            return true;
        }

        @Override
        public Iterator<@Nullable Object> iterator() {
            return Collections.emptyIterator();
        }

        @Override
        public int size() {
            return count;
        }
    }

    private static final class Entries extends AbstractMap<@Nullable Object, @Nullable Object> {
        private int count;

        @Override
        public @Nullable Object put(@Nullable Object key, @Nullable Object value) {
            count++;
            return null;
        }

        @Override
        public int size() {
            return count;
        }

        @Override
        public Set<Map.Entry<@Nullable Object, @Nullable Object>> entrySet() {
            return Set.of();
        }
    }
}
