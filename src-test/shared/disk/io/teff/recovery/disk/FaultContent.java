package io.teff.recovery.disk;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The content of a file on a {@link FaultDisk}: the synced bytes, and the writes since, in their order. Mapped memory
 * is compared with them, page by page, when needed. Guarded by its disk.
 */
final class FaultContent {
    static final int SECTOR = 512;
    private static final int PAGE = 4096;
    private static final AtomicLong BIRTHS = new AtomicLong();
    /**
     * Up to this number of sectors in a write, each sector is decided on; of longer writes a prefix or a suffix is
     * kept.
     */
    private static final int SECTORS_EACH = 4;
    /** Zeros of some lengths, which are never written: a log with a full disk makes files again and again. */
    private static final Map<Integer, byte[]> ZEROS = new ConcurrentHashMap<>();
    private static final int ZEROS_MAX = 1 << 22;

    /** An unsynced write; a forgotten one is never synced, because a sync of it has failed. */
    private record Write(long offset, byte[] bytes, boolean forgotten) {
        /** Applies the write to the given bytes; returns them, or a longer array. */
        byte[] over(byte[] old) {
            byte[] grown = sized(old, offset + bytes.length);
            System.arraycopy(bytes, 0, grown, (int) offset, bytes.length);
            return grown;
        }

        /** Adds what a later write leaves of this one. */
        void addWithout(Write later, List<Write> to) {
            addPart(offset, Math.min(end(), later.offset), to);
            addPart(Math.max(offset, later.end()), end(), to);
        }

        private void addPart(long from, long until, List<Write> to) {
            if (from < until) {
                to.add(new Write(from, Arrays.copyOfRange(bytes, (int) (from - offset), (int) (until - offset)),
                    forgotten));
            }
        }

        private long end() {
            return offset + bytes.length;
        }
    }

    /** The synced bytes. The array is copied before a change if another file shares it. */
    private byte[] synced = {};
    private boolean isSyncedShared;
    /** With all writes. */
    private byte[] current = {};
    private boolean isCurrentShared;
    private List<Write> writes = new ArrayList<>();
    private MemorySegment mapped = MemorySegment.NULL;
    private long birth = BIRTHS.incrementAndGet();
    /** Offsets at which the device refuses to read. */
    private final Set<Long> broken = new HashSet<>();

    /** Returns the given bytes, padded with zeros to the given length if they are shorter. */
    private static byte[] sized(byte[] bytes, long length) {
        return bytes.length >= length ? bytes : Arrays.copyOf(bytes, Math.toIntExact(length));
    }

    /** Returns a new file of zeros. It takes memory of its own when it is written. */
    static FaultContent zeros(int length) {
        FaultContent content = new FaultContent();
        if (length > 0) {
            content.current = length > ZEROS_MAX ? new byte[length] : ZEROS.computeIfAbsent(length, byte[]::new);
            content.isCurrentShared = true;
            content.writes.add(new Write(0, content.current, false));
        }
        return content;
    }

