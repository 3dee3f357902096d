package io.teff.test.rules.architecture;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The packages that own a simple class name. A reader who meets a simple name should know the class, so each simple
 * name of a top-level class has one owner. A text file lists the names with several owners; the list only shrinks.
 */
final class NameOwners {
    private static final Set<String> DESCRIPTIONS = Set.of("package-info", "module-info");

    private NameOwners() {}

    /**
     * Finds the simple names with several owners.
     *
     * @param classes full names of top-level classes
     * @return the packages of each simple name with more than one package, both in order
     */
    static Map<String, Set<String>> shared(Collection<String> classes) {
        Map<String, Set<String>> owners = new TreeMap<>();
        for (String name : classes) {
            int dot = name.lastIndexOf('.');
            if (!DESCRIPTIONS.contains(name.substring(dot + 1))) {
                owners.computeIfAbsent(name.substring(dot + 1), simple -> new TreeSet<>())
                    .add(name.substring(0, Math.max(dot, 0)));
            }
        }
        owners.values().removeIf(packages -> packages.size() == 1);
        return owners;
    }

    /** The names of a text file, with the packages of each: one line per name, with columns between single spaces. */
    static Map<String, Set<String>> listed(String text) {
        Map<String, Set<String>> listed = new TreeMap<>();
        for (String line : text.lines().filter(entry -> !entry.isBlank() && !entry.startsWith("#")).toList()) {
            String[] columns = line.split(" ");
            listed.put(columns[0], new TreeSet<>(Arrays.asList(columns).subList(1, columns.length)));
        }
        return listed;
    }
}
