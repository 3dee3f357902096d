package io.teff.engine.codec.schema;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.SchemaException;
import io.teff.engine.codec.partial.StackCodec;
import io.teff.engine.codec.type.ArrayCodec;
import io.teff.engine.codec.type.BoxCodec;
import io.teff.engine.codec.type.CollectionCodec;
import io.teff.engine.codec.type.CustomCodec;
import io.teff.engine.codec.type.EnumCodec;
import io.teff.engine.codec.type.FieldLayout;
import io.teff.engine.codec.type.FixedCodecs;
import io.teff.engine.codec.type.MapCodec;
import io.teff.engine.codec.type.MappedCodec;
import io.teff.engine.codec.type.OptionalCodec;
import io.teff.engine.codec.type.PrimitiveArrayCodec;
import io.teff.engine.codec.type.RecursiveCodec;
import io.teff.engine.codec.type.Scalar;
import io.teff.engine.codec.type.SealedCodec;
import io.teff.engine.codec.type.StringCodec;
import io.teff.engine.codec.type.TypeCodec;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes the codecs of a type and of all types that it contains. Used once, by one thread. */
final class Derivation {
    private static final int NESTING_MAX = 200;
    /** Chars of a path in an exception about nesting. */
    private static final int PATH_SHOWN = 200;

    private final MethodHandles.@Nullable Lookup lookup;
    private final boolean compact;
    private final Map<Class<?>, Object> overrides;
    private final Set<Class<?>> overridesUsed = new HashSet<>();
    private final Defaults defaults;
    /** Complete codecs of structs and sealed types. */
    private final Map<TypeRef, TypeCodec<Object>> structs = new HashMap<>();
    /** References to codecs that are incomplete: those of the types that surround the current one. */
    private final Map<TypeRef, RecursiveCodec> incomplete = new HashMap<>();

    /**
     * Makes a derivation.
     *
     * @param lookup access to types in packages that are not open, or null
     * @param compact whether int and long fields are written as zigzag LEB128 numbers
     * @param overrides hand-written codecs ({@link Codec}) and mappings ({@link Mapping}) by type
     * @param defaults values of fields that another version does not have
     */
    Derivation(MethodHandles.@Nullable Lookup lookup, boolean compact, Map<Class<?>, Object> overrides,
               Defaults defaults) {
        this.lookup = lookup;
        this.compact = compact;
        this.overrides = overrides;
        this.defaults = defaults;
    }

    /** Returns the codec of a type of the JDK that is composed of others: the same bytes in all schemas. */
    static TypeCodec<Object> standard(TypeRef type, String path) {
        return new Derivation(null, true, Map.of(), Defaults.NONE).codec(type, path);
    }

    /** Returns the codec of a type that is not primitive. */
    @SuppressWarnings("unchecked")
    TypeCodec<Object> codec(TypeRef type, String path) {
        Class<?> raw = type.raw();
        if (incomplete.size() > NESTING_MAX) {
            throw new SchemaException(path.substring(0, PATH_SHOWN) + "...: more than " + NESTING_MAX
                + " types nested in each other", null);
        }
        TypeCodec<?> known = overrides.containsKey(raw) ? overridden(raw, path)
            : raw == String.class ? StringCodec.INSTANCE : FixedCodecs.of(raw);
        return known != null ? (TypeCodec<Object>) known : (TypeCodec<Object>) composed(type, raw, path);
    }

    /** Checks that all codecs, mappings and values of fields were used. */
    void checkAll(Class<?> root) {
        defaults.checkAll(root);
        Set<Class<?>> unknown = new HashSet<>(overrides.keySet());
        unknown.removeAll(overridesUsed);
        if (!unknown.isEmpty()) {
            throw new SchemaException("codecs are set for types that do not occur in " + root.getSimpleName() + ": "
                + unknown, null);
        }
    }

    private TypeCodec<?> overridden(Class<?> raw, String path) {
        overridesUsed.add(raw);
        if (!(overrides.get(raw) instanceof Mapping mapping)) {
            return new CustomCodec(raw, (Codec<?>) Objects.requireNonNull(overrides.get(raw)));
        }
        if (overrides.get(mapping.stored().raw()) instanceof Mapping) {
            throw new SchemaException(path + ": " + raw.getName() + " is stored as " + mapping.stored()
                + ", which is itself stored as another type", null);
        }
        return MappedCodec.of(mapping.conversion(), codec(mapping.stored(), path));
    }

