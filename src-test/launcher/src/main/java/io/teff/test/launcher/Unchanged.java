package io.teff.test.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The modules whose tests a run leaves out, because they were green on this machine with the same inputs.
 *
 * <p>A module that no other one of the run needs is left out of the build. The tests of the others are skipped by a
 * file {@code target/unchanged}, which Maven's profile {@code unchanged} looks for.
 */
final class Unchanged {
    private static final String MARK = "unchanged";

    private final List<Module> all;
    /** Modules that are no part of the run. */
    private final List<Module> others;
    private final GreenMemory memory;
    private final Map<Module, String> hashes = new HashMap<>();
    private final Set<Module> unchanged = new HashSet<>();

    private Unchanged(Modules modules, Predicate<Module> isLeftOut, GreenMemory memory) {
        all = modules.all().stream().filter(isLeftOut.negate()).toList();
        others = modules.all().stream().filter(isLeftOut).toList();
        this.memory = memory;
    }

    /**
     * Returns a run that remembers nothing.
     *
     * @param isLeftOut whether a module, which no other one needs, is no part of the run
     */
    static Unchanged nothing(Modules modules, Predicate<Module> isLeftOut) {
        return new Unchanged(modules, isLeftOut, new GreenMemory(null));
    }

    /**
     * Returns a run that remembers which modules are green.
     *
     * @param isLeftOut whether a module, which no other one needs, is no part of the run
     * @param isSkipping whether the run leaves out modules that were green with the same inputs
     */
    static Unchanged of(Modules modules, Inputs inputs, GreenMemory memory, Predicate<Module> isLeftOut,
            boolean isSkipping) throws IOException {
        Unchanged result = new Unchanged(modules, isLeftOut, memory);
        for (Module module : result.all) {
            String hash = inputs.hash(module);
            result.hashes.put(module, hash);
            if (isSkipping && memory.knows(hash)) {
                result.unchanged.add(module);
            }
        }
        return result;
    }

    /** Returns the modules that are part of the run, with those that are unchanged. */
    List<Module> modules() {
        return all;
    }

    /** Returns whether the tests of a module are left out. */
    boolean contains(Module module) {
        return unchanged.contains(module);
    }

    /** Returns whether nothing is left to be run. */
    boolean isAll() {
        return unchanged.size() == all.size();
    }

    /** Returns the modules that need not even be built. */
    Set<Module> notBuilt() {
        Set<Module> left = new HashSet<>(unchanged);
        for (boolean isSettled = false; !isSettled;) {
            Set<String> needed = new HashSet<>();
            all.stream().filter(module -> !left.contains(module)).forEach(module -> needed.addAll(module.needs()));
            isSettled = !left.removeIf(module -> needed.contains(module.artifact()));
        }
        return left;
    }

    /** Returns Maven's arguments that leave out what is unchanged. */
    List<String> flags() {
        List<String> flags = new ArrayList<>();
        if (!unchanged.isEmpty()) {
            flags.add("-Dteff.gate=true");
        }
        List<String> folders = Stream.concat(notBuilt().stream(), others.stream())
            .map(module -> "!" + module.folder()).sorted().toList();
        if (!folders.isEmpty()) {
            flags.addAll(List.of("-pl", String.join(",", folders)));
        }
        return flags;
    }

    /** Writes the marks that Maven looks for, and deletes those of earlier runs. */
    void mark() throws IOException {
        for (Module module : all) {
            Path mark = module.target().resolve(MARK);
            Files.deleteIfExists(mark);
            if (unchanged.contains(module)) {
                Files.createDirectories(mark.getParent());
                Files.createFile(mark);
            }
        }
    }

    /** Notes that a module is green with the inputs that it had when the run began. */
    void remember(Module module) throws IOException {
        if (hashes.containsKey(module)) {
            memory.remember(hashes.get(module));
        }
    }
}
