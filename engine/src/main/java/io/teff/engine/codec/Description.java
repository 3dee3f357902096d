package io.teff.engine.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the bytes of a schema mean, as text that is the same in every program; its hash is the fingerprint.
 * <pre>
 *  shape  = kind " " name ";"                            scalar, standard, primitives, custom
 *         | kind "(" shape+ ")"                          sequence, map, optional
 *         | "enum " name "(" (name ";")* ")"
 *         | "sealed " name "(" (name "=" shape)* ")"
 *         | "struct(" (name "=" field)* ")"
 *         | "struct " number ";"                         one that was begun before, counted from 0
 *  field  = shape | "primitive " scalar ";" | "zigzag " scalar ";"
 * </pre>
 * {@link DescriptionParser} reads it back.
 */
final class Description {
    static final String SCALAR = "scalar";
    static final String STANDARD = "standard";
    static final String PRIMITIVE_ARRAY = "primitives";
    static final String CUSTOM = "custom";
    static final String SEQUENCE = "sequence";
    static final String MAP = "map";
    static final String OPTIONAL = "optional";
    static final String ENUM = "enum";
    static final String SEALED = "sealed";
    static final String STRUCT = "struct";
    static final String PRIMITIVE = "primitive";
    static final String ZIGZAG = "zigzag";
    /** Characters that no name may contain. */
    static final String DELIMITERS = " ;=()";

    private final StringBuilder text = new StringBuilder();
    /** Numbers of the structs that were met; one that is met again is named by its number. */
    private final Map<Layout, Integer> structs = new IdentityHashMap<>();

    private Description() {}

    static Description of(Part<?> part) {
        Description description = new Description();
        part.describe(description);
        return description;
    }

    void named(String kind, String name) {
        text.append(kind).append(' ').append(checked(name)).append(';');
    }

    void of(String kind, Part<?>... parts) {
        text.append(kind).append('(');
        for (Part<?> part : parts) {
            part.describe(this);
        }
        text.append(')');
    }

    void constants(Class<?> type, List<String> constants) {
        text.append(ENUM).append(' ').append(checked(type.getName())).append('(');
        for (String constant : constants) {
            text.append(checked(constant)).append(';');
        }
        text.append(')');
    }

    void subclasses(Class<?> type, List<String> names, @Nullable Part<?>[] parts) {
        text.append(SEALED).append(' ').append(checked(type.getName())).append('(');
        for (int i = 0; i < parts.length; i++) {
            text.append(checked(names.get(i))).append('=');
            Objects.requireNonNull(parts[i]).describe(this);
        }
        text.append(')');
    }

    void struct(Layout layout) {
        Integer known = structs.putIfAbsent(layout, structs.size());
        if (known != null) {
            text.append(STRUCT).append(' ').append(known).append(';');
            return;
        }
        text.append(STRUCT).append('(');
        for (Layout.Field field : layout.fields()) {
            text.append(checked(field.name())).append('=');
            if (field.scalar() != null) {
                named(field.zigzag() ? ZIGZAG : PRIMITIVE, field.scalar().name());
            } else {
                field.part().describe(this);
            }
        }
        text.append(')');
    }

    /** Other languages of the JVM allow names that would mean something else here. */
    private static String checked(String name) {
        if (name.isEmpty() || name.chars().anyMatch(c -> DELIMITERS.indexOf(c) >= 0)) {
            throw new SchemaException("the name '" + name + "' has one of the characters '" + DELIMITERS + "'", null);
        }
        return name;
    }

    @Override
    public String toString() {
        return text.toString();
    }

    /** The first 64 bits of a description's SHA-256. */
    static long fingerprint(String text) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256")
                .digest(text.getBytes(StandardCharsets.UTF_8))).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);                        // every JDK has it
        }
    }
}
