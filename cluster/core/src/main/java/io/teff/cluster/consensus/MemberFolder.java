package io.teff.cluster.consensus;

import io.aeron.cluster.NodeStateFile;
import io.aeron.cluster.RecordingLog;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The part of a member in the replicated log, as its folder records it.
 * <pre>
 *           the first leader begins its term
 *   EMPTY ---------------------------------------> VOTER
 *     |                                              ^
 *     | beginNewcomer                 endNewcomer    |
 *     +----------------> NEWCOMER -------------------+
 * </pre>
 * <b>Why a newcomer does not vote.</b> A command counts when a majority has it on disk, and the next leader has it
 * because each majority of voters shares a member with that one. A member whose disk was lost has broken its word: it
 * could make a leader of one that lacks the command. So it is a newcomer: it has a part in no election, neither as a
 * candidate nor by its vote, until its log has everything that it may have had before. To Aeron it has voted in all
 * terms already: it refuses each request for a vote.
 *
 * <p>The mark of a newcomer is the first file that is written, and the last one that is deleted. For one thread;
 * {@link #isEmpty} for any.
 */
public final class MemberFolder {
    private static final String MARK = "newcomer";
    private static final String CONSENSUS = "consensus";
    private static final String CATALOG = "archive/archive.catalog";
    private static final int SYNCED = 1;
    /** Higher than all terms, and far from an overflow. */
    private static final long ALL_TERMS = Long.MAX_VALUE / 2;

    private final Path path;

    /** The part of a member. */
    public enum Part {
        /** The member has had no part in any term: it may be one of a new cell, or has lost its disk. */
        EMPTY,
        /** The member reads the log of the others, and does not vote. */
        NEWCOMER,
        /** The member votes. */
        VOTER
    }

    /**
     * Uses a folder, whose lock the caller holds.
     *
     * @param path the folder; may be missing
     */
    public MemberFolder(Path path) {
        this.path = path;
    }

    /**
     * {@return the member's part}
     *
     * @throws IOException if the folder cannot be read, or if the member's log is missing in it
     */
    public Part part() throws IOException {
        if (Files.exists(path.resolve(MARK))) {
            return Part.NEWCOMER;
        }
        if (isEmpty()) {
            return Part.EMPTY;
        }
        if (!Files.exists(path.resolve(CATALOG))) {
            throw new IOException(path + " has lost a part of its log: " + CATALOG + " is missing; if it does not come "
                + "back, delete the whole folder, and the superpeer gets the log from the others");
        }
        return Part.VOTER;
    }

    /**
     * {@return whether the member has had no part in any term yet, and is no newcomer, also while it runs}
     *
     * @throws IOException if the folder cannot be read: then it may have a log
     */
    public boolean isEmpty() throws IOException {
        return !Files.exists(path.resolve(MARK)) && termBytes() == 0;
    }

    private long termBytes() throws IOException {
        try {
            return Files.size(path.resolve(CONSENSUS).resolve(RecordingLog.RECORDING_LOG_FILE_NAME));
        } catch (NoSuchFileException _) {
            return 0;
        }
    }

    /**
     * Makes the member a newcomer without a log. It must not run.
     *
     * @throws IOException if the folder cannot be written
     */
    public void beginNewcomer() throws IOException {
        Disk.SYSTEM.createFolders(path);
        if (!Files.exists(path.resolve(MARK))) {
            try (DiskFile mark = Disk.SYSTEM.create(path.resolve(MARK), 1)) {
                mark.force();
            }
        }
        Disk.SYSTEM.forceFolder(path);
        deleteLog();
        Path consensus = path.resolve(CONSENSUS);
        Disk.SYSTEM.createFolders(consensus);
        try (NodeStateFile state = new NodeStateFile(consensus.toFile(), true, SYNCED)) {
            state.updateCandidateTermId(ALL_TERMS, 0, 0);
        }
        Disk.SYSTEM.forceFolder(consensus);
    }

    /**
     * Makes a newcomer a voter. It must not run; its log has everything that was committed before it began.
     *
     * @throws IOException if the folder cannot be written
     */
    public void endNewcomer() throws IOException {
        Path consensus = path.resolve(CONSENSUS);
        Disk.SYSTEM.delete(consensus.resolve(NodeStateFile.FILENAME));
        Disk.SYSTEM.forceFolder(consensus);
        Disk.SYSTEM.delete(path.resolve(MARK));
        Disk.SYSTEM.forceFolder(path);
    }

    /**
     * Deletes all that a newcomer has, so that its folder is empty.
     *
     * @throws IOException if the folder cannot be written
     */
    public void endAttempt() throws IOException {
        deleteLog();
        Disk.SYSTEM.forceFolder(path);
        Disk.SYSTEM.delete(path.resolve(MARK));
        Disk.SYSTEM.forceFolder(path);
    }

    /** Deletes everything but the mark. */
    private void deleteLog() throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(path)) {
            all = files.filter(file -> !file.equals(path) && !file.equals(path.resolve(MARK)))
                .sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : all) {
            Files.deleteIfExists(file);
        }
    }
}
