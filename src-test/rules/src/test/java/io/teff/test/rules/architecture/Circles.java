package io.teff.test.rules.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Circles of classes: the strongly connected components of the graph of top-level classes, nested ones counted as their
 * outer class. Tarjan's algorithm (SIAM Journal on Computing, 1972). For one thread, used once.
 */
final class Circles {
    private final Map<String, Set<String>> arrows = new HashMap<>();
    private final Map<String, Integer> indexes = new HashMap<>();
    private final Map<String, Integer> lows = new HashMap<>();
    private final Deque<String> stack = new ArrayDeque<>();
    private final Set<String> onStack = new HashSet<>();
    private final List<Set<String>> circles = new ArrayList<>();

    private Circles() {}

    /**
     * Finds the circles among classes.
     *
     * @param classes the classes; others do not count
     * @return the names of the classes of each circle of two or more, the largest circle first
     */
    static List<Set<String>> among(Collection<JavaClass> classes) {
        Circles circles = new Circles();
        classes.forEach(type -> circles.arrows.computeIfAbsent(outer(type), name -> new TreeSet<>()));
        for (JavaClass type : classes) {
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                String target = outer(dependency.getTargetClass().getBaseComponentType());
                if (circles.arrows.containsKey(target) && !target.equals(outer(type))) {
                    circles.arrows.get(outer(type)).add(target);
                }
            }
        }
        new TreeSet<>(circles.arrows.keySet()).forEach(name -> {
            if (!circles.indexes.containsKey(name)) {
                circles.visit(name);
            }
        });
        circles.circles.sort(Comparator.comparingInt((Set<String> circle) -> -circle.size()));
        return circles.circles;
    }

    private static String outer(JavaClass type) {
        String name = type.getName();
        int dollar = name.indexOf('$');
        return dollar < 0 ? name : name.substring(0, dollar);
    }

    private void visit(String name) {
        indexes.put(name, indexes.size());
        lows.put(name, indexes.get(name));
        stack.push(name);
        onStack.add(name);
        for (String target : arrows.get(name)) {
            if (!indexes.containsKey(target)) {
                visit(target);
                lows.merge(name, lows.get(target), Math::min);
            } else if (onStack.contains(target)) {
                lows.merge(name, indexes.get(target), Math::min);
            }
        }
        if (lows.get(name).equals(indexes.get(name))) {
            Set<String> circle = new TreeSet<>();
            String last;
            do {
                last = stack.pop();
                onStack.remove(last);
                circle.add(last);
            } while (!last.equals(name));
            if (circle.size() > 1) {
                circles.add(circle);
            }
        }
    }
}
