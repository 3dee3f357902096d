package io.teff.recovery.log;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskFullException;
import io.teff.recovery.format.FileHead;
import io.teff.recovery.format.FileKind;
import io.teff.recovery.format.FrameWriter;
import io.teff.recovery.format.ManifestRecord;
import io.teff.recovery.log.file.LogFailure;
import io.teff.recovery.log.file.LogFolder;
import io.teff.recovery.log.file.NumberedFiles;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes the primary log: frame by frame, each frame synced before the next begins. For one thread, the drainer.
 *
 * <pre>
 *  free ──next──> used: [ 17 18 19 ] [ 20 21 ... ]  &lt;── write     files by their first frames
 *    ^                   |
 *    └───── trim(20) ────┘
 * </pre>
 * All files have the same size, allocated at creation. A frame longer than the rest of a file is written to the next
 * file. Synced bytes are not overwritten until the manifest ends their validity.
 *
 * <p><b>A full disk</b> is met when a file is created, or by a write on file systems that relocate written blocks. Then
 * nothing that counts has changed, and the same frame can be written again. While files hold frames, a new file does
 * not use the reserve: the drainer trims old files instead ({@link #hasRoomFor}). The only file may be followed by a
 * short file, of the length of the short file's first frame.
 */
final class PrimaryLog implements Closeable {

    /** A file and its number. */
    private record Numbered(DiskFile file, long number, long bytes) {}

    /** A file, and the number of its first frame. */
    private record Used(Numbered file, long firstFrame) {}

    private final Disk disk;
    private final Path folder;
    private final ManifestRecord.Log log;
    private final int fileBytes;
    private final LogFailure failure;
    private final int frameBytesMax;
    /** Memory of the frame; grows with the largest one. Zones that skip the primary log are in no frame. */
    private ByteBuffer buffer;
    private MemorySegment frame;
    private FrameWriter writer;
    private final Deque<Numbered> free = new ArrayDeque<>();
    private final Deque<Used> used = new ArrayDeque<>();
    private final Deque<Numbered> unfinished = new ArrayDeque<>();
    private long nextFile;
    private long nextFrame;
    private long offset;
    /** A file in use that is not in the manifest yet. */
    private ManifestRecord.@Nullable FrameFile begun;

    private PrimaryLog(Disk disk, Path folder, ManifestRecord.Log log, int fileBytes, int frameBytes, long firstFrame,
                       LogFailure failure) {
        this.disk = disk;
        this.folder = folder;
        this.log = log;
        this.fileBytes = fileBytes;
        this.failure = failure;
        this.frameBytesMax = frameBytes;
        this.buffer = least();
        this.frame = MemorySegment.ofBuffer(buffer);
        this.writer = new FrameWriter(frame, log.salt());
        this.nextFrame = firstFrame;
        this.offset = fileBytes;
    }

    /**
     * Opens the primary log of a log without a valid frame.
     *
     * @param disk that has the folder
     * @param folder of the log
     * @param log identity of the log
     * @param fileBytes of each file, a multiple of 4,096
     * @param frameBytes limit of the bytes of a frame, a multiple of 4,096, less than the bytes of a file
     * @param firstFrame number of the next frame, higher than any ever begun
     * @param failure of the log
     * @return the primary log
     * @throws IOException if a file cannot be read, synced or deleted
     */
    static PrimaryLog open(Disk disk, Path folder, ManifestRecord.Log log, int fileBytes, int frameBytes,
                           long firstFrame, LogFailure failure) throws IOException {
        assert frameBytes <= fileBytes - FileHead.BYTES : frameBytes;
        final PrimaryLog primary = new PrimaryLog(disk, folder, log, fileBytes, frameBytes, firstFrame, failure);
        try {
            primary.findFiles();
            return primary;
        } catch (IOException e) {
            primary.close();
            throw e;
        }
    }

    private void findFiles() throws IOException {
        final NavigableSet<Long> numbers = NumberedFiles.list(disk, folder, LogFolder.PRIMARY);
        nextFile = numbers.isEmpty() ? 0 : numbers.last() + 1;
        for (long number : numbers) {
            final Path path = folder.resolve(NumberedFiles.name(LogFolder.PRIMARY, number));
            final DiskFile file = disk.open(path);
            free.add(new Numbered(file, number, fileBytes));
            if (isOurs(file)) {
                file.force();                       // a killed process may have left a head that is not synced
            } else {
                free.removeLast().file().close();
                disk.delete(path);
            }
        }
    }

    private boolean isOurs(DiskFile file) throws IOException {
        final ByteBuffer page = ByteBuffer.allocateDirect(FileHead.BYTES);
        file.read(page, 0);
        final MemorySegment bytes = MemorySegment.ofBuffer(page.flip());
        return FileHead.problem(bytes, FileKind.PRIMARY, log.logId(), log.salt()) == null
            && FileHead.read(bytes, FileKind.PRIMARY).sizeBytes() == fileBytes && file.size() == fileBytes;
    }

    // ---- writing ----

    /**
     * Returns the memory of the next frame.
     *
     * @param recordsBytes at least the bytes of its records, at most {@link #recordsBytesMax}
     * @return receives the records from {@link FrameWriter#HEAD_BYTES} on
     */
    MemorySegment frame(long recordsBytes) {
        final long bytes = FrameWriter.bytes(recordsBytes);
        if (bytes > frame.byteSize()) {
            use(least());                                       // or there would have to be memory for both
            use(ByteBuffer.allocateDirect((int) Math.min(2 * bytes, frameBytesMax)));
        }
        return frame;
    }

    private static ByteBuffer least() {
        return ByteBuffer.allocateDirect((int) FrameWriter.bytes(0));
    }

    private void use(ByteBuffer memory) {
        buffer = memory;
        frame = MemorySegment.ofBuffer(memory);
        writer = new FrameWriter(frame, log.salt());
    }

    /** Returns the limit of the bytes of the records of a frame. */
    int recordsBytesMax() {
        return frameBytesMax - FrameWriter.HEAD_BYTES;
    }

    /** Returns the number of the next frame. */
    long nextFrame() {
        return nextFrame;
    }

    /**
     * Writes and syncs the assembled frame.
     *
     * @param firstPosition at most the position of the first record
     * @param recordsBytes length of its records
     * @throws IOException as {@link LogFailure#step}
     */
    void write(long firstPosition, int recordsBytes) throws IOException {
        failure.step(() -> {
            final int total = writer.finish(nextFrame, firstPosition, recordsBytes);
            if (!fits(total)) {
                used.add(new Used(nextFile(FileHead.BYTES + total), nextFrame));
                offset = FileHead.BYTES;
            }
            final Used last = used.getLast();
            final DiskFile file = last.file().file();
            file.write(buffer.clear().limit(total), offset);
            LogFailure.force(file);
            if (nextFrame == last.firstFrame()) {
                begun = new ManifestRecord.FrameFile(last.file().number(), nextFrame);
            }
            offset += total;
            nextFrame++;
        });
    }

    /**
     * Returns the file that has begun to be used, until {@link #recorded}; its first frame is synced. Null if the
     * manifest has all files.
     */
    ManifestRecord.@Nullable FrameFile begun() {
        return begun;
    }

    /** The manifest has the file that has begun. */
    void recorded() {
        begun = null;
    }

    private boolean fits(long frame) {
        final Used last = used.peekLast();
        return last != null && offset + frame <= last.file().bytes();
    }

    /**
     * Returns whether there is a file for a frame, and tries to make one, if necessary. If not, other files are to be
     * trimmed. A third file, or a later one, is not made if too little room would be left for segments.
     *
     * @param recordsBytes length of its records
     * @param spareBytes that are to be left
     * @throws IOException as {@link LogFailure#step}, except for a full disk
     */
    boolean hasRoomFor(int recordsBytes, long spareBytes) throws IOException {
        final long frame = FrameWriter.bytes(recordsBytes);
        dropShort(FileHead.BYTES + frame);
        if (fits(frame) || !free.isEmpty()) {
            return true;
        }
        if (used.size() > 1 && disk.usableBytes(folder) < fileBytes + spareBytes) {
            return false;
        }
        try {
            failure.stepWithoutReserve(() -> make(fileBytes));
            return true;
        } catch (DiskFullException _) {
            return false;
        }
    }

    /** Deletes free files that are too short. */
    private void dropShort(long bytes) throws IOException {
        for (Numbered file : List.copyOf(free)) {
            if (file.bytes() < bytes) {
                free.remove(file);
                delete(file);
            }
        }
    }

    private void delete(Numbered file) throws IOException {
        file.file().close();
        failure.step(() -> disk.delete(folder.resolve(NumberedFiles.name(LogFolder.PRIMARY, file.number()))));
    }

    private Numbered nextFile(long bytes) throws IOException {
        if (free.isEmpty()) {
            try {
                make(fileBytes);
            } catch (DiskFullException _) {
                make(bytes);
            }
        }
        return free.remove();
    }

    /** Makes a free file, or completes an incomplete file. */
    private void make(long bytes) throws IOException {
        if (unfinished.isEmpty()) {
            unfinished.add(new Numbered(disk.create(
                folder.resolve(NumberedFiles.name(LogFolder.PRIMARY, nextFile)), bytes), nextFile, bytes));
            nextFile++;
        }
        final DiskFile file = unfinished.getFirst().file();
        final ByteBuffer page = ByteBuffer.allocateDirect(FileHead.BYTES);
        FileHead.primary(log.logId(), log.salt(), unfinished.getFirst().bytes()).write(MemorySegment.ofBuffer(page));
        file.write(page, 0);
        LogFailure.force(file);
        LogFailure.forceFolder(disk, folder);
        free.add(unfinished.remove());
    }

    // ---- trimming ----

    /** Returns the number of files with frames, the current one included. */
    int usedCount() {
        return used.size();
    }

    /** Returns the number of the first frame behind the oldest file. Requires at least two files. */
    long secondFile() {
        return used.stream().skip(1).findFirst().orElseThrow().firstFrame();
    }

    /** Returns the number of the first frame of the current file. Requires a file. */
    long lastFile() {
        return used.getLast().firstFrame();
    }

    /**
     * Frees files for reuse, except the current one. The manifest must already record that, synced.
     *
     * @param firstFrame number of the first frame that counts
     */
    void trim(long firstFrame) {
        while (used.size() > 1 && secondFile() <= firstFrame) {
            free.add(used.remove().file());
        }
    }

    /** Deletes the free files but one, to make room on a full disk. */
    void dropFree() throws IOException {
        while (free.size() > 1) {
            delete(free.removeLast());
        }
    }

    /** Deletes all files. No frame counts, because the log is closed. */
    void dropAll() throws IOException {
        while (!used.isEmpty()) {
            free.add(used.remove().file());
        }
        while (!free.isEmpty()) {
            delete(free.removeLast());
        }
    }

    @Override
    public void close() throws IOException {
        for (Numbered file : free) {
            file.file().close();
        }
        for (Used file : used) {
            file.file().file().close();
        }
        for (Numbered file : unfinished) {
            file.file().close();
        }
    }
}
