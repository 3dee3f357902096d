package io.teff.recovery.log.read;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.recovery.format.Damage;
import io.teff.recovery.format.EntryVisitor;
import io.teff.recovery.format.FileHead;
import io.teff.recovery.format.FileKind;
import io.teff.recovery.format.FileWindow;
import io.teff.recovery.format.FrameReader;
import io.teff.recovery.format.FramedMark;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.log.file.FileDamage;
import io.teff.recovery.log.file.LogFolder;
import io.teff.recovery.log.file.NumberedFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Reads the frames of the primary log. For one thread.
 *
 * <p>Files are ordered by their first frames. From the first frame that counts on, frames must follow each other
 * without a gap: a missing frame before a later frame had been synced, so the gap is damage. Files without a frame that
 * counts may contain anything.
 */
public final class PrimaryReader {
    /** A file, and the number of its first frame, or {@link FrameReader#NONE}. */
    private record Found(String name, long first) {}

    private final Disk disk;
    private final Path folder;
    private final ManifestRecord.Log log;
    private final long firstFrame;
    private final NavigableMap<Long, Long> expected;
    private final long synced;
    /** Name of the last file with a frame that counts. */
    private String last = LogFolder.PRIMARY;
    private final List<FileDamage> damage = new ArrayList<>();
    private long next;
    private long count;
    private long lastPosition;

    /**
     * Reads the frames of a log, without frames that must be found.
     *
     * @param disk that has the folder
     * @param folder of the log
     * @param log identity of the log
     * @param firstFrame number of the first frame that counts
     */
    public PrimaryReader(Disk disk, Path folder, ManifestRecord.Log log, long firstFrame) {
        this(disk, folder, log, firstFrame, Collections.emptyNavigableMap(), FramedMark.NONE);
    }

    /**
     * Reads the frames of a log.
     *
     * @param disk that has the folder
     * @param folder of the log
     * @param log identity of the log
     * @param firstFrame number of the first frame that counts
     * @param expected the first frames that must be found, each with its file's number
     * @param synced number of a frame that must be found if the frame counts, or a negative number
     */
    public PrimaryReader(Disk disk, Path folder, ManifestRecord.Log log, long firstFrame,
                         NavigableMap<Long, Long> expected, long synced) {
        this.disk = disk;
        this.folder = folder;
        this.log = log;
        this.firstFrame = firstFrame;
        this.expected = expected;
        this.synced = synced;
        this.next = firstFrame;
    }

    /**
     * The last frames in a row without a gap.
     *
     * @param firstFrame number of the first frame, 0 if there is no frame
     * @param frameCount number of these frames
     */
    public record Run(long firstFrame, long frameCount) {}

