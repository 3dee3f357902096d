package io.teff.cluster.consensus;

import io.aeron.cluster.NodeStateFile;
import io.aeron.cluster.RecordingLog;
import io.teff.cluster.message.LogOrigin;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The part of a member in the replicated log, as recorded in the member's folder.
 * <pre>
 *           the first leader begins its term
 *   EMPTY ---------------------------------------> VOTER
 *     |                                              ^
 *     | beginNewcomer                 endNewcomer    |
 *     +----------------> NEWCOMER -------------------+
 * </pre>
 * <b>A newcomer does not vote.</b> A command counts when a majority has the command on disk. The next leader has the
 * command, because each majority of voters shares a member with this majority. A member whose disk was lost has broken
 * its word: the member's vote could elect a leader without the command. So the member is a newcomer: a newcomer takes
 * part in no election, neither as a candidate nor by a vote, until the newcomer's log has everything that its lost log
 * may have had. To Aeron the newcomer has voted in all terms already: the newcomer refuses each request for a vote.
 *
 * <p>The mark of a newcomer is the first file written, and the last file deleted. For one thread; {@link #isEmpty} and
 * {@link #look} for any.
 */
public final class MemberFolder {
    private static final String MARK = "newcomer";
    private static final String CONSENSUS = MemberFiles.CONSENSUS;
    private static final String COPY = "copy";
    private static final String WHOLE = "whole";
    private static final String CATALOG = MemberFiles.CATALOG;
    private static final int SYNCED = 1;
    /** Higher than all terms, and far from an overflow. */
    private static final long ALL_TERMS = Long.MAX_VALUE / 2;

    private final Path path;

    /** The part of a member. */
    public enum Part {
        /** The member took part in no term: the member may belong to a new cell, or has lost its disk. */
        EMPTY,
        /** The member reads the log of the other members, and does not vote. */
        NEWCOMER,
        /** The member votes. */
        VOTER
    }

    /**
     * Uses a folder. The caller holds the lock of the folder.
     *
     * @param path the folder; may be missing
     */
    public MemberFolder(Path path) {
        this.path = path;
    }

    /**
     * {@return the member's part}
     *
     * @throws IOException if the folder cannot be read, or has no log although the member had one
     */
    public Part part() throws IOException {
        if (Files.exists(path.resolve(COPY).resolve(WHOLE))) {
            takeCopy();                                         // the process has ended during the move
        } else {
            deleteCopy();
        }
        return look();
    }

    /**
     * {@return the part of the member. If the process has ended during a copy, the part with which the member begins}
     * Changes nothing, also while the member runs.
     *
     * @throws IOException if the folder cannot be read, or has no log although the member had one
     */
    public Part look() throws IOException {
        final boolean isCopied = Files.exists(path.resolve(COPY).resolve(WHOLE));
        if (Files.exists(path.resolve(MARK))) {
            return Part.NEWCOMER;
        }
        if (isEmpty()) {
            return Part.EMPTY;
        }
        if (!isCopied && !Files.exists(path.resolve(CATALOG))) {
            throw new IOException(path + " has lost a part of its log: " + CATALOG + " is missing; if it does not come "
                + "back, delete the whole folder, and the superpeer gets the log from the others");
        }
        return Part.VOTER;
    }

    /**
     * {@return whether the member took part in no term yet, and is no newcomer, also while the member runs}
     *
     * @throws IOException if the folder cannot be read: an unreadable folder may have a log
     */
    public boolean isEmpty() throws IOException {
        return !Files.exists(path.resolve(MARK)) && !Files.exists(path.resolve(COPY).resolve(WHOLE))
            && MemberFiles.noteBytes(path) == 0;
    }

    /**
     * {@return from where others can copy the log; null if the member has no snapshot}
     *
     * @throws IOException if the folder cannot be read
     */
    public @Nullable LogOrigin origin() throws IOException {
        return LogKeeping.origin(MemberFiles.entries(path), MemberFiles.firsts(path));
    }

    /**
     * {@return whether the other member has deleted entries missing in this member's log}
     *
     * @param origin recordings of the other member
     * @throws IOException if the folder cannot be read
     */
    public boolean isBehind(LogOrigin origin) throws IOException {
        Map<Long, NavigableSet<Long>> segments = MemberFiles.segments(path);
        long last = -1;
        for (RecordingLog.Entry entry : MemberFiles.entries(path)) {
            NavigableSet<Long> own = segments.get(entry.recordingId);
            if (entry.type == RecordingLog.ENTRY_TYPE_TERM && own != null) {
                last = Math.max(last, own.last());
            }
        }
        return last < origin.first();
    }

    // ---- a copy of the log of another member ----

    /**
     * Makes a folder for a copy of the log of another member, beside the own log. The member must not run. The copy
     * keeps the member's votes in elections.
     *
     * @return the folder
     * @throws IOException if the folder cannot be written
     */
    Path beginCopy() throws IOException {
        deleteCopy();
        Path copy = path.resolve(COPY);
        Path consensus = copy.resolve(CONSENSUS);
        Disk.SYSTEM.createFolders(consensus);
        Path votes = path.resolve(CONSENSUS).resolve(NodeStateFile.FILENAME);
        if (Files.exists(votes)) {
            Files.copy(votes, consensus.resolve(NodeStateFile.FILENAME));
        }
        return copy;
    }

    /**
     * Replaces the own log by the copy.
     *
     * @throws IOException if the folder cannot be written
     */
    void endCopy() throws IOException {
        Path copy = path.resolve(COPY);
        try (Stream<Path> files = Files.walk(copy)) {
            for (Path file : files.toList()) {
                if (Files.isDirectory(file)) {
                    Disk.SYSTEM.forceFolder(file);
                } else {
                    try (DiskFile part = Disk.SYSTEM.open(file)) {
                        part.force();
                    }
                }
            }
        }
        try (DiskFile whole = Disk.SYSTEM.create(copy.resolve(WHOLE), 1)) {
            whole.force();
        }
        Disk.SYSTEM.forceFolder(copy);
        Disk.SYSTEM.forceFolder(path);
        takeCopy();
    }

    /** Moves the parts of a complete copy into place: a part still in the copy was not moved yet. */
    private void takeCopy() throws IOException {
        Path copy = path.resolve(COPY);
        for (String part : List.of(MemberFiles.ARCHIVE, CONSENSUS)) {
            if (Files.exists(copy.resolve(part))) {
                deleteAll(path.resolve(part));
                Files.move(copy.resolve(part), path.resolve(part), StandardCopyOption.ATOMIC_MOVE);
                Disk.SYSTEM.forceFolder(path);
            }
        }
        deleteCopy();
        Disk.SYSTEM.forceFolder(path);
    }

    private void deleteCopy() throws IOException {
        Files.deleteIfExists(path.resolve(COPY).resolve(WHOLE));
        deleteAll(path.resolve(COPY));
    }

    /**
     * Makes the member a newcomer without a log. The member must not run.
     *
     * @throws IOException if the folder cannot be written
     */
    public void beginNewcomer() throws IOException {
        Disk.SYSTEM.createSyncedFolders(path);
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
     * Makes a newcomer a voter. The member must not run; the member's log has every command committed before the
     * newcomer began.
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
     * Deletes all files of a newcomer, so that the newcomer's folder is empty.
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
        deleteCopy();                                           // first: a complete copy would be moved into place
        try (Stream<Path> files = Files.list(path)) {
            for (Path file : files.filter(file -> !file.equals(path.resolve(MARK))).toList()) {
                deleteAll(file);
            }
        }
    }

    /** Deletes a file, or a folder with its content. */
    private static void deleteAll(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        } catch (NoSuchFileException _) {
            return;
        }
        for (Path file : all) {
            Files.deleteIfExists(file);
        }
    }
}
