package io.teff.engine.codec.schema;

import io.teff.engine.codec.Creator;
import io.teff.engine.codec.SchemaException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The stored fields of a record or class, and the constructor that makes its values.
 *
 * @param members the fields, in the order of the constructor's parameters
 * @param constructor {@code (primitive or Object, ...) -> Object}
 */
record Members(List<Member> members, MethodHandle constructor) {
    private static final int STATIC_OR_TRANSIENT = Modifier.STATIC | Modifier.TRANSIENT;

    /**
     * One field.
     *
     * @param name name of the field
     * @param type type of the field
     * @param getter {@code (Object) -> primitive or Object}
     */
    record Member(String name, TypeRef type, MethodHandle getter) {}

    /** Finds the fields and the constructor of a record or class. */
    static Members of(TypeRef type, MethodHandles.@Nullable Lookup custom, String path) {
        Class<?> raw = type.raw();
        if (raw.isInterface() || raw.isAnnotation() || Modifier.isAbstract(raw.getModifiers())) {
            throw new SchemaException(path + ": " + raw.getName() + " is an interface or abstract and not sealed"
                + advice(raw), null);
        }
        if (RefusedTypes.isOfJdk(raw)) {
            throw new SchemaException(path + ": there is no schema for " + raw.getName() + advice(raw), null);
        }
        if (raw.getTypeParameters().length != type.arguments().size()) {
            throw new SchemaException(path + ": " + raw.getName() + " without type arguments does not "
                + "determine the type of its values", null);
        }
        if (raw.isHidden() || raw.isLocalClass() && !raw.isRecord() || raw.isAnonymousClass()
            || raw.getEnclosingClass() != null && !Modifier.isStatic(raw.getModifiers())) {
            throw new SchemaException(path + ": " + raw.getName() + " is an inner or hidden class", null);
        }
        try {
            MethodHandles.Lookup lookup = lookup(raw, custom);
            return raw.isRecord() ? ofRecord(type, lookup, path) : ofClass(type, lookup, path);
        } catch (IllegalAccessException e) {
            throw new SchemaException(path + ": the package of " + raw.getName() + " is not open to io.teff.engine"
                + (custom == null ? "; open it in module-info, or set a Lookup" : ", nor to the Lookup that was set"),
                e);
        }
    }

    private static String advice(Class<?> raw) {
        String advice = RefusedTypes.advice(raw);
        return advice == null ? "" : ": it " + advice;
    }

    /**
     * Returns a lookup with private access to a class: Teff's own if its package is open to Teff, else the custom one.
     */
    private static MethodHandles.Lookup lookup(Class<?> raw, MethodHandles.@Nullable Lookup custom)
        throws IllegalAccessException {
        Members.class.getModule().addReads(raw.getModule());
        try {
            return MethodHandles.privateLookupIn(raw, MethodHandles.lookup());
        } catch (IllegalAccessException e) {
            if (custom == null) {
                throw e;
            }
            return MethodHandles.privateLookupIn(raw, custom);
        }
    }

    // ---- records ----

    private static Members ofRecord(TypeRef type, MethodHandles.Lookup lookup, String path)
        throws IllegalAccessException {
        List<Member> members = new ArrayList<>();
        List<Class<?>> parameters = new ArrayList<>();
        for (RecordComponent component : type.raw().getRecordComponents()) {
            members.add(new Member(component.getName(), type.member(component.getGenericType(), path + "."
                + component.getName()), getter(lookup.unreflect(component.getAccessor()))));
            parameters.add(component.getType());
        }
        checkSlots(parameters, path);
        try {
            return new Members(members, erased(lookup.findConstructor(type.raw(),
                MethodType.methodType(void.class, parameters))));
        } catch (NoSuchMethodException e) {
            throw new AssertionError(type.toString(), e);
        }
    }

    /**
     * Limits the number of fields: the JVM allows 255 parameter slots, of which readers of other versions need some.
     */
    private static void checkSlots(List<Class<?>> parameters, String path) {
        long slots = parameters.size() + parameters.stream().filter(type -> type == long.class || type == double.class)
            .count();
        if (slots > DescriptionParser.SLOTS_MAX) {
            throw new SchemaException(path + ": more than " + DescriptionParser.SLOTS_MAX
                + " fields, of which a long or double counts twice", null);
        }
    }

