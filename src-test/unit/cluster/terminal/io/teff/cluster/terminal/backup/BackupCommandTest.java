package io.teff.cluster.terminal.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.terminal.cli.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands for backups without a cluster: exit codes and output. */
final class BackupCommandTest {
    @TempDir
    private Path folder;
    private final StringWriter output = new StringWriter();
    private final StringWriter errors = new StringWriter();

    private int run(String... words) {
        return Terminal.commandLine().setOut(new PrintWriter(output, true)).setErr(new PrintWriter(errors, true))
            .execute(words);
    }

    /** Makes a backup of a cluster without zones. */
    private Path empty() throws IOException {
        Path backup = Files.createDirectories(folder.resolve("backup"));
        byte[] services = HexFormat.of().parseHex("5446534201000000");
        String text = "teff cluster backup 1\ncluster " + "1".repeat(32) + " test\nbackup " + "2".repeat(32)
            + "\nlost 7\nservices 5 0 " + crc(services) + '\n';
        Files.write(backup.resolve("services"), services);
        Files.writeString(backup.resolve("manifest"), text + "checksum "
            + crc(text.getBytes(StandardCharsets.UTF_8)) + '\n');
        return backup;
    }

    private static String crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }

    @Test
    void verify_ofAWholeBackup_hasCode0() throws IOException {
        assertEquals(0, run("cluster", "verify", empty().toString()), errors::toString);
        assertTrue(output.toString().startsWith("whole: backup " + folder), output::toString);
        assertTrue(output.toString().contains("lost zones without content: [7]"), output::toString);
    }

    @Test
    void verify_ofADamagedBackup_hasCode1_andNamesTheFile() throws IOException {
        Path backup = empty();
        Files.writeString(backup.resolve("services"), "other");
        assertEquals(1, run("cluster", "verify", "--json", backup.toString()), errors::toString);
        assertTrue(output.toString().startsWith("{\"isWhole\":false,\"faults\":[\"" + backup.resolve("services")),
            output::toString);
    }

    @Test
    void commands_withoutABackup_haveCode1_andSayWhy() {
        assertEquals(1, run("cluster", "export", folder.resolve("none").toString(), folder.resolve("s").toString()));
        assertTrue(errors.toString().contains("manifest is missing"), errors::toString);
        assertEquals(1, run("cluster", "backup", folder.resolve("b").toString(), "--dir",
            folder.resolve("c").toString()));
        assertEquals(2, run("cluster", "restore"));
    }
}
