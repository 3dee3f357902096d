package io.teff.cluster.terminal.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The flags that make a child JVM use the AOT cache of this JVM. The launcher names the cache in the property
 * {@value #PROPERTY}, and child processes get the property in turn.
 *
 * <p>A JVM uses a cache only if class path, module options and sizes of references are as in the recording. A JVM
 * ignores an unusable cache without a message. But some flags together with a cache end the JVM at once, and an agent
 * changes classes: if the environment has such flags, these flags here name no cache.
 */
final class AotFlags {
    /** Property with the name of the cache. */
    static final String PROPERTY = "teff.aot";
    /** Larger heaps have references of another form than the recorded heap. */
    private static final int HEAP_MB_MAX = 31 << 10;
    /**
     * Maps the classes of the cache at the address for which the cache was made: so their pages are shared by all
     * processes. At any other address the JVM writes to most pages.
     */
    private static final List<String> MAPPED = List.of("-XX:+UnlockDiagnosticVMOptions",
        "-XX:ArchiveRelocationMode=0");
    /** The release of the JDK that has the option, which is not part of the JVM's public options. */
    private static final int MAPPED_BY_FEATURE = 25;
    private static final List<String> VARIABLES = List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");
    private static final Pattern UNFIT = Pattern.compile("-Xshare|SharedArchive|AOT|-javaagent|-agentlib|-agentpath"
        + "|--add-|--patch-module|-XX:[+]Use\\w*GC|-XX:-UseCompressed|-XX:[+]UseCompact");

    private AotFlags() {}

    /**
     * Returns the flags of a JVM.
     *
     * @param heapMb maximum heap of the JVM in MiB
     */
    static List<String> of(int heapMb) {
        return of(System.getProperty(PROPERTY), System.getenv(), heapMb);
    }

    static List<String> of(@Nullable String cache, Map<String, String> environment, int heapMb) {
        List<String> flags = new ArrayList<>();
        if (cache != null && heapMb <= HEAP_MB_MAX && VARIABLES.stream().map(name -> environment.getOrDefault(name, ""))
                .noneMatch(options -> UNFIT.matcher(options).find())) {
            flags.add("-XX:AOTCache=" + cache);
            if (Runtime.version().feature() == MAPPED_BY_FEATURE) {
                flags.addAll(MAPPED);
            }
            flags.add("-Xlog:aot*=off");
            flags.add("-Xlog:cds*=off");
            flags.add("-D" + PROPERTY + "=" + cache);
        } else {
            flags.add("-Xshare:auto");
        }
        return flags;
    }
}
