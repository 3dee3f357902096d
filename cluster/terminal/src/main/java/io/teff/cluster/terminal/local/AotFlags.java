package io.teff.cluster.terminal.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The flags with which a JVM uses the AOT cache of this one. The launcher names the cache in the property {@value
 * #PROPERTY}; processes that this one starts get it in turn.
 *
 * <p>The JVM uses a cache only if class path, module options and sizes of references are those of its recording. One
 * that it cannot use it leaves out without a word. But some flags beside a cache end the JVM at once, and an agent
 * changes classes: with those in the environment the cache is left out here.
 */
final class AotFlags {
    /** The property that names the cache. */
    static final String PROPERTY = "teff.aot";
    /** Larger heaps have references of another form than the recorded one. */
    private static final int HEAP_MB_MAX = 31 << 10;
    private static final List<String> VARIABLES = List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");
    private static final Pattern UNFIT = Pattern.compile("-Xshare|SharedArchive|AOT|-javaagent|-agentlib|-agentpath"
        + "|--add-|--patch-module|-XX:[+]Use\\w*GC|-XX:-UseCompressed|-XX:[+]UseCompact");

    private AotFlags() {}

    /**
     * Returns the flags of a JVM.
     *
     * @param heapMb its largest heap in MiB
     */
    static List<String> of(int heapMb) {
        return of(System.getProperty(PROPERTY), System.getenv(), heapMb);
    }

    static List<String> of(@Nullable String cache, Map<String, String> environment, int heapMb) {
        List<String> flags = new ArrayList<>();
        if (cache != null && heapMb <= HEAP_MB_MAX && VARIABLES.stream().map(name -> environment.getOrDefault(name, ""))
                .noneMatch(options -> UNFIT.matcher(options).find())) {
            flags.add("-XX:AOTCache=" + cache);
            flags.add("-Xlog:aot*=off");
            flags.add("-Xlog:cds*=off");
            flags.add("-D" + PROPERTY + "=" + cache);
        } else {
            flags.add("-Xshare:auto");
        }
        return flags;
    }
}
