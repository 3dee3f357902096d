package io.teff.engine.codec.schema;

import io.teff.engine.codec.SchemaException;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A type with its type arguments.
 *
 * @param raw the class
 * @param arguments types of the class's type parameters; of an array, its component type
 */
record TypeRef(Class<?> raw, List<TypeRef> arguments) {
    /** Returns a class without type arguments. */
    static TypeRef of(Class<?> raw) {
        return new TypeRef(raw, raw.isArray() ? List.of(of(raw.getComponentType())) : List.of());
    }

    /** Returns the type of a token. */
    @SuppressWarnings("unchecked")
    static <T> Rooted<T> of(TypeToken<T> token) {
        TypeRef type = resolve(token.type(), Map.of(), token.toString());
        return new Rooted<>(type, (Class<T>) type.raw());
    }

    /**
     * The type of a schema's values.
     *
     * @param <T> type of the values
     * @param type the type with its type arguments
     * @param raw its class
     */
    record Rooted<T>(TypeRef type, Class<T> raw) {}

    /** Returns the type of a member of this type, with type parameters replaced by this type's arguments. */
    TypeRef member(Type type, String path) {
        return resolve(type, bindings(), path);
    }

    private Map<TypeVariable<?>, TypeRef> bindings() {
        Map<TypeVariable<?>, TypeRef> bindings = new HashMap<>();
        TypeVariable<?>[] variables = raw.getTypeParameters();
        for (int i = 0; i < arguments.size() && i < variables.length; i++) {
            bindings.put(variables[i], arguments.get(i));
        }
        return bindings;
    }

    private static TypeRef resolve(Type type, Map<TypeVariable<?>, TypeRef> bindings, String path) {
        return switch (type) {
            case Class<?> known -> of(known);
            case ParameterizedType known -> {
                List<TypeRef> arguments = new ArrayList<>();
                for (Type argument : known.getActualTypeArguments()) {
                    arguments.add(resolve(argument, bindings, path));
                }
                yield new TypeRef((Class<?>) known.getRawType(), List.copyOf(arguments));
            }
            case GenericArrayType known -> {
                TypeRef component = resolve(known.getGenericComponentType(), bindings, path);
                yield new TypeRef(component.raw().arrayType(), List.of(component));
            }
            case TypeVariable<?> known -> {
                TypeRef bound = bindings.get(known);
                if (bound == null) {
                    throw new SchemaException(path + ": the type parameter " + known + " has no argument here", null);
                }
                yield bound;
            }
            case WildcardType known when known.getLowerBounds().length == 0 && known.getUpperBounds()[0]
                != Object.class -> resolve(known.getUpperBounds()[0], bindings, path);
            default -> throw new SchemaException(path + ": " + type.getTypeName() + " does not determine the "
                + "type of the values", null);
        };
    }

    @Override
    public String toString() {
        return raw.getTypeName();
    }
}
