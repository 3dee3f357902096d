package io.teff.engine.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** What the bytes of a schema mean, as text that is the same in every program; its hash is the fingerprint. */
final class Description {
    static final String SCALAR = "scalar";
    static final String STANDARD = "standard";
    static final String PRIMITIVE_ARRAY = "primitives";
    static final String SEQUENCE = "sequence";
    static final String MAP = "map";
    static final String OPTIONAL = "optional";

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
        text.append(kind).append(' ').append(name).append(';');
    }

    void of(String kind, Part<?>... parts) {
        text.append(kind).append('(');
        for (Part<?> part : parts) {
            part.describe(this);
        }
        text.append(')');
    }

    void constants(Class<?> type, Enum<?>[] constants) {
        text.append("enum ").append(type.getName()).append('(');
        for (Enum<?> constant : constants) {
            text.append(constant.name()).append(';');
        }
        text.append(')');
    }

    void subclasses(Class<?> type, List<Class<?>> classes, Part<?>[] parts) {
        text.append("sealed ").append(type.getName()).append('(');
        for (int i = 0; i < parts.length; i++) {
            text.append(classes.get(i).getName()).append('=');
            parts[i].describe(this);
        }
        text.append(')');
    }

    void struct(Layout layout) {
        Integer known = structs.putIfAbsent(layout, structs.size());
        if (known != null) {
            text.append("struct ").append(known).append(';');
            return;
        }
        text.append("struct(");
        for (Layout.Field field : layout.fields()) {
            text.append(field.name()).append('=');
            if (field.scalar() != null) {
                text.append(field.zigzag() ? "zigzag " : "primitive ").append(field.scalar().name()).append(';');
            } else {
                field.part().describe(this);
            }
        }
        text.append(')');
    }

    @Override
    public String toString() {
        return text.toString();
    }

    /** The first 64 bits of the text's SHA-256. */
    long fingerprint() {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256")
                .digest(text.toString().getBytes(StandardCharsets.UTF_8))).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);                        // every JDK has it
        }
    }
}
