package io.teff.engine.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The memory limits of this process's control groups on Linux, of version 1 and version 2. A limit of a group also
 * holds for all groups inside, so limits are looked for from the process's own group up to the mounted group: a service
 * of systemd has its limit ({@code MemoryMax=}) several groups below the mounted group.
 *
 * <p>The mounted group need not be the root: a container without a namespace of its own sees its own group mounted, and
 * the path of the group in {@code /proc/self/cgroup} begins at the machine's root.
 */
final class MemoryGroups {
    /** No limit. */
    static final long UNLIMITED = Long.MAX_VALUE;

    private static final Pattern GROUP = Pattern.compile("\\d+:([^:]*):(/.*)");
    /** Root and place of a mount, then optional fields, the type, the source and the options. */
    private static final Pattern MOUNT = Pattern.compile(
        "\\d+ \\d+ \\S+ (\\S+) (\\S+) .*- (cgroup2?) \\S+ (\\S+)");
    private static final Pattern ESCAPE = Pattern.compile("\\\\([0-7]{3})");
    private static final String MEMORY = "memory";

    private final Path root;

    /** A mounted hierarchy of groups. */
    private record Mount(String root, String place, boolean isSecond) {}

    private MemoryGroups(Path root) {
        this.root = root;
    }

    /**
     * Returns the smallest limit of this process's groups.
     *
     * @param root root of the files of the machine
     * @return bytes; {@link #UNLIMITED} without a limit, on other systems, and if nothing can be read
     */
    static long limitBytes(Path root) {
        return new MemoryGroups(root).limitBytes();
    }

    private long limitBytes() {
        List<Mount> mounts = mounts();
        long limit = limit(root.resolve("sys/fs/cgroup"), true);    // the usual place, also without mounts in /proc
        for (String line : lines("proc/self/cgroup")) {
            Matcher group = GROUP.matcher(line);
            if (group.matches()) {
                boolean isSecond = group.group(1).isEmpty();
                if (isSecond || List.of(group.group(1).split(",")).contains(MEMORY)) {
                    for (Mount mount : mounts) {
                        if (mount.isSecond() == isSecond) {
                            limit = Math.min(limit, limit(mount, group.group(2)));
                        }
                    }
                }
            }
        }
        return limit;
    }

    /** Returns the mounted hierarchies with memory limits. */
    private List<Mount> mounts() {
        List<Mount> mounts = new ArrayList<>();
        for (String line : lines("proc/self/mountinfo")) {
            Matcher mount = MOUNT.matcher(line);
            if (mount.matches()) {
                boolean isSecond = mount.group(3).equals("cgroup2");
                if (isSecond || List.of(mount.group(4).split(",")).contains(MEMORY)) {
                    mounts.add(new Mount(unescaped(mount.group(1)), unescaped(mount.group(2)), isSecond));
                }
            }
        }
        return mounts;
    }

    /** Blanks and some other characters of paths are octal numbers in this file. */
    private static String unescaped(String path) {
        return ESCAPE.matcher(path).replaceAll(found ->
            Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(found.group(1), 8))));
    }

    /** Walks up from a group to the mounted group. */
    private long limit(Mount mount, String group) {
        Path mounted = root.resolve(mount.place().substring(1)).normalize();
        Path within = Path.of(mount.root()).normalize();
        Path path = Path.of(group).normalize();
        Path own = path.startsWith(within) ? mounted.resolve(within.relativize(path).toString()).normalize() : mounted;
        long limit = UNLIMITED;
        for (Path each = own; each != null && each.startsWith(mounted); each = each.getParent()) {
            boolean isOwn = each.equals(own);
            if (!isOwn && !mount.isSecond() && "0".equals(text(each.resolve("memory.use_hierarchy")))) {
                break;                                          // limits do not hold for groups inside
            }
            limit = Math.min(limit, limit(each, mount.isSecond()));
        }
        return limit;
    }

    private static long limit(Path group, boolean isSecond) {
        String text = text(group.resolve(isSecond ? "memory.max" : "memory.limit_in_bytes"));
        try {
            return text == null || text.equals("max") ? UNLIMITED : Math.max(1, Long.parseLong(text));
        } catch (NumberFormatException _) {
            return UNLIMITED;
        }
    }

    private static @Nullable String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException _) {
            return null;                                        // the group has no limit, or is not mounted
        }
    }

    private List<String> lines(String file) {
        try {
            return Files.readAllLines(root.resolve(file));
        } catch (IOException _) {
            return List.of();                                   // not Linux, or not readable
        }
    }
}
