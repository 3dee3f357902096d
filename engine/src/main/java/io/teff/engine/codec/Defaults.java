package io.teff.engine.codec;

import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Values for fields that whoever wrote did not know. */
final class Defaults {
    static final Defaults NONE = new Defaults(Map.of());

    private final Map<Field, Object> values;
    private final Set<Field> found = new HashSet<>();

    /**
     * A field.
     *
     * @param owner the record or class
     * @param name of the field
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

    @Nullable Object find(Class<?> owner, String name) {
        return values.get(new Field(owner, name));
    }

    /** Notes that there is such a field, and checks that the value can be one of it. */
    void check(Class<?> owner, String name, Class<?> type, String path) {
        Object value = find(owner, name);
        if (value != null) {
            if (!MethodType.methodType(type).wrap().returnType().isInstance(value)) {
                throw new SchemaException(path + ": a " + value.getClass().getName() + " cannot be its value if it is "
                    + "missing, only a " + type.getName(), null);
            }
            found.add(new Field(owner, name));
        }
    }

    /** Checks that there are all these fields. */
    void checkAll(Class<?> root) {
        Set<Field> unknown = new HashMap<>(values).keySet();
        unknown.removeAll(found);
        if (!unknown.isEmpty()) {
            throw new SchemaException("values are given for fields that " + root.getSimpleName() + " does not consist "
                + "of: " + unknown, null);
        }
    }
}
