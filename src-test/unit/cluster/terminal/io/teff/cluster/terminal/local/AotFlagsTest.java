package io.teff.cluster.terminal.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Goal: a cache is used where it fits. Method: the flags for environments that fit and that do not. */
final class AotFlagsTest {
    private static final List<String> NONE = List.of("-Xshare:auto");

    @Test
    void aProcessGetsTheCacheOfItsParent() {
        List<String> flags = AotFlags.of("a/cache.aot", Map.of(), 192);
        assertTrue(flags.containsAll(List.of("-XX:AOTCache=a/cache.aot", "-Dteff.aot=a/cache.aot")), flags::toString);
        assertEquals(Runtime.version().feature() == 25, flags.contains("-XX:ArchiveRelocationMode=0"));
    }

    @Test
    void withoutACacheTheStartIsTheUsualOne() {
        assertEquals(NONE, AotFlags.of(null, Map.of(), 192));
    }

    @Test
    void flagsThatDoNotGoWithACacheLeaveItOut() {
        for (String flag : List.of("-Xshare:off", "-javaagent:a.jar", "-agentlib:jdwp", "-XX:+UseZGC",
                "-XX:SharedArchiveFile=a", "-XX:AOTMode=off", "--add-opens=a/b=ALL-UNNAMED")) {
            assertEquals(NONE, AotFlags.of("a", Map.of("JDK_JAVA_OPTIONS", "-ea " + flag), 192), flag);
        }
        assertTrue(AotFlags.of("a", Map.of("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1"), 192).contains(
            "-XX:AOTCache=a"));
        assertEquals(NONE, AotFlags.of("a", Map.of(), 40 << 10), "references of a large heap have another form");
    }
}
