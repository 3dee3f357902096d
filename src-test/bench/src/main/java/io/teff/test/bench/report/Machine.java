package io.teff.test.bench.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Where and when figures were taken, and of which version of the sources: without it they say nothing.
 *
 * @param processor name of the processor
 * @param processors how many the JVM may use
 * @param memoryBytes memory of the machine, or of its container
 * @param kernel name and version of the operating system
 * @param jdk version and vendor
 * @param date when, to the second
 * @param commit of the checkout that this class was built in, with {@code -dirty} if it was changed since; null without
 *     git or outside of a checkout
 */
@NullMarked
public record Machine(String processor, int processors, long memoryBytes, String kernel, String jdk, Instant date,
    @Nullable String commit) {
    private static final double GIBIBYTE = 1L << 30;
    private static final int GIT_SECONDS_MAX = 20;

    /** {@return this machine, now} */
    public static Machine here() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new Machine(processor(Path.of("/proc/cpuinfo")), Runtime.getRuntime().availableProcessors(),
            system.getTotalMemorySize(), System.getProperty("os.name") + " " + System.getProperty("os.version"),
            Runtime.version() + ", " + System.getProperty("java.vendor"), Instant.now().truncatedTo(ChronoUnit.SECONDS),
            commit(classes()));
    }

    /** The first model name, or the architecture where the file has none. */
    static String processor(Path cpuinfo) {
        try (Stream<String> lines = Files.lines(cpuinfo)) {
            return lines.filter(line -> line.startsWith("model name")).findFirst()
                .map(line -> line.substring(line.indexOf(':') + 1).strip()).orElseGet(Machine::architecture);
        } catch (IOException e) {
            return architecture();
        }
    }

    private static String architecture() {
        return System.getProperty("os.arch");
    }

    private static Path classes() {
        try {
            return Path.of(Machine.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The commit of the checkout that a folder is in, or null. */
    static @Nullable String commit(Path folder) {
        try {
            Process git = new ProcessBuilder("git", "-C", folder.toString(), "describe", "--always", "--dirty",
                "--abbrev=40", "--exclude=*").redirectError(ProcessBuilder.Redirect.DISCARD).start();
            String commit = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor(GIT_SECONDS_MAX, TimeUnit.SECONDS) && git.exitValue() == 0 ? commit : null;
        } catch (IOException e) {
            return null;                                        // there is no git
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** {@return lines of text} */
    public String text() {
        return String.format(Locale.ROOT, "machine: %s, %d processors, %.1f GiB of memory, %s\nJDK: %s\ndate: %s\n"
            + "commit: %s\n", processor, processors, memoryBytes / GIBIBYTE, kernel, jdk, date,
            commit != null ? commit : "not known");
    }

    /** {@return names and values for a JSON document} */
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("processor", processor);
        fields.put("processors", processors);
        fields.put("memoryBytes", memoryBytes);
        fields.put("kernel", kernel);
        fields.put("jdk", jdk);
        fields.put("date", date.toString());
        if (commit != null) {
            fields.put("commit", commit);
        }
        return fields;
    }
}
