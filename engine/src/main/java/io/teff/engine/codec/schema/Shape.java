package io.teff.engine.codec.schema;

import io.teff.engine.codec.type.Description;
import io.teff.engine.codec.type.Scalar;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parsed {@link Description}: the tree of types that another version has written. It refers to no class of this
 * program; {@link Evolution} matches it with this version's types.
 */
sealed interface Shape {
    /**
     * A type without components: a box, a type of the JDK, an array of primitives, a type with a hand-written codec.
     *
     * @param kind kind in the description
     * @param name name of the scalar or type, or fingerprint of the codec
     */
    record Named(String kind, String name) implements Shape {
        @Override
        public String toString() {
            return kind.equals(Description.PRIMITIVE_ARRAY) ? "array of " + name : name;
        }
    }

    /**
     * An array or collection.
     *
     * @param element type of its elements
     */
    record Sequence(Shape element) implements Shape {
        @Override
        public String toString() {
            return "sequence of " + element;
        }
    }

    /**
     * A map.
     *
     * @param key type of its keys
     * @param value type of its values
     */
    record Entries(Shape key, Shape value) implements Shape {
        @Override
        public String toString() {
            return "map from " + key + " to " + value;
        }
    }

    /**
     * An optional value.
     *
     * @param value type of the value
     */
    record Optional(Shape value) implements Shape {
        @Override
        public String toString() {
            return "optional " + value;
        }
    }

    /**
     * An enum.
     *
     * @param type name of the enum
     * @param names names of its constants, in order
     */
    record Constants(String type, List<String> names) implements Shape {
        @Override
        public String toString() {
            return "enum " + type;
        }
    }

    /**
     * A sealed type.
     *
     * @param type name of the sealed type
     * @param names names of its subclasses, in order
     * @param shapes types of its subclasses, in the same order
     */
    record Subclasses(String type, List<String> names, List<Shape> shapes) implements Shape {
        @Override
        public String toString() {
            return "sealed " + type;
        }
    }

    /** A record or class. Compared by identity, because it may contain itself. */
    final class Struct implements Shape {
        private final List<Member> members = new ArrayList<>();

        /** Returns the fields in order; complete when the whole description is parsed. */
        List<Member> members() {
            return members;
        }

        @Override
        public String toString() {
            return "struct of " + members.stream().map(Member::name).toList();
        }
    }

    /**
     * A field.
     *
     * @param name name of the field
     * @param scalar its type if that is primitive, else null
     * @param zigzag whether it is written as a zigzag LEB128 number
     * @param shape its type if that is not primitive, else null
     */
    record Member(String name, @Nullable Scalar scalar, boolean zigzag, @Nullable Shape shape) {
        @Override
        public String toString() {
            return scalar != null ? scalar.name() : String.valueOf(shape);
        }
    }
}