    void write(byte[] bytes, long offset) {
        Write write = new Write(offset, bytes, false);
        writes.add(write);
        current = write.over(isCurrentShared ? current.clone() : current);
        isCurrentShared = false;
        int inMemory = Math.clamp(mapped.byteSize() - offset, 0, bytes.length);
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, mapped, Math.min(offset, mapped.byteSize()), inMemory);
    }

    /** Makes the device refuse to read this byte, on this disk and on all disks derived from it. */
    void breakAt(long offset) {
        broken.add(offset);
    }

    /** Whether the range has an unreadable byte. */
    boolean isBroken(long from, long end) {
        return broken.stream().anyMatch(at -> at >= from && at < end);
    }

    /** Returns a number that no other file has, on no disk but those derived from this one. */
    long birth() {
        return birth;
    }

    /** Returns the length of the file. */
    int length() {
        return current.length;
    }

    /** Reads what a reader sees, which has the stores to mapped memory. Returns the number of bytes. */
    int read(ByteBuffer target, long offset) {
        int count = Math.clamp(current.length - offset, 0, target.remaining());
        if (count > 0) {
            int inMemory = Math.clamp(mapped.byteSize() - offset, 0, count);
            target.put(mapped.asSlice(inMemory == 0 ? 0 : offset, inMemory).asByteBuffer());
            target.put(current, (int) offset + inMemory, count - inMemory);
        }
        return count;
    }

    /** Returns the content as a reader sees it. */
    byte[] bytes() {
        byte[] bytes = new byte[length()];
        read(ByteBuffer.wrap(bytes), 0);
        return bytes;
    }

    /** Maps memory that stays valid after its user has unmapped it, so that a file can be mapped again. */
    MemorySegment map(long bytes) {
        byte[] now = bytes();
        if (bytes > now.length) {
            throw new IllegalArgumentException("the file has " + now.length + " bytes, not " + bytes);
        }
        if (mapped.byteSize() < bytes) {
            mapped = Arena.ofAuto().allocate(bytes, PAGE);
            mapped.copyFrom(MemorySegment.ofArray(now).asSlice(0, bytes));
        }
        return mapped.asSlice(0, bytes);
    }

    void force() {
        if (writes.isEmpty()) {
            return;
        }
        List<Write> left = new ArrayList<>();
        byte[] now = isSyncedShared ? synced.clone() : synced;
        for (Write write : writes) {
            if (write.forgotten()) {
                left.add(write);
            } else {
                now = write.over(now);
                List<Write> rest = new ArrayList<>();
                left.forEach(before -> before.addWithout(write, rest));
                left = rest;                                    // what it overwrites can come back no more
            }
        }
        synced = now;
        isSyncedShared = false;
        writes = left;
    }

    /** Applies a failed sync: the kernel gives up these writes and considers them done. */
    void forget() {
        writes.replaceAll(write -> new Write(write.offset(), write.bytes(), true));
    }

    /** Copies the file for another disk; stores to mapped memory become writes. */
    FaultContent copy() {
        FaultContent copy = new FaultContent();
        copy.birth = birth;
        copy.synced = synced;
        copy.current = current;
        copy.isSyncedShared = true;
        copy.isCurrentShared = true;
        isSyncedShared = true;
        isCurrentShared = true;
        copy.broken.addAll(broken);
        copy.writes.addAll(writes);
        stores().forEach(store -> copy.write(store.bytes(), store.offset()));
        return copy;
    }

    /** Returns the pages of mapped memory that differ from the file, as writes. */
    private List<Write> stores() {
        List<Write> stores = new ArrayList<>();
        MemorySegment file = MemorySegment.ofArray(current);
        for (int at = 0; at < mapped.byteSize(); at += PAGE) {
            long end = Math.min(at + PAGE, mapped.byteSize());
            if (MemorySegment.mismatch(mapped, at, end, file, at, end) >= 0) {
                stores.add(new Write(at, mapped.asSlice(at, end - at).toArray(ValueLayout.JAVA_BYTE), false));
            }
        }
        return stores;
    }

    /** Turns the stores to mapped memory into writes; there are no further stores. */
    void unmap() {
        List<Write> stores = stores();
        mapped = MemorySegment.NULL;
        stores.forEach(store -> write(store.bytes(), store.offset()));
    }

    /** Returns the content after a power cut with the given decisions. */
    FaultContent powerCut(Choices choices) {
        byte[] left = synced.clone();
        List<Write> all = new ArrayList<>(writes);
        all.addAll(stores());
        for (Write write : all) {
            left = switch (choices.pick(FaultDisk.DECISIONS)) {
                case FaultDisk.KEEP -> write.over(left);
                case FaultDisk.DROP -> left;
                default -> torn(left, write, choices);
            };
        }
        FaultContent content = new FaultContent();
        content.birth = birth;
        content.synced = left;
        content.current = left;
        content.isSyncedShared = true;
        content.isCurrentShared = true;
        content.broken.addAll(broken);
        return content;
    }

    private static byte[] torn(byte[] old, Write write, Choices choices) {
        long end = write.offset() + write.bytes().length;
        int first = (int) (write.offset() / SECTOR);
        int count = (int) ((end - 1) / SECTOR) + 1 - first;
        boolean each = count <= SECTORS_EACH || choices.isRandom();
        int cut = each ? 0 : 1 + choices.pick(count - 1);
        boolean front = each || choices.pick(2) == 0;
        byte[] left = old;
        for (int sector = 0; sector < count; sector++) {
            if (each ? choices.pick(2) == 0 : sector < cut == front) {
                int from = (int) Math.max(write.offset(), (long) (first + sector) * SECTOR);
                int to = (int) Math.min(end, (long) (first + sector + 1) * SECTOR);
                left = new Write(from, Arrays.copyOfRange(write.bytes(), (int) (from - write.offset()),
                    (int) (to - write.offset())), false).over(left);
            }
        }
        return end > left.length && choices.pick(2) == 0 ? sized(left, end) : left;
    }
}
