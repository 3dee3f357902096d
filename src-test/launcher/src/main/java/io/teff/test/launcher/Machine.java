package io.teff.test.launcher;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a machine is and has, as far as tests depend on it: some leave out a part where a tool is missing. */
final class Machine {
    private static final List<String> PROPERTIES = List.of("java.vm.version", "java.vendor", "java.home", "os.name",
        "os.arch", "os.version", "user.name");
    private static final List<String> PROGRAMS = List.of("strace", "ip", "iptables", "python3", "gcc");
    private static final List<String> FILES = List.of("/usr/lib/x86_64-linux-gnu/libucp.so.0",
        "/usr/lib/aarch64-linux-gnu/libucp.so.0", "/usr/include/ucp/api/ucp.h", "/dev/infiniband");

    private Machine() {}

    /** Returns a description of this machine; two machines with equal ones run tests alike. */
    static String description() {
        List<String> words = new ArrayList<>();
        PROPERTIES.forEach(name -> words.add(name + "=" + System.getProperty(name)));
        words.add("processors=" + Runtime.getRuntime().availableProcessors());
        PROGRAMS.forEach(name -> words.add(name + "=" + isOnPath(name)));
        FILES.forEach(name -> words.add(name + "=" + Files.exists(Path.of(name))));
        return String.join("\n", words);
    }

    private static boolean isOnPath(String program) {
        String path = System.getenv("PATH");
        for (String folder : path == null ? new String[0] : path.split(File.pathSeparator)) {
            if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }
}
