package io.teff.engine.codec;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Description} says: the tree of the values that somebody else has written. It names no class of this
 * program; {@link Evolution} looks for what fits.
 */
sealed interface Shape {
    /**
     * Something that is known by a name: a box, a type of the JDK, an array of primitives.
     *
     * @param kind one of the kinds of a description
     * @param name of the scalar or the type
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
     * @param element its elements
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
     * @param key its keys
     * @param value its values
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
     * @param value the value
     */
    record Perhaps(Shape value) implements Shape {
        @Override
        public String toString() {
            return "optional " + value;
        }
    }

    /**
     * An enum.
     *
     * @param type its name
     * @param names of its constants, in order
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
     * @param type its name
     * @param names of its subclasses, in order
     * @param shapes of its subclasses
     */
    record Subclasses(String type, List<String> names, List<Shape> shapes) implements Shape {
        @Override
        public String toString() {
            return "sealed " + type;
        }
    }

    /** A record or class; two with the same members are not equal, because one may contain itself. */
    final class Fields implements Shape {
        private final List<Member> members = new ArrayList<>();

        /** The fields in order; complete when the description has been read. */
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
     * @param name its name
     * @param scalar its type if that is primitive, else null
     * @param zigzag whether a primitive takes as few bytes as it needs
     * @param shape its values if they are not primitive, else null
     */
    record Member(String name, @Nullable Scalar scalar, boolean zigzag, @Nullable Shape shape) {
        @Override
        public String toString() {
            return scalar != null ? scalar.name() : String.valueOf(shape);
        }
    }
}
