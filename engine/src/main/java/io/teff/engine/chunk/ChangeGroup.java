package io.teff.engine.chunk;

import io.teff.engine.journal.Journal;
import io.teff.engine.lock.Stripes;
import io.teff.engine.memory.Memory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The chunks that a thread has changed since its last group: their CIDs and, while the group is written, their lengths
 * and stripes. Of the first chunks also an image: the content before the change. For one thread.
 *
 * <p>An image is of the state that the chunk's last record has, and is taken before the thread's first change since
 * then. So nothing is taken of a chunk that the group has changed already. An image outlives its group harmlessly: the
 * image is used only while no later record of its chunk exists.
 */
final class ChangeGroup {
    /** Marks a chunk whose change is already written, in place of its length. */
    static final long WRITTEN = -1;
    private static final int CAPACITY_MIN = 16;
    private static final int CAPACITY_KEPT = 1 << 12;
    private static final int IMAGES_MAX = 8;
    private static final int IMAGE_BYTES_MAX = 1 << 16;
    private static final int IMAGE_BYTES_KEPT = 1 << 14;
    private static final int NO_IMAGE = -1;

    private long[] cids = new long[CAPACITY_MIN];
    private long[] lengths = new long[CAPACITY_MIN];
    private int[] stripes = new int[CAPACITY_MIN];
    private int count;
    private boolean isOpen;
    /** Records the groups of the thread in place of the store's journal, or null. */
    private @Nullable Journal journal;
    private final long[] imageCids = new long[IMAGES_MAX];
    private final long[] imageNumbers = new long[IMAGES_MAX];
    private final int[] imageStarts = new int[IMAGES_MAX + 1];
    private int imageCount;
    private byte[] images = new byte[0];
    private byte[] now = new byte[0];
    private @Nullable ContentDiff[] diffs = new ContentDiff[0];
    /** Index of the image of a chunk of the group that is written as bytes, or NO_IMAGE. */
    private int[] imageOf = new int[CAPACITY_MIN];
    /** Numbers of the removals, from {@code Journal.now}, by CID of the removed chunk. */
    private final Map<Long, Long> removals = new HashMap<>();

    void addRemoval(long cid, long number) {
        add(cid);
        removals.put(cid, number);
    }

    /** Calls the visitor with the CID of each removed chunk. */
    void forEachRemoved(LongConsumer visitor) {
        removals.keySet().forEach(visitor::accept);
    }

    /** Returns the number of a chunk's removal, or 0 if the group does not remove it. */
    long removedAt(long cid) {
        return removals.getOrDefault(cid, 0L);
    }

    void add(long cid) {
        if (count == cids.length) {
            cids = Arrays.copyOf(cids, 2 * count);
            lengths = new long[2 * count];
            imageOf = new int[2 * count];
        }
        if (count == 0 || cids[count - 1] != cid) {
            cids[count++] = cid;
        }
    }

    @Nullable Journal journal() {
        return journal;
    }

    void journal(@Nullable Journal other) {
        journal = other;
    }

    /** Returns whether the group must not be ended yet. */
    boolean isOpen() {
        return isOpen;
    }

