package io.teff.engine.collect;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A comparator with a name. A store keeps the name of a sorted map's order, so that the map is never opened with
 * another order. The comparators of lambdas and of {@link Comparator#comparing} have no name of their own.
 *
 * <p>The name stands for the order: a program that changes the order changes the name, and makes a new map. Two named
 * comparators are equal if their names are. Thread-safe if the comparator is.
 *
 * @param <T> type of the compared objects
 */
public final class NamedComparator<T> implements Comparator<T> {
    private static final String NATURAL = "natural order";
    private static final String REVERSE = "reverse order";

    private final String name;
    private final Comparator<? super T> comparator;

    private NamedComparator(String name, Comparator<? super T> comparator) {
        this.name = name;
        this.comparator = comparator;
    }

    /**
     * Gives a comparator a name.
     *
     * @param <T> type of the compared objects
     * @param name such as "by row, then by column"; not empty
     * @param comparator order of the objects
     * @return the comparator with the name
     */
    public static <T> NamedComparator<T> of(String name, Comparator<? super T> comparator) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("an empty name of a comparator");
        }
        return new NamedComparator<>(name, Objects.requireNonNull(comparator));
    }

    /**
     * Returns the name by which a store knows a comparator: the given name, "natural order" or "reverse order", the
     * class and the name of an enum's constant, or the class of a comparator without fields that is neither a lambda
     * nor a local or anonymous class.
     *
     * @param comparator any comparator
     * @return the name, or null if the comparator has none
     */
    public static @Nullable String nameOf(Comparator<?> comparator) {
        Class<?> type = comparator.getClass();
        return switch (comparator) {
            case NamedComparator<?> named -> named.name;
            case Comparator<?> _ when comparator.equals(Comparator.naturalOrder()) -> NATURAL;
            case Comparator<?> _ when comparator.equals(Comparator.reverseOrder()) -> REVERSE;
            case Enum<?> constant -> constant.getDeclaringClass().getName() + "." + constant.name();
            default -> type.isHidden() || type.isSynthetic() || type.isAnonymousClass() || type.isLocalClass()
                || hasFields(type) ? null : type.getName();
        };
    }

    private static boolean hasFields(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            if (Arrays.stream(each.getDeclaredFields()).anyMatch(field -> !Modifier.isStatic(field.getModifiers()))) {
                return true;
            }
        }
        return false;
    }

    @Override
    public int compare(T left, T right) {
        return comparator.compare(left, right);
    }

    /** {@inheritDoc} The name of the result is the name of this comparator with "reverse of" before. */
    @Override
    public NamedComparator<T> reversed() {
        return new NamedComparator<>("reverse of " + name, comparator.reversed());
    }

    /** {@return whether the other object is a named comparator with an equal name} */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NamedComparator<?> named && named.name.equals(name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    /** {@return the name} */
    @Override
    public String toString() {
        return name;
    }
}
