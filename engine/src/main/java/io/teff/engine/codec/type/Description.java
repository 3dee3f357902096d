package io.teff.engine.codec.type;

import io.teff.engine.codec.SchemaException;
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
 * Text that describes the bytes of a schema, equal in all programs with equal types; its hash is the fingerprint.
 * <pre>
 *  shape  = kind " " name ";"                            scalar, standard, primitives, custom
 *         | kind "(" shape+ ")"                          sequence, map, optional
 *         | "enum " name "(" (name ";")* ")"
 *         | "sealed " name "(" (name "=" shape)* ")"
 *         | "struct(" (name "=" field)* ")"
 *         | "struct " number ";"                         one that began earlier in the text, counted from 0
 *  field  = shape | "primitive " scalar ";" | "zigzag " scalar ";"
 * </pre>
 * The room {@code codec.schema} parses it.
 */
public final class Description {
    /** Kind of a boxed primitive value. */
    public static final String SCALAR = "scalar";
    /** Kind of a type of the JDK. */
    public static final String STANDARD = "standard";
    /** Kind of an array of primitives. */
    public static final String PRIMITIVE_ARRAY = "primitives";
    /** Kind of a type with a hand-written codec; its name is the codec's fingerprint. */
    public static final String CUSTOM = "custom";
    /** Kind of an array or collection. */
    public static final String SEQUENCE = "sequence";
    /** Kind of a map. */
    public static final String MAP = "map";
    /** Kind of an optional value. */
    public static final String OPTIONAL = "optional";
    /** Kind of an enum. */
    public static final String ENUM = "enum";
    /** Kind of a sealed type. */
    public static final String SEALED = "sealed";
    /** Kind of a record or class. */
    public static final String STRUCT = "struct";
    /** Kind of a primitive field. */
    public static final String PRIMITIVE = "primitive";
    /** Kind of an int or long field in zigzag LEB128. */
    public static final String ZIGZAG = "zigzag";
    /** Characters that delimit names, so that no name may contain them. */
    public static final String DELIMITERS = " ;=()";

    private final StringBuilder text = new StringBuilder();
    /** Numbers of the structs described so far; a struct that occurs again is described by its number. */
    private final Map<FieldLayout, Integer> structs = new IdentityHashMap<>();

    private Description() {}

    /** Returns the description of a codec. */
    public static Description of(TypeCodec<?> codec) {
        Description description = new Description();
        codec.describe(description);
        return description;
    }

    void named(String kind, String name) {
        text.append(kind).append(' ').append(checked(name)).append(';');
    }

    void composed(String kind, TypeCodec<?>... codecs) {
        text.append(kind).append('(');
        for (TypeCodec<?> codec : codecs) {
            codec.describe(this);
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

    void subclasses(Class<?> type, List<String> names, @Nullable TypeCodec<?>[] codecs) {
        text.append(SEALED).append(' ').append(checked(type.getName())).append('(');
        for (int i = 0; i < codecs.length; i++) {
            text.append(checked(names.get(i))).append('=');
            Objects.requireNonNull(codecs[i]).describe(this);
        }
        text.append(')');
    }

    void struct(FieldLayout layout) {
        Integer known = structs.putIfAbsent(layout, structs.size());
        if (known != null) {
            text.append(STRUCT).append(' ').append(known).append(';');
            return;
        }
        text.append(STRUCT).append('(');
        for (FieldLayout.Field field : layout.fields()) {
            text.append(checked(field.name())).append('=');
            if (field.scalar() != null) {
                named(field.zigzag() ? ZIGZAG : PRIMITIVE, field.scalar().name());
            } else {
                field.codec().describe(this);
            }
        }
        text.append(')');
    }

    /** Rejects a name with a delimiter, which other languages of the JVM allow. */
    private static String checked(String name) {
        if (name.isEmpty() || name.chars().anyMatch(c -> DELIMITERS.indexOf(c) >= 0)) {
            throw new SchemaException("the name '" + name + "' is empty or has one of the characters '" + DELIMITERS
                + "'", null);
        }
        return name;
    }

    @Override
    public String toString() {
        return text.toString();
    }

    /** Returns the first 64 bits of a description's SHA-256. */
    public static long fingerprint(String text) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256")
                .digest(text.getBytes(StandardCharsets.UTF_8))).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);                        // every JDK has it
        }
    }
}
