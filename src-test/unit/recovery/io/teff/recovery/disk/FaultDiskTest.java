package io.teff.recovery.disk;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskFullException;
import io.teff.engine.os.LockedException;
import io.teff.recovery.disk.FaultDisk.Call;
import io.teff.recovery.disk.FaultDisk.Fault;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Goal: after a crash, the disk of the tests has exactly the states that a machine could leave. */
final class FaultDiskTest {
    private static final Path FILE = FaultDisk.ROOT.resolve("file");
    private static final Path OTHER = FaultDisk.ROOT.resolve("other");
    private static final int SECTOR = FaultContent.SECTOR;

    private final FaultDisk disk = new FaultDisk();

    private static void write(DiskFile file, long offset, String text) throws IOException {
        file.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)), offset);
    }

    private static String text(Disk disk, Path path) {
        try (DiskFile file = disk.open(path)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
            file.read(bytes, 0);
            return new String(bytes.array(), StandardCharsets.US_ASCII);
        } catch (IOException _) {
            return "none";
        }
    }

    /** Returns one letter per sector. */
    private static String sectors(String letters) {
        StringBuilder text = new StringBuilder();
        letters.chars().forEach(letter -> text.append(String.valueOf((char) letter).repeat(SECTOR)));
        return text.toString();
    }

    private static String letters(String text) {
        StringBuilder letters = new StringBuilder();
        for (int at = 0; at < text.length(); at += SECTOR) {
            String sector = text.substring(at, Math.min(text.length(), at + SECTOR));
            assertEquals(1, sector.chars().distinct().count(), "torn inside of a sector");
            letters.append(sector.charAt(0) == 0 ? '.' : sector.charAt(0));
        }
        return letters.toString();
    }

    /** Returns the contents of a file over all power cuts. */
    private Set<String> all(Path path) {
        Set<String> left = new TreeSet<>();
        Choices choices = Choices.all();
        do {
            left.add(letters(text(disk.powerCut(choices), path)));
        } while (choices.next());
        return left;
    }

    /** Returns a file whose name is synced. */
    private DiskFile file() throws IOException {
        DiskFile file = disk.create(FILE, 0);
        disk.forceFolder(FaultDisk.ROOT);
        return file;
    }

    @Test
    void powerCut_keepsSyncedBytes() throws IOException {
        DiskFile file = file();
        write(file, 0, sectors("ab"));
        file.force();
        assertEquals(Set.of("ab"), all(FILE));
        assertEquals(sectors("ab"), text(disk.powerCut(Choices.drop()), FILE));
    }

    @Test
    void powerCut_ofWrites_leavesEachSubsetAndEachTear() throws IOException {
        DiskFile file = file();
        write(file, 0, sectors("ab"));
        file.force();
        write(file, 0, sectors("A"));
        write(file, SECTOR, sectors("B"));
        assertEquals(Set.of("ab", "Ab", "aB", "AB"), all(FILE));
        write(file, 0, sectors("12"));
        assertEquals(Set.of("ab", "Ab", "aB", "AB", "12", "1b", "1B", "a2", "A2"), all(FILE));
        assertEquals(sectors("12"), text(disk.killed(), FILE));
        assertEquals(sectors("12"), text(disk.powerCut(Choices.keep()), FILE));
        assertEquals(sectors("ab"), text(disk.powerCut(Choices.drop()), FILE));
    }

    /** The sync of the first writes has failed: they may be on the device or not, but never above later synced ones. */
    @Test
    void powerCut_afterAFailedSync_bringsNothingBackThatWasOverwrittenAndSynced() throws IOException {
        DiskFile file = file();
        write(file, 0, sectors("abc"));
        file.force();
        write(file, 0, sectors("ABC"));
        disk.fail(Call.FORCE, 0, Fault.BROKEN);
        assertThrows(IOException.class, file::force);
        file.force();
        assertEquals(Set.of("abc", "Abc", "aBc", "abC", "ABc", "AbC", "aBC", "ABC"), all(FILE));
        write(file, SECTOR, sectors("2"));
        file.force();
        assertEquals(Set.of("a2c", "A2c", "a2C", "A2C"), all(FILE));
        write(file, 0, sectors("123"));
        file.force();
        assertEquals(Set.of("123"), all(FILE));
    }

    @Test
    void powerCut_ofAFileThatGrows_mayHaveItsLengthOnly() throws IOException {
        DiskFile file = file();
        write(file, 0, sectors("ab"));
        assertEquals(Set.of("", "ab", "a", ".b", "a.", ".."), all(FILE));
    }

    @Test
    void powerCut_ofALongWrite_keepsAFrontOrABack() throws IOException {
        DiskFile file = file();
        write(file, 0, sectors("abcdef"));
        file.force();
        write(file, 0, sectors("ABCDEF"));
        assertEquals(Set.of("abcdef", "Abcdef", "ABcdef", "ABCdef", "ABCDef", "ABCDEf", "ABCDEF", "aBCDEF", "abCDEF",
            "abcDEF", "abcdEF", "abcdeF"), all(FILE));
    }

    @Test
    void powerCut_atRandom_reachesAllTears() throws IOException {
        DiskFile file = file();
        write(file, 0, sectors("abcdef"));
        file.force();
        write(file, 0, sectors("ABCDEF"));
        Set<String> left = new HashSet<>();
        for (int seed = 0; seed < 3000; seed++) {
            left.add(letters(text(disk.powerCut(Choices.random(seed)), FILE)));
        }
        assertEquals(64, left.size());
        assertEquals(text(disk.powerCut(Choices.random(5)), FILE), text(disk.powerCut(Choices.random(5)), FILE));
    }

    @Test
    void powerCut_ofNames_leavesEachSubset() throws IOException {
        DiskFile file = file();
        write(file, 0, sectors("a"));
        file.force();
        DiskFile other = disk.create(OTHER, 0);
        write(other, 0, sectors("b"));
        other.force();
        assertEquals(Set.of("none", "b"), noneOrLetters(OTHER));
        disk.rename(OTHER, FILE);
        assertEquals(Set.of("a", "b"), noneOrLetters(FILE));
        disk.delete(FILE);
        assertEquals(Set.of("a", "b", "none"), noneOrLetters(FILE));
        assertEquals("none", text(disk.killed(), FILE));
        assertEquals(sectors("a"), text(disk.powerCut(Choices.drop()), FILE));
        disk.forceFolder(FaultDisk.ROOT);
        assertEquals(Set.of("none"), noneOrLetters(FILE));
        assertEquals(Set.of("none"), noneOrLetters(OTHER));
    }

    private Set<String> noneOrLetters(Path path) {
        Set<String> left = new TreeSet<>();
        Choices choices = Choices.all();
        do {
            String text = text(disk.powerCut(choices), path);
            left.add(text.equals("none") ? text : letters(text));
        } while (choices.next());
        return left;
    }

    @Test
    void rename_thatIsNotSynced_isThereAtOnceOrNot() throws IOException {
        file().close();
        disk.rename(FILE, OTHER);
        List<List<String>> left = new ArrayList<>();
        Choices choices = Choices.all();
        do {
            left.add(disk.powerCut(choices).list(FaultDisk.ROOT));
        } while (choices.next());
        assertEquals(List.of(List.of("other"), List.of("file")), left);
    }

    @Test
    void powerCut_ofAFolder_losesItsFiles() throws IOException {
        Path folder = FaultDisk.ROOT.resolve("a/b");
        disk.createFolders(folder);
        disk.create(folder.resolve("file"), 1).force();
        disk.forceFolder(folder);
        assertEquals(Set.of("none", "."), noneOrLetters(folder.resolve("file")));
        assertThrows(IOException.class, () -> disk.powerCut(Choices.drop()).list(folder));
        disk.forceFolder(FaultDisk.ROOT);
        disk.forceFolder(folder.getParent());
        assertEquals(Set.of("."), noneOrLetters(folder.resolve("file")));
    }

    @Test
    void powerCut_ofMappedMemory_leavesEachSubsetOfItsPages() throws IOException {
        DiskFile file = disk.create(FILE, 8192);
        file.force();
        disk.forceFolder(FaultDisk.ROOT);
        MemorySegment memory = file.map(8192, Arena.global());
        memory.set(ValueLayout.JAVA_BYTE, 0, (byte) 'a');
        memory.set(ValueLayout.JAVA_BYTE, 4096, (byte) 'b');
        file.force();
        Set<String> left = new HashSet<>();
        Choices choices = Choices.all();
        do {
            String text = text(disk.powerCut(choices), FILE);
            left.add("" + text.charAt(0) + text.charAt(4096));
            assertEquals(8192, text.length());
        } while (choices.next());
        assertEquals(Set.of("\0\0", "a\0", "\0b", "ab"), left);
        FaultDisk killed = disk.killed();
        assertEquals('b', text(killed, FILE).charAt(4096));
        assertEquals('\0', text(killed.powerCut(Choices.drop()), FILE).charAt(4096));
        memory.set(ValueLayout.JAVA_BYTE, 4096, (byte) 'c');
        assertEquals('b', text(killed, FILE).charAt(4096), "pictures are independent");
    }

    @Test
    void rename_ofAFolder_movesAllOrNothing() throws IOException {
        Path folder = FaultDisk.ROOT.resolve("a");
        disk.createFolders(folder.resolve("b"));
        disk.create(folder.resolve("b").resolve("f"), 4).close();
        assertThrows(DirectoryNotEmptyException.class, () -> disk.delete(folder));
        assertThrows(IllegalStateException.class, () -> disk.rename(folder, OTHER));
        disk.forceFolder(FaultDisk.ROOT);
        disk.forceFolder(folder);
        disk.forceFolder(folder.resolve("b"));
        disk.rename(folder, OTHER);
        assertEquals(List.of("f"), disk.list(OTHER.resolve("b")));
        assertEquals(List.of("f"), disk.powerCut(Choices.drop()).list(folder.resolve("b")));
        disk.forceFolder(FaultDisk.ROOT);
        assertEquals(List.of("f"), disk.powerCut(Choices.drop()).list(OTHER.resolve("b")));
        assertEquals(List.of("other"), disk.list(FaultDisk.ROOT));
    }

    @Test
    void link_leadsToTheSameBytes_untilItIsDeleted() throws IOException {
        DiskFile file = disk.create(FILE, 0);
        assertTrue(disk.link(FILE, OTHER));
        write(file, 0, "ab");
        assertEquals("ab", text(disk, OTHER));
        disk.delete(FILE);
        assertEquals("ab", text(disk.killed(), OTHER));
        assertThrows(FileAlreadyExistsException.class, () -> disk.link(OTHER, OTHER));
        disk.refuseLinks();
        assertFalse(disk.link(OTHER, FILE));
        assertEquals(List.of(OTHER.getFileName().toString()), disk.list(FaultDisk.ROOT));
    }

    @Test
    void force_thatFails_isNeverMadeGoodByTheNextOne() throws IOException {
        DiskFile file = file();
        write(file, 0, sectors("a"));
        disk.fail(Call.FORCE, 0, Fault.BROKEN);
        assertThrows(IOException.class, file::force);
        write(file, SECTOR, sectors("b"));
        file.force();
        assertEquals(sectors("ab"), text(disk, FILE));
        assertEquals(".b", letters(text(disk.powerCut(Choices.drop()), FILE)));
    }

    @Test
    void fail_ofEachKind_failsThatCallOnly() throws IOException {
        for (Call call : Call.values()) {
            FaultDisk fresh = new FaultDisk();
            DiskFile file = fresh.create(FILE, 4096);
            long before = fresh.calls(call);
            fresh.fail(call, 1, Fault.BROKEN);
            call(fresh, file, call, 1);
            assertThrows(IOException.class, () -> call(fresh, file, call, 2), call.name());
            call(fresh, file, call, 3);
            assertEquals(before + 3, fresh.calls(call), call.name());
            fresh.failFrom(call, 0, Fault.FULL);
            assertThrows(DiskFullException.class, () -> call(fresh, file, call, 4), call.name());
            assertThrows(DiskFullException.class, () -> call(fresh, file, call, 5), call.name());
            fresh.heal();
            call(fresh, file, call, 6);
        }
    }

    private static void call(FaultDisk disk, DiskFile file, Call call, int n) throws IOException {
        Path path = FaultDisk.ROOT.resolve("" + n);
        switch (call) {
            case CREATE -> disk.create(path, 0).close();
            case OPEN -> disk.open(FILE).close();
            case FOLDERS -> disk.createFolders(path);
            case LIST -> disk.list(FaultDisk.ROOT);
            case DELETE -> {
                disk.create(path, 0).close();
                disk.delete(path);
            }
            case RENAME -> {
                disk.create(path, 0).close();
                disk.rename(path, OTHER);
            }
            case LINK -> assertTrue(disk.link(FILE, path));
            case FORCE_FOLDER -> disk.forceFolder(FaultDisk.ROOT);
            case LOCK -> disk.lock(path, "me").close();
            case USABLE -> disk.usableBytes(FaultDisk.ROOT);
            case WRITE -> file.write(ByteBuffer.allocate(1), n);
            case READ -> file.read(ByteBuffer.allocate(1), n);
            case SIZE -> file.size();
            case FORCE -> file.force();
            case MAP -> file.map(4096, Arena.global());
        }
    }

    @Test
    void writeShort_ofAWrite_writesItsFront() throws IOException {
        DiskFile file = file();
        disk.writeShort(1, Fault.FULL, 3);
        write(file, 0, "ab");
        assertThrows(DiskFullException.class, () -> write(file, 2, "cdefg"));
        write(file, 10, "x");
        assertEquals("abcde\0\0\0\0\0x", text(disk, FILE));
    }

    @Test
    void beforeEachCall_seesTheDiskAsItWas() throws IOException {
        List<String> seen = new ArrayList<>();
        DiskFile file = file();
        disk.beforeEachCall(() -> {
            FaultDisk picture = disk.killed();
            seen.add(text(picture, FILE));
        });
        write(file, 0, "a");
        write(file, 0, "b");
        file.force();
        assertEquals(List.of("", "a", "b"), seen);
    }

    @Test
    void locks_andTheBoot_areThoseOfTheMachine() throws IOException {
        disk.lock(OTHER, "me");
        assertEquals(disk.boot(), disk.killed().boot());
        assertNotEquals(disk.boot(), disk.powerCut(Choices.keep()).boot());
        disk.killed().lock(OTHER, "another");
        assertThrows(LockedException.class, () -> disk.lock(OTHER, "another"));
    }

    @Test
    void file_thatIsClosed_cannotBeUsed() throws IOException {
        DiskFile file = file();
        file.close();
        assertThrows(IllegalStateException.class, file::size);
        assertTrue(disk.list(FaultDisk.ROOT).contains("file"));
    }
}
