package io.teff.engine.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Limits of memory are found in each group from the process's own up to the mounted group, in both versions. */
final class MemoryGroupsTest {
    private static final String SECOND = "30 23 0:26 %s %s rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";
    private static final String FIRST = "31 23 0:27 %s %s rw shared:9 - cgroup cgroup rw,memory\n"
        + "32 23 0:28 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n";

    @TempDir
    private Path root;

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void process(String groups, String mounts) throws IOException {
        write("proc/self/cgroup", groups);
        write("proc/self/mountinfo", "22 1 8:1 / / rw - ext4 /dev/root rw\n" + mounts);
    }

    private long limit() {
        return MemoryGroups.limitBytes(root);
    }

    @Test
    void nothingToRead_isNoLimit() {
        assertEquals(MemoryGroups.UNLIMITED, limit());
    }

    @Test
    void container_ofVersion2_hasTheLimitOfTheMountedGroup() throws Exception {
        process("0::/\n", SECOND.formatted("/", "/sys/fs/cgroup"));
        write("sys/fs/cgroup/memory.max", "400\n");
        assertEquals(400, limit());
        write("sys/fs/cgroup/memory.max", "max\n");
        assertEquals(MemoryGroups.UNLIMITED, limit());
    }

    @Test
    void limitWithoutMounts_isReadAtTheUsualPlace() throws Exception {
        write("sys/fs/cgroup/memory.max", "400\n");
        assertEquals(400, limit());
    }

    @Test
    void service_ofSystemd_hasTheSmallestLimitOfItsGroupAndTheGroupsAround() throws Exception {
        process("0::/system.slice/teff.service/inner\n", SECOND.formatted("/", "/sys/fs/cgroup"));
        write("sys/fs/cgroup/system.slice/memory.max", "900\n");
        write("sys/fs/cgroup/system.slice/teff.service/memory.max", "max\n");
        write("sys/fs/cgroup/system.slice/teff.service/inner/memory.max", "1000\n");
        write("sys/fs/cgroup/system.slice/other.service/memory.max", "1\n");
        assertEquals(900, limit());
        write("sys/fs/cgroup/system.slice/teff.service/memory.max", "400\n");
        assertEquals(400, limit());
    }

    @Test
    void groups_ofVersion1_areFoundByTheControllerOfMemory() throws Exception {
        process("5:cpu,cpuacct:/a\n4:memory:/a/b\n0::/\n", FIRST.formatted("/", "/sys/fs/cgroup/memory"));
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
        write("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "400\n");
        assertEquals(400, limit());
        write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "300\n");
        assertEquals(300, limit());
        write("sys/fs/cgroup/memory/a/memory.use_hierarchy", "0\n");
        assertEquals(400, limit(), "in old kernels a group need not hold for the groups inside");
    }

    @Test
    void container_withoutANamespace_seesItsGroupMounted() throws Exception {
        process("4:memory:/docker/12ab/inner\n", FIRST.formatted("/docker/12ab", "/sys/fs/cgroup/memory"));
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "500\n");
        assertEquals(500, limit());
        write("sys/fs/cgroup/memory/inner/memory.limit_in_bytes", "400\n");
        assertEquals(400, limit());
        process("4:memory:/elsewhere\n", FIRST.formatted("/docker/12ab", "/sys/fs/cgroup/memory"));
        assertEquals(500, limit(), "the own group is not mounted");
    }

    @Test
    void oddPaths_stayBelowTheMount() throws Exception {
        process("0::/../../a:b\n", SECOND.formatted("/../x", "/sys/fs/my\\040groups"));
        write("sys/fs/my groups/memory.max", "400\n");
        write("sys/memory.max", "1\n");
        assertEquals(400, limit());
        write("sys/fs/my groups/memory.max", "12345678901234567890123\n");
        assertEquals(MemoryGroups.UNLIMITED, limit());
    }

    @Test
    void memoryOfThisProcess_isPositive() {
        assertTrue(SystemInfo.memoryBytes() > 0);
    }
}
