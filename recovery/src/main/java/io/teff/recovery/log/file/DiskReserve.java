package io.teff.recovery.log.file;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskFullException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Room on the disk that is kept for a full disk: files of zeros, of the length of a segment each. The files are deleted
 * one by one when a step finds no room, and made again when there is room. Thread-safe.
 *
 * <pre>
 *  whole ──a step finds no room──> used ──pieces are deleted──> kept (floor) ──> 0
 *    ^                               │                           only for an opening, a close, the manifest, a cleaning
 *    └────────── there is room again ┘
 * </pre>
 * While the reserve is not whole, changes that add are refused. So room of the reserve is used by earlier changes, by
 * removals, by cleanings, and by the next opening. {@link LogConfig#reservePieces} has the need of each.
 *
 * <p>The zeros are not synced. After a power cut a piece may be shorter; then the piece is made again. A file system
 * with shared or compressed blocks may have less room than the length of the pieces.
 */
public final class DiskReserve {
    /** Names of its files begin with this. */
    public static final String PREFIX = "reserve";

    private final Disk disk;
    private final Path folder;
    private final NavigableSet<Long> pieces;
    private int pieceBytes;
    private int wanted;
    private int floor;
    private volatile boolean isWhole;

    /**
     * Finds the pieces in a folder. All of them may be given until {@link #want}.
     *
     * @param disk that has the folder
     * @param folder of the log
     * @throws IOException if the folder cannot be read
     */
    public DiskReserve(Disk disk, Path folder) throws IOException {
        this.disk = disk;
        this.folder = folder;
        this.pieces = new TreeSet<>(NumberedFiles.list(disk, folder, PREFIX));
    }

    /**
     * Deletes pieces of another length, and pieces beyond a number.
     *
     * @param bytes of each piece
     * @param count number of pieces that there should be
     * @throws IOException if a piece cannot be looked at or deleted
     */
    public synchronized void open(int bytes, int count) throws IOException {
        pieceBytes = bytes;
        for (long number : List.copyOf(pieces)) {
            if (pieces.size() > count || !isRight(number)) {
                delete(number);
            }
        }
        want(count, 0);
    }

    /**
     * Sets how many pieces there should be, and how many of them are kept.
     *
     * @param count number of pieces
     * @param kept number of pieces that a step of a running log leaves, see {@link #give}
     */
    public synchronized void want(int count, int kept) {
        wanted = count;
        floor = kept;
        isWhole = pieces.size() >= wanted;
    }

    private boolean isRight(long number) throws IOException {
        try (DiskFile file = disk.openToRead(path(number))) {
            return file.size() == pieceBytes;
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    private Path path(long number) {
        return folder.resolve(NumberedFiles.name(PREFIX, number));
    }

    private void delete(long number) throws IOException {
        pieces.remove(number);
        try {
            disk.delete(path(number));
        } catch (NoSuchFileException _) {
            // deleted by another program: the room is free, too
        }
    }

    /** From now on a step may use all pieces: the log is being closed, and needs no room for a recovery. */
    public synchronized void keepNothing() {
        floor = 0;
    }

    /**
     * Gives back the room of a piece, because a step has found no room.
     *
     * @param isAll whether the pieces that are kept may be given, too
     * @return false if there is none to give
     * @throws IOException if the piece cannot be deleted
     */
    public synchronized boolean give(boolean isAll) throws IOException {
        if (pieces.size() <= (isAll ? 0 : floor)) {
            return false;
        }
        delete(pieces.last());
        isWhole = pieces.size() >= wanted;
        return true;
    }

    /**
     * Makes missing pieces while there is room for one more besides.
     *
     * @param failure of the log
     * @throws IOException if the disk fails
     */
    public synchronized void fill(LogFailure failure) throws IOException {
        try {
            while (pieces.size() < wanted && disk.usableBytes(folder) >= 2L * pieceBytes) {
                final long next = pieces.isEmpty() ? 0 : pieces.last() + 1;
                failure.stepWithoutReserve(() -> disk.reserve(path(next), pieceBytes).close());
                pieces.add(next);
            }
        } catch (DiskFullException _) {
            // as before; the caller tries again
        }
        isWhole = pieces.size() >= wanted;
    }

    /** {@return whether all pieces are there, so that changes of all kinds are accepted} */
    public boolean isWhole() {
        return isWhole;
    }

    /** {@return whether pieces that are kept were given, so that a removal must wait for a cleaning} */
    public synchronized boolean isLow() {
        return pieces.size() < floor;
    }

    /**
     * Returns the room for a cleaning on a full disk: the room to keep, less a round of removals written meanwhile, and
     * half of the rest.
     *
     * @param usable free bytes of the disk
     * @param round bytes of a round of removals
     * @return bytes
     */
    public synchronized long roomToClean(long usable, long round) {
        final int kept = Math.min(pieces.size(), floor);
        return (usable + (long) (pieces.size() - kept) * pieceBytes) / 2
            + Math.max(0, (long) kept * pieceBytes - round);
    }

    /** {@return bytes of the pieces that are missing} */
    public synchronized long missingBytes() {
        return (long) Math.max(0, wanted - pieces.size()) * pieceBytes;
    }
}
