package io.teff.engine.codec.schema;

import io.teff.engine.codec.SchemaException;
import io.teff.engine.codec.partial.StackCodec;
import io.teff.engine.codec.type.BoxCodec;
import io.teff.engine.codec.type.CollectionCodec;
import io.teff.engine.codec.type.ContainerKind;
import io.teff.engine.codec.type.Description;
import io.teff.engine.codec.type.EnumCodec;
import io.teff.engine.codec.type.FieldLayout;
import io.teff.engine.codec.type.FixedCodecs;
import io.teff.engine.codec.type.MapCodec;
import io.teff.engine.codec.type.OptionalCodec;
import io.teff.engine.codec.type.PrimitiveArrayCodec;
import io.teff.engine.codec.type.RecursiveCodec;
import io.teff.engine.codec.type.RefusedElements;
import io.teff.engine.codec.type.Scalar;
import io.teff.engine.codec.type.SealedCodec;
import io.teff.engine.codec.type.TypeCodec;
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

/** Makes codecs for fields of another version that this version does not have: bytes are checked, values discarded. */
final class SkippedTypes {
    /** The value of all skipped structs and constants. */
    private enum Skipped { VALUE }

    private static final int NESTING_MAX = 200;
    private static final MethodHandle SKIPPED = MethodHandles.constant(Object.class, Skipped.VALUE);
    private static final Map<String, Class<?>> STANDARD = Stream.of(FixedCodecs.types(), Mapping.types(),
        Set.<Class<?>>of(String.class)).flatMap(Set::stream).collect(Collectors.toMap(Class::getName, type -> type));

    private final Map<Shape.Struct, TypeCodec<Object>> structs = new HashMap<>();
    /** References to codecs that are incomplete: those of the structs that surround the current one. */
    private final Map<Shape.Struct, RecursiveCodec> incomplete = new HashMap<>();

    /** Returns a codec that skips the values of a field. */
    TypeCodec<?> codec(Shape.Member member) {
        return member.scalar() != null ? new BoxCodec(member.scalar()) : codec(Objects.requireNonNull(member.shape()));
    }

    /** Returns a codec that skips the values of a type. */
    TypeCodec<Object> codec(Shape shape) {
        @SuppressWarnings("unchecked")
        TypeCodec<Object> codec = (TypeCodec<Object>) switch (shape) {
            case Shape.Named named -> named(named);
            case Shape.Sequence sequence -> new CollectionCodec(codec(sequence.element()),
                new ContainerKind<>(count -> new Elements(), RefusedElements.NOTHING));
            case Shape.Entries entries ->
                new MapCodec(codec(entries.key()), codec(entries.value()),
                    new ContainerKind<>(count -> new Entries(), RefusedElements.NOTHING));
            case Shape.Optional optional -> new OptionalCodec(codec(optional.value()));
            case Shape.Constants constants -> EnumCodec.skipping(Skipped.VALUE, constants.names());
            case Shape.Subclasses subclasses -> sealed(subclasses);
            case Shape.Struct struct -> struct(struct);
        };
        return codec;
    }

    private static TypeCodec<?> named(Shape.Named named) {
        return switch (named.kind()) {
            case Description.SCALAR -> new BoxCodec(Scalar.valueOf(named.name()));
            case Description.PRIMITIVE_ARRAY -> new PrimitiveArrayCodec(Scalar.valueOf(named.name()));
            case Description.CUSTOM -> new PrimitiveArrayCodec(Scalar.BYTE);
            default -> {
                Class<?> type = STANDARD.get(named.name());
                if (type == null) {
                    throw new SchemaException("values of " + named.name() + " were written, which this version of "
                        + "Teff does not know and cannot skip", null);
                }
                yield Derivation.standard(TypeRef.of(type), named.name());
            }
        };
    }

    private TypeCodec<?> sealed(Shape.Subclasses subclasses) {
        @SuppressWarnings({"unchecked", "rawtypes"})
        @Nullable TypeCodec<Object>[] codecs = new TypeCodec[subclasses.shapes().size()];
        for (int i = 0; i < codecs.length; i++) {
            codecs[i] = codec(subclasses.shapes().get(i));
        }
        return new SealedCodec(Skipped.class, List.of(), subclasses.names(), codecs);
    }

    private TypeCodec<Object> struct(Shape.Struct written) {
        TypeCodec<Object> waiting = incomplete.get(written);
        TypeCodec<Object> known = waiting != null ? waiting : structs.get(written);
        if (known != null) {
            return known;
        }
        checkNesting(incomplete.size());
        RecursiveCodec placeholder = new RecursiveCodec(StackCodec.INSTANCE);
        incomplete.put(written, placeholder);
        List<FieldLayout.Draft> drafts = written.members().stream()
            .map(member -> draft(member, codec(member))).toList();
        MethodHandle constructor = MethodHandles.dropArguments(SKIPPED, 0, drafts.stream().<Class<?>>map(draft ->
            draft.scalar() != null ? draft.scalar().primitive() : Object.class).toList());
        TypeCodec<Object> made = StructGenerator.generate(new FieldLayout(Skipped.class, constructor, drafts));
        placeholder.resolve(made);
        incomplete.remove(written);
        structs.put(written, made);
        return made;
    }

    /** Limits the nesting of structs: a description can lead from struct to struct almost without end. */
    static void checkNesting(int structs) {
        if (structs > NESTING_MAX) {
            throw new SchemaException("more than " + NESTING_MAX + " structs nested in each other", null);
        }
    }

    /** Makes a field that is only read; its getter is never called. */
    static FieldLayout.Draft draft(Shape.Member member, TypeCodec<?> codec) {
        Class<?> type = member.scalar() != null ? member.scalar().primitive() : Object.class;
        return new FieldLayout.Draft(member.name(), member.scalar(), codec,
            MethodHandles.empty(MethodType.methodType(type, Object.class)), member.zigzag());
    }

    // ---- containers that discard their elements ----

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