    void setOpen(boolean nowOpen) {
        isOpen = nowOpen;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Sorts the CIDs and drops duplicates; returns the number of CIDs left. */
    int sort() {
        Arrays.sort(cids, 0, count);
        int kept = 1;
        for (int i = 1; i < count; i++) {
            if (cids[i] != cids[kept - 1]) {
                cids[kept++] = cids[i];
            }
        }
        count = kept;
        return kept;
    }

    long cid(int index) {
        return cids[index];
    }

    /** Stores the length of a chunk; returns the bytes of content that it takes in a record. */
    long length(int index, long length) {
        lengths[index] = length;
        return Math.max(length, 0);
    }

    long length(int index) {
        return lengths[index];
    }

    /** Returns the number of chunks in an index range that are not written yet. */
    int unwrittenCount(int from, int end) {
        int unwritten = 0;
        for (int i = from; i < end; i++) {
            unwritten += lengths[i] == WRITTEN ? 0 : 1;
        }
        return unwritten;
    }

    /** Collects the stripes of an index range, in ascending order without duplicates; returns their number. */
    int collectStripes(int from, int end, Stripes all) {
        if (stripes.length < end - from) {
            stripes = new int[cids.length];
        }
        for (int i = from; i < end; i++) {
            stripes[i - from] = all.of(cids[i]);
        }
        Arrays.sort(stripes, 0, end - from);
        int kept = 1;
        for (int i = 1; i < end - from; i++) {
            if (stripes[i] != stripes[kept - 1]) {
                stripes[kept++] = stripes[i];
            }
        }
        return kept;
    }

    /** Returns a stripe that {@link #collectStripes} found. */
    int stripe(int index) {
        return stripes[index];
    }

    // ---- images ----

    /** Returns whether an image of a chunk may be taken: the group has room, and no change of the chunk. */
    boolean isToImage(long cid, long length) {
        if (imageCount == IMAGES_MAX || count >= CAPACITY_MIN || imageStarts[imageCount] + length > IMAGE_BYTES_MAX) {
            return false;
        }
        for (int i = 0; i < count; i++) {
            if (cids[i] == cid) {
                return false;
            }
        }
        return image(cid) == NO_IMAGE;
    }

    private int image(long cid) {
        for (int i = 0; i < imageCount; i++) {
            if (imageCids[i] == cid) {
                return i;
            }
        }
        return NO_IMAGE;
    }

    /** Takes an image of a chunk's state, which the record of this number has. */
    void takeImage(long cid, long number, Memory memory, long address, int length) {
        final int start = imageStarts[imageCount];
        if (images.length < start + length) {
            images = Arrays.copyOf(images, Math.min(IMAGE_BYTES_MAX, 2 * (start + length)));
        }
        memory.copyOut(address, images, start, length);
        imageCids[imageCount] = cid;
        imageNumbers[imageCount] = number;
        imageStarts[++imageCount] = start + length;
    }

    /**
     * Compares a chunk of the group with its image. Called inside the chunk's stripe.
     *
     * @return bytes of the content of an entry of bytes, or {@link ContentDiff#TOO_MUCH} if there is none
     */
    int compare(int index, LastRecords last, Memory memory, long address, int length) {
        final int image = image(cids[index]);
        if (image == NO_IMAGE) {
            return writeWhole(index);
        }
        final int left = Math.min(length / 2, last.leftBytes(cids[index], imageNumbers[image]));
        if (left == 0) {
            return writeWhole(index);
        }
        if (now.length < length) {
            now = new byte[Math.max(length, Math.min(2 * length, IMAGE_BYTES_KEPT))];
        }
        memory.copyOut(address, now, 0, length);
        final int before = imageStarts[image + 1] - imageStarts[image];
        final boolean isLonger = length > before;
        final byte[] source = isLonger ? new byte[length] : images;
        if (isLonger) {
            System.arraycopy(images, imageStarts[image], source, 0, before);
        }
        final int bytes = diff(image).compare(source, isLonger ? 0 : imageStarts[image], now, length, left);
        imageOf[index] = bytes == ContentDiff.TOO_MUCH ? NO_IMAGE : image;
        return bytes;
    }

    /** Writes a chunk of the group as a whole. Returns TOO_MUCH. */
    int writeWhole(int index) {
        imageOf[index] = NO_IMAGE;
        return ContentDiff.TOO_MUCH;
    }

    private ContentDiff diff(int image) {
        if (diffs.length == 0) {
            diffs = new ContentDiff[IMAGES_MAX];
        }
        ContentDiff diff = diffs[image];
        if (diff == null) {
            diff = new ContentDiff();
            diffs[image] = diff;
        }
        return diff;
    }

    /** Returns whether {@link #compare} has found bytes to write in place of the whole chunk. */
    boolean isOfBytes(int index) {
        return imageOf[index] != NO_IMAGE;
    }

    /** Returns what {@link #compare} has found. */
    ContentDiff diffOf(int index) {
        return diff(imageOf[index]);
    }

    /** Returns the number of the record of a chunk's image. */
    long predecessor(int index) {
        return imageNumbers[imageOf[index]];
    }

    /** Drops all images. */
    void clearImages() {
        imageCount = 0;
        if (images.length > IMAGE_BYTES_KEPT) {
            images = new byte[0];
        }
        if (now.length > IMAGE_BYTES_KEPT) {
            now = new byte[0];
        }
    }

    void clear() {
        count = 0;
        clearImages();
        removals.clear();
        if (cids.length > CAPACITY_KEPT) {
            cids = new long[CAPACITY_MIN];
            lengths = new long[CAPACITY_MIN];
            stripes = new int[CAPACITY_MIN];
            imageOf = new int[CAPACITY_MIN];
        }
    }
}
