package io.teff.cluster.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.cluster.NodeStateFile;
import io.teff.cluster.consensus.MemberFolder.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The parts of a member, by the files of its folder. */
class MemberFolderTest {
    @TempDir
    private Path path;

    private MemberFolder folder() {
        return new MemberFolder(path.resolve("cell"));
    }

    private Path write(String name, String content) throws IOException {
        Path file = path.resolve("cell").resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    @Test
    void part_withoutATerm_isEmpty_andWithOne_isThatOfAVoter() throws IOException {
        assertEquals(Part.EMPTY, folder().part());
        write("archive/archive.catalog", "x");
        write("consensus/recording.log", "");
        assertEquals(Part.EMPTY, folder().part(), "it has started, and was in no term");
        write("consensus/recording.log", "a term");
        assertEquals(Part.VOTER, folder().part());
        assertFalse(folder().isEmpty());
    }

    @Test
    void part_withTermsButWithoutTheirLog_isRefused() throws IOException {
        write("consensus/recording.log", "a term");
        String message = assertThrows(IOException.class, () -> folder().part()).getMessage();
        assertTrue(message.contains("has lost a part of its log") && message.contains("delete the whole folder"),
            message);
    }

    @Test
    void newcomer_hasNothingOfBefore_andHasVotedInAllTerms_untilItsEnd() throws IOException {
        write("archive/archive.catalog", "old");
        Path old = write("archive/0-0.rec", "old");
        folder().beginNewcomer();
        assertEquals(Part.NEWCOMER, folder().part());
        assertFalse(folder().isEmpty(), "the cell exists");
        assertFalse(Files.exists(old));
        assertTrue(votedIn() > 1L << 60, "no term is higher");
        write("archive/archive.catalog", "new");
        write("consensus/recording.log", "a term");
        assertEquals(Part.NEWCOMER, folder().part(), "a log alone makes no voter");
        folder().endNewcomer();
        assertEquals(Part.VOTER, folder().part());
        assertFalse(Files.exists(path.resolve("cell/consensus/node-state.dat")), "it votes in the next term");
    }

    private long votedIn() throws IOException {
        try (NodeStateFile state = new NodeStateFile(path.resolve("cell/consensus").toFile(), false, 0)) {
            return state.candidateTerm().candidateTermId();
        }
    }

    @Test
    void attempt_thatEnds_leavesAnEmptyFolder() throws IOException {
        folder().beginNewcomer();
        write("archive/archive.catalog", "new");
        write("consensus/recording.log", "a term");
        folder().beginNewcomer();
        folder().endAttempt();
        assertEquals(Part.EMPTY, folder().part());
        try (var files = Files.list(path.resolve("cell"))) {
            assertEquals(0, files.count());
        }
    }

    @Test
    void copy_thatIsWhole_takesThePlaceOfTheLog_andKeepsTheVotes() throws IOException {
        write("archive/archive.catalog", "old");
        write("archive/0-0.rec", "old");
        write("consensus/recording.log", "an old term");
        try (NodeStateFile state = new NodeStateFile(path.resolve("cell/consensus").toFile(), true, 0)) {
            state.updateCandidateTermId(7, 0, 0);
        }
        Path copy = folder().beginCopy();
        Files.createDirectories(copy.resolve("archive"));
        Files.writeString(copy.resolve("archive/archive.catalog"), "new");
        Files.writeString(copy.resolve("consensus/recording.log"), "a new term");
        assertEquals(Part.VOTER, folder().part(), "a copy that is not whole does not count");
        assertFalse(Files.exists(copy));

        folder().beginCopy();
        Files.createDirectories(copy.resolve("archive"));
        Files.writeString(copy.resolve("archive/archive.catalog"), "new");
        Files.writeString(copy.resolve("consensus/recording.log"), "a new term");
        folder().endCopy();
        assertTaken(copy);
    }

    @Test
    void copy_whoseProcessEndsWhileItIsMoved_isMovedByTheNextOne() throws IOException {
        write("archive/archive.catalog", "new");                // it has been moved, the rest has not
        write("consensus/recording.log", "an old term");
        Path copy = path.resolve("cell/copy");
        write("copy/consensus/recording.log", "a new term");
        try (NodeStateFile state = new NodeStateFile(copy.resolve("consensus").toFile(), true, 0)) {
            state.updateCandidateTermId(7, 0, 0);
        }
        write("copy/whole", "");
        assertFalse(folder().isEmpty());
        assertTaken(copy);
    }

    private void assertTaken(Path copy) throws IOException {
        assertEquals(Part.VOTER, folder().part());
        assertFalse(Files.exists(copy));
        assertFalse(Files.exists(path.resolve("cell/archive/0-0.rec")));
        assertEquals("new", Files.readString(path.resolve("cell/archive/archive.catalog")));
        assertEquals("a new term", Files.readString(path.resolve("cell/consensus/recording.log")));
        assertEquals(7, votedIn(), "it votes in no term again");
    }
}
