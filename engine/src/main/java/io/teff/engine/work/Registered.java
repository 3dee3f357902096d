package io.teff.engine.work;

import io.teff.engine.os.FailureText;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
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
    private final Map<String, T> found = new ConcurrentHashMap<>();
    private final Map<String, String> twice = new ConcurrentHashMap<>();
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
        final List<ServiceLoader.Provider<T>> providers;
        try (Stream<ServiceLoader.Provider<T>> all = services.stream()) {
            providers = all.toList();
        } catch (ServiceConfigurationError e) {
            problems.add(FailureText.of(e));
            return this;
        }
        for (ServiceLoader.Provider<T> provider : providers) {
            try {
                add(provider.get());
            } catch (RuntimeException | Error e) {              // of the application: its other objects are in use
                problems.add(provider.type().getName() + ": " + (e.getCause() == null ? e : e.getCause()));
            }
        }
        return this;
    }

    /**
     * Adds an object.
     *
     * @param object of the application
     */
    public void add(T object) {
        final String name = nameOf.apply(object);
        final T before = found.putIfAbsent(name, object);
        if (before != null && !before.equals(object)) {
            twice.put(name, before.getClass().getName() + " and " + object.getClass().getName());
        }
    }

    /**
     * {@return the object of a name, or null}
     *
     * @param name any text
     */
    public @Nullable T find(String name) {
        return twice.containsKey(name) ? null : found.get(name);
    }

    /** {@return all objects with a name of their own} */
    public List<T> all() {
        return found.entrySet().stream().filter(entry -> !twice.containsKey(entry.getKey())).map(Map.Entry::getValue)
            .toList();
    }

    /** {@return why objects could not be made, or have no name of their own} */
    public List<String> problems() {
        return Stream.concat(problems.stream(), twice.entrySet().stream().map(entry -> "two classes have the name "
            + entry.getKey() + ": " + entry.getValue())).toList();
    }

    /**
     * {@return why a name has no object, as a text behind another text; empty if it is merely unknown}
     *
     * @param name any text
     */
    public String why(String name) {
        final String both = twice.get(name);
        return both != null ? ": two classes have this name: " + both : problems.isEmpty() ? ""
            : "; classes that could not be loaded: " + String.join("; ", problems);
    }
}
