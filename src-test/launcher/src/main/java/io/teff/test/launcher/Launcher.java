package io.teff.test.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The commands that the shell script {@code teff} hands over.
 * <pre>
 *  Launcher ROOT class-path MODULE          print the class path if the build is fresh, else exit with 10
 *  Launcher ROOT built MODULE               the same, but a build that is not fresh will do
 *  Launcher ROOT build MODULE MAVEN         build if needed, print the class path
 *  Launcher ROOT make MODULE                print the class path, make the AOT cache if there is none
 *  Launcher ROOT docs MAVEN                 write the reference of all public modules
 *  Launcher ROOT package MAVEN FOLDER       fill a folder with the packages of all modules
 *  Launcher ROOT test MAVEN [ARGUMENTS]     run tests
 * </pre>
 * Behind a class path is a line with the AOT cache, if there is one. Results are printed on stdout, everything else on
 * stderr.
 */
public final class Launcher {
    /** Exit code for "not built, or older than its sources". */
    static final int STALE = 10;
    private static final int WRONG_USE = 2;

    private Launcher() {}

    /** Runs one command and exits with its code. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path root = Path.of(arguments[0]);
        List<String> rest = new ArrayList<>(List.of(arguments).subList(2, arguments.length));
        Modules modules = Modules.read(root);
        System.exit(switch (arguments[1]) {
            case "test" -> test(root, modules, rest);
            case "docs" -> new Reference(root, modules, new Maven(root, rest.getFirst())).run();
            case "package" -> new Packages(root, modules, new Maven(root, rest.getFirst()))
                .run(Path.of(rest.getLast()).toAbsolutePath().normalize());
            default -> program(root, modules, arguments[1], rest);
        });
    }

    private static int program(Path root, Modules modules, String command, List<String> arguments)
            throws IOException, InterruptedException {
        Module module = modules.in(arguments.getFirst());
        if (module == null) {
            System.err.println("teff: no module in the folder " + arguments.getFirst());
            return WRONG_USE;
        }
        boolean isBuilt = Files.exists(Freshness.stamp(module));
        boolean mayBuild = System.getenv("TEFF_NO_BUILD") == null || System.getenv("TEFF_NO_BUILD").isEmpty();
        boolean isGood = isBuilt && (!mayBuild || command.equals("built") || Freshness.isFresh(root, modules, module));
        if (!isGood && !mayBuild) {
            System.err.println("teff: nothing is built, and TEFF_NO_BUILD forbids building it.");
            return 1;
        }
        if (!isGood && !command.equals("build")) {
            return STALE;
        }
        if (!isGood && !build(root, modules, module, arguments.get(1))) {
            return 1;
        }
        AotCache cache = AotCache.of(module);
        AotCache.Start start = cache == null ? null : cache.start(!isGood || command.equals("make"));
        System.out.println(start == null ? Freshness.classPath(module) : start.classPath() + "\n" + start.cache());
        return 0;
    }

    /** Builds a module, unless another process has built the module meanwhile. */
    private static boolean build(Path root, Modules modules, Module module, String maven)
            throws IOException, InterruptedException {
        try (BuildLock _ = BuildLock.take(root)) {
            return Files.exists(Freshness.stamp(module)) && Freshness.isFresh(root, modules, module)
                || new Build(root, new Maven(root, maven)).run(module);
        }
    }

    private static int test(Path root, Modules modules, List<String> arguments)
            throws IOException, InterruptedException {
        Maven maven = new Maven(root, arguments.removeFirst());
        if (arguments.equals(List.of("--times"))) {
            return LaneTimes.print(root);
        }
        if (arguments.equals(List.of("--times", "--classes"))) {
            return ClassTimes.print(modules);
        }
        if (arguments.equals(List.of("--tiers"))) {
            return TierPage.write(root);
        }
        return arguments.remove("--fast")
            ? new FastTests(root, modules, maven).run(arguments) : new Gate(root, modules, maven).run(arguments);
    }
}
