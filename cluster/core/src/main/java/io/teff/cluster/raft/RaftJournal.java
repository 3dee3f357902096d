package io.teff.cluster.raft;

import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.log.SnapshotChunk;
import io.microraft.model.persistence.RaftEndpointPersistentState;
import io.microraft.model.persistence.RaftTermPersistentState;
import io.microraft.persistence.RaftStore;
import io.teff.engine.codec.Output;
import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.FailureText;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a member on its disk: one file of records, to which every change is appended.
 * <pre>
 *  journal-N: N is the number of the file in 16 hexadecimal digits
 *
 *  0            8          16        20                28       32
 *  +------------+----------+---------+-----------------+--------+--------+--------+-----
 *  | "TEFRNL01" | number N | version | zeros           | crc32c | record | record | ...
 *  +------------+----------+---------+-----------------+--------+--------+--------+-----
 * </pre>
 * The checksum covers bytes 0 to 27. {@link JournalRecord} has the records.
 *
 * <p><b>Syncs.</b> Records are collected in memory, and written together by {@link #flush}, which syncs the file. A
 * term and a vote are synced at once.
 *
 * <p><b>A torn end.</b> After a power cut the last records may be missing or damaged, in any combination of their
 * sectors: none of these records was synced, so no other member relies on any. So the journal ends at the first invalid
 * record. But if a later valid record says that the place of the invalid record was on the disk, then the disk has lost
 * synced bytes, and the journal is damaged: opening fails, because the member could forget a vote or an acknowledged
 * entry. After a torn end, the state is written to a new file, so old bytes never appear behind new records.
 *
 * <p><b>A new file.</b> After a snapshot the file may consist mostly of records that do not matter any more. If the
 * file has at least {@link #FILE_BYTES_MIN}, and at least four times the bytes of a new file, then the state is written
 * to a new file, synced, and renamed into place; then the old file is deleted. The highest number counts.
 *
 * <p><b>Failures.</b> After any failed write or sync every later call fails: what is on the disk is unknown. The member
 * ends, and begins again from the disk.
 *
 * <p>For one thread.
 */
final class RaftJournal implements RaftStore, Closeable {
    static final String NAME = "journal-";
    private static final String UNFINISHED = ".new";
    private static final long MAGIC = 0x31304C4E52464554L;      // "TEFRNL01"
    private static final int VERSION = 2;
    private static final int HEADER_BYTES = 32;
    private static final int VERSION_AT = 16;
    private static final int CRC_AT = 28;
    /** 256 KiB. */
    static final long FILE_BYTES_MIN = 256 << 10;
    private static final int FILE_RATIO = 4;
    private static final int HEX = 16;

    private final Disk disk;
    private final Path folder;
    private final JournalState state = new JournalState();
    private final ByteArrayOutputStream unwritten = new ByteArrayOutputStream();
    private @Nullable DiskFile file;
    private long number;
    private long written;
    private long synced;
    private boolean isBroken;

    private RaftJournal(Disk disk, Path folder) {
        this.disk = disk;
        this.folder = folder;
    }

    /**
     * Opens the journal of a folder, or begins a journal without records in memory: the first record creates the file.
     *
     * @param disk has the folder
     * @param folder exists; the caller holds its lock
     * @return the journal
     * @throws DamagedJournalException if the disk has lost synced bytes, or the file was written by another version
     * @throws IOException if the folder cannot be read or written
     */
    static RaftJournal open(Disk disk, Path folder) throws IOException {
        RaftJournal journal = new RaftJournal(disk, folder);
        for (String name : disk.list(folder)) {
            if (name.startsWith(NAME) && name.endsWith(UNFINISHED)) {
                disk.delete(folder.resolve(name));
            }
        }
        List<Long> numbers = numbers(disk, folder);
        if (!numbers.isEmpty()) {
            journal.load(numbers.getLast());
            for (long old : numbers.subList(0, numbers.size() - 1)) {
                disk.delete(journal.path(old));
            }
        }
        return journal;
    }

    /** {@return whether a folder has a journal} */
    static boolean exists(Disk disk, Path folder) throws IOException {
        return disk.list(folder).stream().anyMatch(name -> name.startsWith(NAME) && !name.endsWith(UNFINISHED));
    }

    /**
     * Reads the journal of a folder, also of a member that runs. Changes nothing.
     *
     * @return what the member remembers; empty without a journal
     */
    static JournalState look(Disk disk, Path folder) throws IOException {
        RaftJournal journal = new RaftJournal(disk, folder);
        List<Long> numbers = numbers(disk, folder);
        if (!numbers.isEmpty()) {
            Path path = journal.path(numbers.getLast());
            try (DiskFile file = disk.openToRead(path)) {
                journal.replay(path, read(path, file, numbers.getLast()));
            }
        }
        return journal.state;
    }

    private static List<Long> numbers(Disk disk, Path folder) throws IOException {
        List<Long> numbers = new ArrayList<>();
        for (String name : disk.list(folder)) {
            if (name.startsWith(NAME) && !name.endsWith(UNFINISHED)) {
                numbers.add(Long.parseUnsignedLong(name.substring(NAME.length()), HEX));
            }
        }
        numbers.sort(null);
        return numbers;
    }

    private static byte[] read(Path path, DiskFile file, long journalNumber) throws IOException {
        byte[] bytes = new byte[Math.toIntExact(file.size())];
        int count = file.read(ByteBuffer.wrap(bytes), 0);
        byte[] read = count == bytes.length ? bytes : Arrays.copyOf(bytes, count);
        checkHeader(path, read, journalNumber);
        return read;
    }

    private Path path(long journalNumber) {
        return folder.resolve(NAME + String.format("%016x", journalNumber));
    }

    private void load(long journalNumber) throws IOException {
        Path path = path(journalNumber);
        boolean isTorn;
        try (DiskFile old = disk.open(path)) {
            byte[] bytes = read(path, old, journalNumber);
            isTorn = replay(path, bytes) < bytes.length;
        }
        number = journalNumber;
        if (isTorn) {
            begin(number + 1);
        } else {
            file = disk.open(path);
            written = file.size();
            synced = written;
            file.force();                                       // of the process before: what is read is kept
        }
    }

    private static void checkHeader(Path path, byte[] bytes, long journalNumber) throws DamagedJournalException {
        ByteBuffer head = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length < HEADER_BYTES || head.getLong(0) != MAGIC || head.getInt(CRC_AT) != crc(bytes)
            || head.getLong(Long.BYTES) != journalNumber) {
            throw new DamagedJournalException(path + " is damaged: its header is no header of a journal");
        }
        if (head.getInt(VERSION_AT) != VERSION) {
            throw new DamagedJournalException(path + " has version " + head.getInt(VERSION_AT)
                + " of the format, and this build reads version " + VERSION);
        }
    }

    private static int crc(byte[] header) {
        CRC32C crc = new CRC32C();
        crc.update(header, 0, CRC_AT);
        return (int) crc.getValue();
    }

    /** Returns where the records end. */
    private int replay(Path path, byte[] bytes) throws DamagedJournalException {
        int at = HEADER_BYTES;
        for (int length = JournalRecord.length(bytes, at); length > 0; length = JournalRecord.length(bytes, at)) {
            try {
                JournalRecord.replay(bytes, at, length, state);
            } catch (RuntimeException e) {
                throw new DamagedJournalException(path + " cannot be read at byte " + at + ": " + FailureText.of(e), e);
            }
            at += length;
        }
        for (int later = at + 1; later < bytes.length - JournalRecord.HEADER_BYTES; later++) {
            if (JournalRecord.length(bytes, later) > 0 && JournalRecord.synced(bytes, later) > at) {
                throw new DamagedJournalException(path + " is damaged at byte " + at
                    + ": the disk has lost bytes that it had synced");
            }
        }
        return at;
    }

    // ---- the records ----

    /** Returns what the member remembers. Must not be changed by the caller. */
    JournalState state() {
        return state;
    }

    /** Returns whether a write or a sync has failed. */
    boolean isBroken() {
        return isBroken;
    }

    /** Returns the bytes of the file. */
    long bytes() {
        return written;
    }

    @Override
    public void persistAndFlushLocalEndpoint(RaftEndpointPersistentState part) throws IOException {
        RaftId id = (RaftId) part.getLocalEndpoint();
        if (!id.equals(state.id()) || part.isVoting() != state.isVoter()) {
            state.part(id, part.isVoting());
            append(JournalRecord.part(id, part.isVoting()));
            flush();
        }
    }

    @Override
    public void persistAndFlushInitialGroupMembers(RaftGroupMembersView members) throws IOException {
        if (state.founders() == null) {
            state.founders(members);
            append(JournalRecord.founders(members));
            flush();
        }
    }

    @Override
    public void persistAndFlushTerm(RaftTermPersistentState term) throws IOException {
        state.term(term.getTerm(), term.getVotedFor());
        append(JournalRecord.term(term.getTerm(), term.getVotedFor()));
        flush();
    }

    @Override
    public void persistLogEntries(List<LogEntry> entries) throws IOException {
        for (LogEntry entry : entries) {
            state.add(entry);
            append(JournalRecord.entry(entry));
        }
    }

    @Override
    public void persistSnapshotChunk(SnapshotChunk piece) throws IOException {
        state.add(piece);
        append(JournalRecord.piece(piece));
    }

    @Override
    public void truncateLogEntriesFrom(long index) throws IOException {
        state.cut(index);
        append(JournalRecord.cut(index));
    }

    @Override
    public void truncateLogEntriesUntil(long index) throws IOException {
        state.forget(index);
        if (synced >= FILE_BYTES_MIN && synced >= FILE_RATIO * stateBytes()) {
            begin(number + 1);
        }
    }

    @Override
    public void deleteSnapshotChunks(long index, int count) {
        // the first piece of another snapshot does so
    }

    private void append(Output record) throws IOException {
        checkContent();
        unwritten.writeBytes(JournalRecord.bytes(record, synced));
    }

    @Override
    public void flush() throws IOException {
        checkContent();
        if (unwritten.size() == 0) {
            return;
        }
        DiskFile open = file;
        if (open == null) {
            begin(1);
            return;
        }
        isBroken = true;
        open.write(ByteBuffer.wrap(unwritten.toByteArray()), written);
        open.force();
        isBroken = false;
        written += unwritten.size();
        synced = written;
        unwritten.reset();
    }

    private void checkContent() throws IOException {
        if (isBroken) {
            throw new IOException("an earlier write to " + path(number) + " has failed");
        }
    }

    // ---- a new file ----

    private long stateBytes() {
        return stateRecords().stream().mapToLong(Output::size).sum() + HEADER_BYTES;
    }

    private List<Output> stateRecords() {
        List<Output> records = new ArrayList<>();
        RaftId id = state.id();
        if (id != null) {
            records.add(JournalRecord.part(id, state.isVoter()));
        }
        RaftGroupMembersView founders = state.founders();
        if (founders != null) {
            records.add(JournalRecord.founders(founders));
        }
        records.add(JournalRecord.term(state.term(), state.vote()));
        state.snapshot().forEach(piece -> records.add(JournalRecord.piece(piece)));
        state.pieces().forEach(piece -> records.add(JournalRecord.piece(piece)));
        state.entries().stream().filter(entry -> entry.getIndex() > state.snapshotIndex())
            .forEach(entry -> records.add(JournalRecord.entry(entry)));
        return records;
    }

    /** Writes the state, with the records that are not written yet, to a new file. */
    private void begin(long newNumber) throws IOException {
        isBroken = true;
        Path path = path(newNumber);
        Path unfinished = folder.resolve(path.getFileName() + UNFINISHED);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(header(newNumber));
        stateRecords().forEach(record -> all.writeBytes(JournalRecord.bytes(record, 0)));
        DiskFile created = disk.create(unfinished, 0);
        try {
            created.write(ByteBuffer.wrap(all.toByteArray()), 0);
            created.force();
            disk.rename(unfinished, path);
            disk.forceFolder(folder);
        } catch (IOException e) {
            created.close();
            throw e;
        }
        closeFile();
        if (disk.list(folder).contains(String.valueOf(path(number).getFileName()))) {
            disk.delete(path(number));
        }
        file = created;
        number = newNumber;
        written = all.size();
        synced = written;
        unwritten.reset();
        isBroken = false;
    }

    private static byte[] header(long journalNumber) {
        ByteBuffer head = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        head.putLong(0, MAGIC).putLong(Long.BYTES, journalNumber).putInt(VERSION_AT, VERSION);
        return head.putInt(CRC_AT, crc(head.array())).array();
    }

    private void closeFile() throws IOException {
        DiskFile open = file;
        file = null;
        if (open != null) {
            open.close();
        }
    }

    /** Closes the file. Records that are not flushed are lost. Idempotent. */
    @Override
    public void close() throws IOException {
        isBroken = true;
        closeFile();
    }
}
