package io.teff.engine.work;

import io.teff.engine.os.FailureText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Objects of the application that are called by name, such as jobs and tasks. Two objects of one name have none of it,
 * because they may differ. Thread-safe.
 *
 * @param <T> type of the objects
 */
public final class Registered<T> {
    private final Function<T, String> nameOf;
    /** The objects of each name, from 1; the lists are immutable. */
    private final Map<String, List<T>> found = new ConcurrentHashMap<>();
    private final List<String> problems = new CopyOnWriteArrayList<>();

    /**
     * Begins without objects.
     *
     * @param nameOf name of an object
     */
    public Registered(Function<T, String> nameOf) {
        this.nameOf = nameOf;
    }

    /**
     * Adds the objects that a service loader finds. An object that cannot be made is a problem of its own.
     *
     * @param services finds the objects
     * @return this
     */
    public Registered<T> addAll(ServiceLoader<T> services) {
        return addAll(services, _ -> true);
    }

    /**
     * Adds some of the objects that a service loader finds. An object that cannot be made is a problem of its own.
     *
     * @param services finds the objects
     * @param isWanted chooses the classes
     * @return this
     */
    public Registered<T> addAll(ServiceLoader<T> services, Predicate<Class<? extends T>> isWanted) {
        final List<ServiceLoader.Provider<T>> providers;
        try (Stream<ServiceLoader.Provider<T>> all = services.stream()) {
            providers = all.filter(provider -> isWanted.test(provider.type())).toList();
        } catch (ServiceConfigurationError e) {
            problems.add(FailureText.of(e));
            return this;
        }
        for (ServiceLoader.Provider<T> provider : providers) {
            try {
                add(provider.get());
            } catch (RuntimeException | Error e) {              // of the application: its other objects are in use
                problems.add(provider.type().getName() + ": " + text(e.getCause() == null ? e : e.getCause()));
            }
        }
        return this;
    }

    /** Returns the text of an exception, also if methods of the exception throw. */
    private static String text(Throwable thrown) {
        try {
            return thrown.toString();
        } catch (RuntimeException | Error _) {                  // of the application, too
            return thrown.getClass().getName();
        }
    }

    /**
     * Adds an object.
     *
     * @param object of the application
     */
    public void add(T object) {
        found.merge(nameOf.apply(object), List.of(object), (before, more) -> {
            if (before.contains(object)) {
                return before;
            }
            final List<T> all = new ArrayList<>(before);
            all.addAll(more);
            return List.copyOf(all);
        });
    }

    /**
     * Removes objects.
     *
     * @param isGone chooses the objects
     */
    public void removeIf(Predicate<T> isGone) {
        for (String name : found.keySet()) {
            found.computeIfPresent(name, (_, all) -> {
                final List<T> rest = all.stream().filter(isGone.negate()).toList();
                return rest.isEmpty() ? null : rest;
            });
        }
    }

    /**
     * {@return the object of a name, or null}
     *
     * @param name any text
     */
    public @Nullable T find(String name) {
        final List<T> all = found.get(name);
        return all == null || all.size() > 1 ? null : all.getFirst();
    }

    /** {@return all objects with a name of their own} */
    public List<T> all() {
        return found.values().stream().filter(all -> all.size() == 1).map(List::getFirst).toList();
    }

    /** {@return why objects could not be made, or have no name of their own} */
    public List<String> problems() {
        return Stream.concat(problems.stream(), found.entrySet().stream().filter(entry -> entry.getValue().size() > 1)
            .map(entry -> "several classes have the name " + entry.getKey() + ": " + classes(entry.getValue())))
            .toList();
    }

    private static String classes(List<?> objects) {
        return objects.stream().map(object -> object.getClass().getName()).collect(Collectors.joining(" and "));
    }

    /**
     * {@return why a name has no object, as a text behind another text; empty if it is merely unknown}
     *
     * @param name any text
     */
    public String why(String name) {
        final List<T> all = found.get(name);
        return all != null && all.size() > 1 ? ": several classes have this name: " + classes(all)
            : problems.isEmpty() ? "" : "; classes that could not be loaded: " + String.join("; ", problems);
    }
}