    /** Returns the codec of a type that contains other types. */
    private TypeCodec<?> composed(TypeRef type, Class<?> raw, String path) {
        if (raw.isArray()) {
            Scalar scalar = Scalar.ofPrimitive(raw.getComponentType());
            return scalar != null ? new PrimitiveArrayCodec(scalar)
                : new ArrayCodec(raw.getComponentType(), codec(type.arguments().getFirst(), path + "[]"));
        }
        Mapping mapping = Mapping.of(raw);
        if (mapping != null) {
            return MappedCodec.standard(mapping.conversion(), standard(mapping.stored(), path));
        }
        if (raw.isEnum()) {
            return EnumCodec.of(raw);
        }
        if (raw == Optional.class) {
            return new OptionalCodec(codec(argument(type, 0, path), path));
        }
        if (Containers.isCollection(raw)) {
            TypeRef element = argument(type, 0, path);
            return new CollectionCodec(codec(element, path + "[]"), Containers.collection(raw, element, path));
        }
        if (Containers.isMap(raw)) {
            TypeRef key = argument(type, 0, path);
            return new MapCodec(codec(key, path + ".key"), codec(argument(type, 1, path), path + ".value"),
                Containers.map(raw, key, path));
        }
        TypeCodec<Object> waiting = incomplete.get(type);
        TypeCodec<Object> known = waiting != null ? waiting : structs.get(type);
        return known != null ? known : raw.isSealed() && !RefusedTypes.isOfJdk(raw) ? sealed(type, path)
            : struct(type, path);
    }

    private static TypeRef argument(TypeRef type, int index, String path) {
        if (type.arguments().size() <= index) {
            throw new SchemaException(path + ": " + type + " without type arguments does not determine the type of its "
                + "values", null);
        }
        return type.arguments().get(index);
    }

    // ---- sealed types ----

    private TypeCodec<?> sealed(TypeRef type, String path) {
        RecursiveCodec placeholder = new RecursiveCodec(StackCodec.INSTANCE);
        incomplete.put(type, placeholder);
        List<TypeRef> subclasses = Subclasses.of(type, path);
        List<Class<?>> classes = subclasses.stream().<Class<?>>map(TypeRef::raw).toList();
        @SuppressWarnings({"unchecked", "rawtypes"})
        TypeCodec<Object>[] codecs = new TypeCodec[subclasses.size()];
        for (int i = 0; i < codecs.length; i++) {
            codecs[i] = codec(subclasses.get(i), path + "(" + classes.get(i).getSimpleName() + ")");
        }
        TypeCodec<Object> codec = new SealedCodec(type.raw(), classes,
            classes.stream().<String>map(Class::getName).toList(), codecs);
        return end(type, placeholder, codec);
    }

    // ---- structs ----

    private TypeCodec<?> struct(TypeRef type, String path) {
        RecursiveCodec placeholder = new RecursiveCodec(StackCodec.INSTANCE);
        incomplete.put(type, placeholder);
        Members members = Members.of(type, lookup, path);
        List<FieldLayout.Draft> drafts = new ArrayList<>();
        for (Members.Member member : members.members()) {
            String fieldPath = path + "." + member.name();
            Scalar scalar = Scalar.ofPrimitive(member.type().raw());
            defaults.check(type.raw(), member.name(), member.type().raw(), fieldPath);
            boolean zigzag = compact && (scalar == Scalar.INT || scalar == Scalar.LONG);
            TypeCodec<?> codec = scalar != null ? new BoxCodec(scalar) : codec(member.type(), fieldPath);
            drafts.add(new FieldLayout.Draft(member.name(), scalar, codec, member.getter(), zigzag));
        }
        FieldLayout layout = new FieldLayout(type.raw(), members.constructor(), drafts);
        return end(type, placeholder, StructGenerator.generate(layout));
    }

    /** Registers the complete codec of a struct or sealed type. */
    private TypeCodec<Object> end(TypeRef type, RecursiveCodec placeholder, TypeCodec<Object> codec) {
        placeholder.resolve(codec);
        incomplete.remove(type);
        structs.put(type, codec);
        return codec;
    }
}
