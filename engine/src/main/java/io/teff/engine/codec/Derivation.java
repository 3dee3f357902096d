package io.teff.engine.codec;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Makes the parts of a type and of all that it consists of. Used once, by one thread. */
final class Derivation {
    private static final int NESTING_MAX = 200;
    private static final int PATH_SHOWN = 200;

    private final MethodHandles.@Nullable Lookup lookup;
    private final boolean compact;
    private final Map<Class<?>, Object> given;
    private final Set<Class<?>> givenFound = new HashSet<>();
    private final Defaults defaults;
    private final Map<TypeRef, Part<Object>> structs = new HashMap<>();
    private final Map<TypeRef, RecursivePart> underWay = new HashMap<>();

    /**
     * Makes parts.
     *
     * @param lookup for types in packages that are not open, or null
     * @param compact whether int and long take as few bytes as they need
     * @param given codecs and mappings of types
     * @param defaults values of fields that were not written
     */
    Derivation(MethodHandles.@Nullable Lookup lookup, boolean compact, Map<Class<?>, Object> given, Defaults defaults) {
        this.lookup = lookup;
        this.compact = compact;
        this.given = given;
        this.defaults = defaults;
    }

    /** The part of a standard type that needs others: the same bytes in every schema. */
    static Part<Object> standard(TypeRef type, String path) {
        return new Derivation(null, true, Map.of(), Defaults.NONE).part(type, path);
    }

    /** The part of a type that is not primitive. */
    @SuppressWarnings("unchecked")
    Part<Object> part(TypeRef type, String path) {
        Class<?> raw = type.raw();
        if (underWay.size() > NESTING_MAX) {
            throw new SchemaException(path.substring(0, PATH_SHOWN) + "...: types without end inside of each other",
                null);
        }
        Part<?> known = given.containsKey(raw) ? given(raw, path)
            : raw == String.class ? StringPart.INSTANCE : FixedParts.of(raw);
        return known != null ? (Part<Object>) known : (Part<Object>) composed(type, raw, path);
    }

    /** Checks that what was given is used. */
    void checkAll(Class<?> root) {
        defaults.checkAll(root);
        Set<Class<?>> unknown = new HashSet<>(given.keySet());
        unknown.removeAll(givenFound);
        if (!unknown.isEmpty()) {
            throw new SchemaException("codecs are given for types that " + root.getSimpleName() + " does not consist "
                + "of: " + unknown, null);
        }
    }

    private Part<?> given(Class<?> raw, String path) {
        givenFound.add(raw);
        if (!(given.get(raw) instanceof Mapping<?, ?> mapping)) {
            return new CustomPart(raw, (Codec<?>) Objects.requireNonNull(given.get(raw)));
        }
        if (given.get(mapping.stored().raw()) instanceof Mapping<?, ?>) {
            throw new SchemaException(path + ": " + raw.getName() + " is stored as " + mapping.stored()
                + ", which is itself stored as another type", null);
        }
        return MappedPart.of(mapping, part(mapping.stored(), path));
    }

    private Part<?> composed(TypeRef type, Class<?> raw, String path) {
        if (raw.isArray()) {
            Scalar scalar = Scalar.ofPrimitive(raw.getComponentType());
            return scalar != null ? new PrimitiveArrayPart(scalar)
                : new ArrayPart(raw.getComponentType(), part(type.arguments().getFirst(), path + "[]"));
        }
        Mapping<?, ?> mapping = Mapping.of(raw);
        if (mapping != null) {
            return MappedPart.standard(mapping, standard(mapping.stored(), path));
        }
        if (raw.isEnum()) {
            return EnumPart.of(raw);
        }
        if (raw == Optional.class) {
            return new OptionalPart(part(argument(type, 0, path), path));
        }
        IntFunction<Collection<@Nullable Object>> collection = Containers.collection(raw);
        if (collection != null) {
            return new CollectionPart(part(argument(type, 0, path), path + "[]"), collection);
        }
        IntFunction<Map<@Nullable Object, @Nullable Object>> map = Containers.map(raw);
        if (map != null) {
            return new MapPart(part(argument(type, 0, path), path + ".key"),
                part(argument(type, 1, path), path + ".value"), map);
        }
        Part<Object> waiting = underWay.get(type);
        Part<Object> known = waiting != null ? waiting : structs.get(type);
        return known != null ? known : raw.isSealed() ? sealed(type, path) : struct(type, path);
    }

    private static TypeRef argument(TypeRef type, int index, String path) {
        if (type.arguments().size() <= index) {
            throw new SchemaException(path + ": " + type + " without type arguments says nothing of its values", null);
        }
        return type.arguments().get(index);
    }

    // ---- sealed types ----

    private Part<?> sealed(TypeRef type, String path) {
        RecursivePart placeholder = new RecursivePart();
        underWay.put(type, placeholder);
        Set<Class<?>> all = new LinkedHashSet<>();
        flatten(type.raw(), all, path);
        List<Class<?>> classes = all.stream().sorted(Comparator.comparing(Class::getName)).toList();
        @SuppressWarnings({"unchecked", "rawtypes"})
        Part<Object>[] parts = new Part[classes.size()];
        for (int i = 0; i < parts.length; i++) {
            Class<?> subclass = classes.get(i);
            if (subclass.getTypeParameters().length > 0) {
                throw new SchemaException(path + ": the type parameters of " + subclass.getName() + " are not known",
                    null);
            }
            parts[i] = part(TypeRef.of(subclass), path + "(" + subclass.getSimpleName() + ")");
        }
        Part<Object> part = new SealedPart(type.raw(), classes,
            classes.stream().<String>map(Class::getName).toList(), parts);
        return end(type, placeholder, part);
    }

    private static void flatten(Class<?> type, Set<Class<?>> found, String path) {
        if (type.isSealed() && !type.isEnum()) {
            for (Class<?> subclass : type.getPermittedSubclasses()) {
                flatten(subclass, found, path);
            }
            if (type.isInterface() || Modifier.isAbstract(type.getModifiers())) {
                return;
            }
        } else if (type.isInterface() || !type.isEnum() && !Modifier.isFinal(type.getModifiers())) {
            throw new SchemaException(path + ": " + type.getName() + " is neither sealed nor final, so its values "
                + "may be of classes that nobody knows", null);
        }
        found.add(type);
    }

    // ---- structs ----

    private Part<?> struct(TypeRef type, String path) {
        RecursivePart placeholder = new RecursivePart();
        underWay.put(type, placeholder);
        Members members = Members.of(type, lookup, path);
        List<Layout.Draft> drafts = new ArrayList<>();
        for (Members.Member member : members.members()) {
            String fieldPath = path + "." + member.name();
            Scalar scalar = Scalar.ofPrimitive(member.type().raw());
            defaults.check(type.raw(), member.name(), member.type().raw(), fieldPath);
            boolean zigzag = compact && (scalar == Scalar.INT || scalar == Scalar.LONG);
            Part<?> part = scalar != null ? new BoxPart(scalar) : part(member.type(), fieldPath);
            drafts.add(new Layout.Draft(member.name(), scalar, part, member.getter(), zigzag));
        }
        return end(type, placeholder, StructGenerator.generate(new Layout(type.raw(), members.constructor(), drafts)));
    }

    private Part<Object> end(TypeRef type, RecursivePart placeholder, Part<Object> part) {
        placeholder.resolve(part);
        underWay.remove(type);
        structs.put(type, part);
        return part;
    }
}