    /** Returns a getter of type {@code (Object) -> primitive or Object}. */
    private static MethodHandle getter(MethodHandle handle) {
        return handle.asType(MethodType.methodType(erased(handle.type().returnType()), Object.class));
    }

    private static MethodHandle erased(MethodHandle constructor) {
        return constructor.asFixedArity().asType(MethodType.methodType(Object.class,
            constructor.type().parameterList().stream().<Class<?>>map(Members::erased).toList()));
    }

    private static Class<?> erased(Class<?> type) {
        return type.isPrimitive() ? type : Object.class;
    }

    // ---- classes ----

    private static Members ofClass(TypeRef type, MethodHandles.Lookup lookup, String path)
        throws IllegalAccessException {
        Class<?> raw = type.raw();
        Class<?> parent = raw.getSuperclass();
        if (parent != Object.class) {
            throw new SchemaException(path + ": " + raw.getName() + " extends " + parent.getName()
                + "; only classes that extend Object have a schema" + advice(raw), null);
        }
        Map<String, Field> fields = new LinkedHashMap<>();
        for (Field field : raw.getDeclaredFields()) {
            if ((field.getModifiers() & STATIC_OR_TRANSIENT) == 0) {
                fields.put(field.getName(), field);
            }
        }
        Executable creator = creator(raw, fields, path);
        checkSlots(List.of(creator.getParameterTypes()), path);
        List<String> names = names(creator, fields, path);
        MethodHandle made = creator instanceof Constructor<?> constructor ? lookup.unreflectConstructor(constructor)
            : lookup.unreflect((Method) creator);
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            Field field = Objects.requireNonNull(fields.get(names.get(i)));
            if (field.getType() != creator.getParameterTypes()[i]) {
                throw new SchemaException(path + "." + field.getName() + ": the field has type "
                    + field.getType().getName() + ", but its parameter "
                    + creator.getParameterTypes()[i].getName(), null);
            }
            members.add(new Member(field.getName(), type.member(field.getGenericType(), path + "." + field.getName()),
                getter(lookup.unreflectGetter(field))));
        }
        return new Members(members, erased(made));
    }

    /** Returns the constructor or method marked with {@link Creator}, or else the only one with matching parameters. */
    private static Executable creator(Class<?> raw, Map<String, Field> fields, String path) {
        List<Executable> marked = Stream.<Executable>concat(Arrays.stream(raw.getDeclaredConstructors()),
                Arrays.stream(raw.getDeclaredMethods()).filter(method -> Modifier.isStatic(method.getModifiers())
                    && method.getReturnType() == raw))
            .filter(executable -> executable.isAnnotationPresent(Creator.class)).toList();
        List<? extends Executable> candidates = !marked.isEmpty() ? marked
            : Arrays.stream(raw.getDeclaredConstructors())
                .filter(constructor -> constructor.getParameterCount() == fields.size()).toList();
        if (candidates.size() != 1) {
            throw new SchemaException(path + ": " + raw.getName() + " needs one constructor or static method marked "
                + "with @Creator, or exactly one constructor with a parameter for each of its " + fields.size()
                + " fields; it has " + candidates.size(), null);
        }
        return candidates.getFirst();
    }

    /** Returns the names of the fields in the order of the parameters. */
    private static List<String> names(Executable creator, Map<String, Field> fields, String path) {
        Creator mark = creator.getAnnotation(Creator.class);
        List<String> names = mark != null && mark.value().length > 0 ? List.of(mark.value())
            : Arrays.stream(creator.getParameters()).map(Parameter::getName).toList();
        if (names.size() != creator.getParameterCount() || names.size() != fields.size()
            || !fields.keySet().containsAll(names) || names.stream().distinct().count() != names.size()) {
            throw new SchemaException(path + ": the parameters " + names + " of " + creator + " are not the fields "
                + fields.keySet() + "; name them in @Creator, or compile with -parameters", null);
        }
        return names;
    }
}
