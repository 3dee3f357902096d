package io.teff.test.bench.grid;

import java.util.List;
import java.util.stream.Stream;

/** Flags of JVMs that the other systems need on JDK 25, as their manuals say. */
final class JvmFlags {
    static final List<String> HAZELCAST = Stream.concat(
        Stream.of("--add-modules", "java.se", "--add-exports", "java.base/jdk.internal.ref=ALL-UNNAMED"),
        opens("java.base/java.lang", "java.base/sun.nio.ch", "java.management/sun.management",
            "jdk.management/com.sun.management.internal")).toList();

    static final List<String> IGNITE = opens("java.base/jdk.internal.access", "java.base/jdk.internal.misc",
        "java.base/sun.nio.ch", "java.base/sun.util.calendar", "java.management/com.sun.jmx.mbeanserver",
        "jdk.internal.jvmstat/sun.jvmstat.monitor", "java.base/sun.reflect.generics.reflectiveObjects",
        "jdk.management/com.sun.management.internal", "java.base/java.io", "java.base/java.nio", "java.base/java.net",
        "java.base/java.util", "java.base/java.util.concurrent", "java.base/java.util.concurrent.locks",
        "java.base/java.util.concurrent.atomic", "java.base/java.lang", "java.base/java.lang.invoke",
        "java.base/java.math", "java.sql/java.sql", "java.base/java.time", "java.base/java.text").toList();

    private JvmFlags() {}

    private static Stream<String> opens(String... packages) {
        return Stream.of(packages).flatMap(name -> Stream.of("--add-opens", name + "=ALL-UNNAMED"));
    }
}
