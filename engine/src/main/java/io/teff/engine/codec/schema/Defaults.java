package io.teff.engine.codec.schema;

import io.teff.engine.codec.SchemaException;
import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Values of fields that another version does not have. Used by one thread. */
final class Defaults {
    static final Defaults NONE = new Defaults(Map.of());

    private final Map<Field, Object> values;
    /** Fields that were found in a type. */
    private final Set<Field> found = new HashSet<>();

    /**
     * A field.
     *
     * @param owner record or class that declares it
     * @param name name of the field
     */
    record Field(Class<?> owner, String name) {
        @Override
        public String toString() {
            return owner.getSimpleName() + "." + name;
        }
    }

    Defaults(Map<Field, Object> values) {
        this.values = Map.copyOf(values);
    }

    /** Returns the value of a field, or null if none is set. */
    @Nullable Object find(Class<?> owner, String name) {
        return values.get(new Field(owner, name));
    }

    /** Marks a field as found and checks the type of its value, if one is set. */
    void check(Class<?> owner, String name, Class<?> type, String path) {
        Object value = find(owner, name);
        if (value != null) {
            if (!MethodType.methodType(type).wrap().returnType().isInstance(value)) {
                throw new SchemaException(path + ": a " + value.getClass().getName() + " cannot be the value of a "
                    + "missing field of type " + type.getName(), null);
            }
            found.add(new Field(owner, name));
        }
    }

    /** Checks that all fields with values were found. */
    void checkAll(Class<?> root) {
        Set<Field> unknown = new HashMap<>(values).keySet();
        unknown.removeAll(found);
        if (!unknown.isEmpty()) {
            throw new SchemaException("values are set for fields that do not occur in " + root.getSimpleName() + ": "
                + unknown, null);
        }
    }
}
