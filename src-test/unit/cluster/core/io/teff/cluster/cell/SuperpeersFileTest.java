package io.teff.cluster.cell;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.cluster.meta.SuperpeerRow;
import io.teff.cluster.meta.SuperpeerRow.Standing;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.engine.os.Disk;
import io.teff.recovery.disk.Choices;
import io.teff.recovery.disk.FaultDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: a file of superpeers is read as written, and each damaged file counts as no file. */
class SuperpeersFileTest {
    private static final SuperpeerSet SET = new SuperpeerSet(57, List.of(
        new SuperpeerRow(0, "tcp:10.0.0.1:7400", Standing.COUNTING), new SuperpeerRow(2, "", Standing.LEAVING),
        new SuperpeerRow(14, "ucx:[::1]:7400", Standing.ENTERING)), 3);

    @TempDir
    private Path folder;

    @Test
    void file_isReadAsWritten_andReplaced() throws IOException {
        assertEquals(SuperpeerSet.NONE, SuperpeersFile.read(Disk.SYSTEM, folder));
        SuperpeersFile.write(Disk.SYSTEM, folder, SuperpeerSet.of(3));
        Files.writeString(folder.resolve("superpeers.new"), "of a process that was killed");
        SuperpeersFile.write(Disk.SYSTEM, folder, SET);
        assertEquals(SET, SuperpeersFile.read(Disk.SYSTEM, folder));
    }

    @Test
    void fileWithAWrongByte_orCut_isNoFile() throws IOException {
        SuperpeersFile.write(Disk.SYSTEM, folder, SET);
        Path file = folder.resolve("superpeers");
        byte[] bytes = Files.readAllBytes(file);
        for (int i = 0; i < bytes.length; i++) {
            byte[] wrong = bytes.clone();
            wrong[i] ^= 4;
            Files.write(file, wrong);
            assertEquals(SuperpeerSet.NONE, SuperpeersFile.read(Disk.SYSTEM, folder), "byte " + i);
            Files.write(file, Arrays.copyOf(bytes, i));
            assertEquals(SuperpeerSet.NONE, SuperpeersFile.read(Disk.SYSTEM, folder), "cut at " + i);
        }
    }

    @Test
    void file_isThereAfterAPowerCut() throws IOException {
        for (int seed = 0; seed < 50; seed++) {
            FaultDisk disk = new FaultDisk();
            disk.createFolders(FaultDisk.ROOT);
            SuperpeersFile.write(disk, FaultDisk.ROOT, SuperpeerSet.of(3));
            SuperpeersFile.write(disk, FaultDisk.ROOT, SET);
            FaultDisk after = disk.powerCut(Choices.random(seed));
            assertEquals(SET, SuperpeersFile.read(after, FaultDisk.ROOT), "seed " + seed);
        }
    }
}