    /**
     * Finds the last frames in a row without a gap.
     *
     * @param disk that has the folder
     * @param folder of the log
     * @param log identity of the log
     * @return the frames
     * @throws IOException if a file cannot be read
     */
    public static Run lastRun(Disk disk, Path folder, ManifestRecord.Log log) throws IOException {
        final NavigableMap<Long, Long> files = new TreeMap<>();
        for (long number : NumberedFiles.list(disk, folder, LogFolder.PRIMARY)) {
            final Path path = folder.resolve(NumberedFiles.name(LogFolder.PRIMARY, number));
            try (DiskFile file = disk.openToRead(path)) {
                final FrameReader reader = new FrameReader(new FileWindow(file::read, file.size()), log.salt());
                final long first = reader.firstNumber();
                if (first != FrameReader.NONE) {
                    reader.read(first, Long.MAX_VALUE,
                        (cid, sequence, owner, zone, kind, bytes, offset, length) -> { });
                    files.put(first, reader.nextNumber());
                }
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
        }
        long first = 0;
        long next = 0;
        for (Map.Entry<Long, Long> file : files.entrySet()) {
            first = file.getKey() == next && next > 0 ? first : file.getKey();
            next = file.getValue();
        }
        return new Run(first, next - first);
    }

    /**
     * Shows all records that count, in order.
     *
     * @param visitor receives each frame as a whole
     * @throws IOException if a file cannot be opened
     * @throws UncheckedIOException if a file cannot be read, or the visitor throws it
     */
    public void read(EntryVisitor visitor) throws IOException {
        read(visitor, (_, _) -> { });
    }

    /** Receives the name of each file that was read, except the last file. The last file shows the last position. */
    @FunctionalInterface
    public interface FileEnd {
        /**
         * All frames of a file were shown.
         *
         * @param name of the file
         * @param next number of the first frame behind the file, among the frames that count
         * @throws IOException if the caller fails
         */
        void ended(String name, long next) throws IOException;
    }

    /**
     * Shows all records that count, in order, file by file.
     *
     * @param visitor receives each frame as a whole
     * @param fileEnd is called behind each file but the last one with a frame
     * @throws IOException as {@link #read(EntryVisitor)}, or if {@code fileEnd} throws it
     */
    public void read(EntryVisitor visitor, FileEnd fileEnd) throws IOException {
        final List<Found> files = new ArrayList<>();
        for (long number : NumberedFiles.list(disk, folder, LogFolder.PRIMARY)) {
            final String name = NumberedFiles.name(LogFolder.PRIMARY, number);
            try (DiskFile file = disk.openToRead(folder.resolve(name))) {
                files.add(new Found(name, new FrameReader(new FileWindow(file::read, file.size()), log.salt())
                    .firstNumber()));
            }
        }
        files.sort(Comparator.comparingLong(file -> file.first() == FrameReader.NONE ? Long.MAX_VALUE : file.first()));
        final List<Found> begun = files.stream().filter(file -> file.first() != FrameReader.NONE).toList();
        for (Found found : files) {
            try (DiskFile file = disk.openToRead(folder.resolve(found.name()))) {
                read(found, new FileWindow(file::read, file.size()), visitor);
            }
            if (found.first() != FrameReader.NONE && !found.equals(begun.getLast())) {
                fileEnd.ended(found.name(), next);
            }
        }
        for (Map.Entry<Long, Long> known : expected.tailMap(next).entrySet()) {
            damage.add(new FileDamage(NumberedFiles.name(LogFolder.PRIMARY, known.getValue()),
                new Damage(FileHead.BYTES, 0, "frame " + known.getKey() + " is missing, with which the file began")));
        }
        if (damage.isEmpty() && synced >= next) {
            damage.add(new FileDamage(last, new Damage(FileHead.BYTES, 0, "frames " + next + " to " + synced
                + " are missing, which the write buffer says were synced")));
        }
    }

    private void read(Found file, FileWindow bytes, EntryVisitor visitor) {
        final FrameReader reader = new FrameReader(bytes, log.salt());
        final boolean begins = file.first() != FrameReader.NONE;
        final FrameReader.End end = reader.read(begins ? file.first() : next, firstFrame, visitor);
        lastPosition = Math.max(lastPosition, reader.lastPosition());
        count += Math.max(0, reader.nextNumber() - Math.max(firstFrame, begins ? file.first() : next));
        final long lastFrame = Math.max(begins ? reader.nextNumber() - 1 : FrameReader.NONE, reader.laterNumber());
        if (lastFrame < firstFrame) {
            return;
        }
        last = file.name();
        if (begins && file.first() > next) {
            add(file, 0, 0, "frames " + next + " to " + (file.first() - 1) + " are missing in front of it");
        }
        final MemorySegment head = bytes.firstPage();
        final String problem = FileHead.problem(head, FileKind.PRIMARY, log.logId(), log.salt());
        if (problem != null) {
            add(file, 0, FileHead.BYTES, problem);
        } else {
            final long size = FileHead.read(head, FileKind.PRIMARY).sizeBytes();
            if (bytes.size() != size) {
                add(file, bytes.size(), Math.max(0, size - bytes.size()), "it has " + bytes.size()
                    + " bytes, and its first page says " + size);
            }
        }
        if (end == FrameReader.End.DAMAGED) {
            add(file, reader.endOffset(), bytes.size() - reader.endOffset(), "frame " + reader.nextNumber()
                + " is damaged, later ones up to " + reader.laterNumber() + " are not");
        }
        next = Math.max(next, lastFrame + 1);
    }

    private void add(Found file, long offset, long bytes, String why) {
        damage.add(new FileDamage(file.name(), new Damage(offset, bytes, why)));
    }

    /** {@return parts that should be present and are not} */
    public List<FileDamage> damage() {
        return List.copyOf(damage);
    }

    /** {@return number of frames found that count} */
    public long count() {
        return count;
    }

    /** {@return a number above those of all frames found, incomplete ones included} */
    public long next() {
        return next;
    }

    /** {@return the highest first position of all frames found, whether they count or not} */
    public long lastPosition() {
        return lastPosition;
    }
}
