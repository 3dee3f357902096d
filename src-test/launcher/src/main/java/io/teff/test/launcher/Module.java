package io.teff.test.launcher;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A module of the build, as its pom describes it.
 *
 * @param folder relative to the root, with slashes
 * @param artifact its artifact id
 * @param name its name in the build's output
 * @param pom its pom
 * @param needs artifact ids of the project's own modules that it depends on, in any scope
 * @param needsAtRuntime the same, without those that only its tests need
 * @param sources folders of its sources
 * @param tests folders of its tests
 * @param hasPlainTests whether some of its tests run again in the lane plain
 */
record Module(String folder, String artifact, String name, Path pom, List<String> needs, List<String> needsAtRuntime,
        List<Path> sources, List<Path> tests, boolean hasPlainTests) {
    /** Returns the folder that the build writes to. */
    Path target() {
        return pom.resolveSibling("target");
    }

    /** Returns the folder of resources of its main classes, which need not exist. */
    Path resources() {
        return pom.resolveSibling("src/main/resources");
    }

    /** Returns whether some of its tests count for the lane system. */
    boolean hasSystemTests() {
        return tests.stream().anyMatch(folder -> folder.toString().replace('\\', '/').contains(Modules.SYSTEM_TESTS));
    }

    /** Returns all lanes that its tests count for. */
    List<String> lanes() {
        List<String> lanes = new ArrayList<>(List.of(lane()));
        if (hasSystemTests()) {
            lanes.add(Lanes.SYSTEM);
        }
        if (hasPlainTests) {
            lanes.add(Lanes.PLAIN);
        }
        return lanes;
    }

    /** Returns the lane that its tests count for, except those of the lanes plain and system. */
    String lane() {
        return Lanes.ofModule(folder);
    }
}
