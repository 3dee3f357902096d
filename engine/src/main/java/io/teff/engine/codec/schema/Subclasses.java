package io.teff.engine.codec.schema;

import io.teff.engine.codec.SchemaException;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The classes of the values of a sealed type. With its type arguments, a subclass is a subclass of the sealed type with
 * the sealed type's arguments: of {@code Result<String>}, {@code Done<T> implements Result<T>} is a
 * {@code Done<String>}.
 */
final class Subclasses {
    private final Map<Class<?>, TypeRef> found = new HashMap<>();
    private final String path;

    private Subclasses(String path) {
        this.path = path;
    }

    /** Returns the classes of a sealed type's values, in the order of their names. */
    static List<TypeRef> of(TypeRef sealed, String path) {
        Subclasses subclasses = new Subclasses(path);
        subclasses.collect(sealed);
        return subclasses.found.values().stream()
            .sorted(Comparator.comparing(type -> type.raw().getName())).toList();
    }

    private void collect(TypeRef type) {
        Class<?> raw = type.raw();
        if (raw.isSealed() && !raw.isEnum()) {
            for (Class<?> subclass : raw.getPermittedSubclasses()) {
                collect(subclass(subclass, type));
            }
            if (raw.isInterface() || Modifier.isAbstract(raw.getModifiers())) {
                return;
            }
        } else if (raw.isInterface() || !raw.isEnum() && !Modifier.isFinal(raw.getModifiers())) {
            throw new SchemaException(path + ": " + raw.getName() + " is neither sealed nor final, so its "
                + "subclasses are unknown", null);
        }
        found.putIfAbsent(raw, type);
    }

    private TypeRef subclass(Class<?> subclass, TypeRef sealed) {
        TypeVariable<?>[] parameters = subclass.getTypeParameters();
        if (parameters.length == 0) {
            return TypeRef.of(subclass);
        }
        Type supertype = Stream.concat(Stream.of(subclass.getGenericInterfaces()),
                Stream.ofNullable(subclass.getGenericSuperclass()))
            .filter(type -> type instanceof ParameterizedType generic && generic.getRawType() == sealed.raw())
            .findFirst().orElse(sealed.raw());
        Map<TypeVariable<?>, TypeRef> bindings = new HashMap<>();
        bind(supertype, sealed, bindings);
        List<TypeRef> arguments = new ArrayList<>();
        for (TypeVariable<?> parameter : parameters) {
            if (!bindings.containsKey(parameter)) {
                throw new SchemaException(path + ": the type parameter " + parameter + " of " + subclass.getName()
                    + " is not determined by the type arguments of " + sealed.raw().getName(), null);
            }
            arguments.add(Objects.requireNonNull(bindings.get(parameter)));
        }
        return new TypeRef(subclass, List.copyOf(arguments));
    }

    /** Finds the type arguments that make a type a subtype of another type. */
    private static void bind(Type type, TypeRef actual, Map<TypeVariable<?>, TypeRef> bindings) {
        switch (type) {
            case TypeVariable<?> variable -> bindings.putIfAbsent(variable, actual);
            case ParameterizedType generic when generic.getRawType() == actual.raw() -> {
                Type[] arguments = generic.getActualTypeArguments();
                for (int i = 0; i < arguments.length && i < actual.arguments().size(); i++) {
                    bind(arguments[i], actual.arguments().get(i), bindings);
                }
            }
            case GenericArrayType array when actual.raw().isArray() ->
                bind(array.getGenericComponentType(), actual.arguments().getFirst(), bindings);
            default -> { }
        }
    }
}
