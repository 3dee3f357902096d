package io.teff.cluster.consensus;

import io.aeron.ErrorCode;
import io.aeron.archive.client.ArchiveException;
import io.aeron.exceptions.RegistrationException;
import io.aeron.exceptions.StorageSpaceException;
import io.teff.engine.os.DiskFullException;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.LinuxFile;
import io.teff.engine.os.LinuxMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * Room on the disk for the files mapped to memory by Aeron. Aeron creates these files with holes. A write to a hole
 * without room on the disk ends the writing thread, and so the member. With reserved room, only writes of the archive,
 * and the driver before it makes a stream, meet a full disk: these end the member with an exception that names the
 * cause, and the superpeer starts the member again when there is room. If the disk becomes full while a stream is made,
 * the driver's thread ends; {@link AeronMember} then closes everything left open by this thread.
 */
final class MemberRoom {
    /** Files of the driver are made anew with each start. Buffers of streams are written when streams are made. */
    private static final List<String> MAPPED = List.of("driver/cnc.dat", "driver/loss-report.dat",
        MemberFiles.ARCHIVE_MARK, MemberFiles.CATALOG, MemberFiles.CONSENSUS_MARK, MemberFiles.SERVICE_MARK,
        "consensus/node-state.dat");

    /**
     * A disk with less room counts as full. A member needs less to start: the files of the driver, and two segments.
     */
    static final long BYTES_MIN = 32L << 20;

    private static final String NO_SPACE = "No space left on device";

    private MemberRoom() {}

    /** Returns whether an exception reports a full disk. */
    static boolean isOfFullDisk(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof DiskFullException || cause instanceof StorageSpaceException
                || cause instanceof ArchiveException of && of.errorCode() == ArchiveException.STORAGE_SPACE
                || cause instanceof RegistrationException of && of.errorCode() == ErrorCode.STORAGE_SPACE
                || cause instanceof IOException && FailureText.of(cause).contains(NO_SPACE)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the disk is full. */
    static boolean isShort(Path folder) {
        try {
            return Files.getFileStore(folder).getUsableSpace() < BYTES_MIN;
        } catch (IOException _) {                               // another failure than a full disk
            return false;
        }
    }

    /**
     * Reserves the room of existing files, if the system supports this.
     *
     * @throws DiskFullException if the disk has no room
     */
    static void reserve(Path folder) throws IOException {
        for (String name : MAPPED) {
            Path file = folder.resolve(name);
            try {
                long bytes = Files.size(file);
                if (bytes > 0 && LinuxMemory.available() && LinuxFile.reserve(file, bytes) == LinuxFile.Result.FULL) {
                    throw new DiskFullException(file + ": the disk has no room for its " + bytes + " bytes", null);
                }
            } catch (NoSuchFileException _) {
                // of another version of Aeron
            }
        }
    }
}
