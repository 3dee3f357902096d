package io.teff.engine.os;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Memory that can be given back to the kernel without native access: private mappings of a file without contents.
 *
 * <pre>
 *  file, no name, no blocks      [ hole of up to 64 MiB ]
 *                                   ^       ^       ^        private mappings, each from offset 0
 *  memory of the process         [block] [block] [block]     a page is copied from the hole when it is first written
 * </pre>
 * A write to a private mapping gives the process a page of its own; nothing is ever written to the file. The JDK's
 * {@link MemorySegment#unload} lets the kernel take such pages, and the range then reads as the file does: zeros.
 * Neither call is restricted. All mappings begin at offset 0 of one file, so the kernel's cache holds the zeros of the
 * file only once, at most as long as the longest mapping.
 *
 * <p>The JDK does not promise what {@code unload} does. So the first use tries it: if a written page does not read as
 * zero afterwards, or if no file can be made in the folder, there are no mappings, and callers take other memory.
 *
 * <p>Thread-safe.
 */
public final class BlockFile {
    /** The longest mapping: the cache of the kernel may hold as many zeros. */
    public static final long BYTES_MAX = 64L << 20;

    private static final int PAGE_BYTES = 4 << 10;
    private static final int INTERRUPTS_MAX = 16;
    private static final Set<StandardOpenOption> NAMELESS = EnumSet.of(StandardOpenOption.CREATE_NEW,
        StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.SPARSE,
        StandardOpenOption.DELETE_ON_CLOSE);

    /** The file of this process, in the folder for temporary files. */
    private static final class Shared {
        private static final BlockFile FILE = new BlockFile(Path.of(System.getProperty("java.io.tmpdir", "/tmp")));

        private Shared() {}
    }

    private final Path folder;
    private @Nullable FileChannel channel;
    private boolean isTried;
    private boolean isUsable;

    /**
     * Prepares a file; the first mapping makes it.
     *
     * @param folder for the file, which loses its name at once
     */
    public BlockFile(Path folder) {
        this.folder = folder;
    }

    /** {@return the file of this process} */
    public static BlockFile shared() {
        return Shared.FILE;
    }

    /** {@return whether there are mappings, and their memory can be given back} */
    public synchronized boolean isUsable() {
        if (!isTried) {
            isTried = true;
            isUsable = SystemInfo.linux() && isZeroAfterUnload();
        }
        return isUsable;
    }

    private boolean isZeroAfterUnload() {
        try (Arena arena = Arena.ofShared()) {
            final MemorySegment page = tryMap(PAGE_BYTES, arena);
            if (page == null) {
                return false;
            }
            page.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
            page.unload();
            return page.get(ValueLayout.JAVA_BYTE, 0) == 0;
        }
    }

    /**
     * Maps memory that reads as zeros; the kernel commits a page when the page is first written.
     *
     * @param bytes a multiple of 4 KiB, at most {@link #BYTES_MAX}
     * @param arena owns the mapping
     * @return the memory, or null if there is none
     */
    public synchronized @Nullable MemorySegment map(long bytes, Arena arena) {
        return isUsable() ? tryMap(bytes, arena) : null;
    }

    private @Nullable MemorySegment tryMap(long bytes, Arena arena) {
        assert bytes <= BYTES_MAX : bytes;
        try (KeptInterrupt interrupt = KeptInterrupt.begin()) {
            for (int tries = 0; tries < INTERRUPTS_MAX; tries++) {
                try {
                    return open().map(MapMode.PRIVATE, 0, bytes, arena);
                } catch (ClosedByInterruptException _) {
                    interrupt.keep();                           // the interrupt has closed the file: another is made
                }
            }
        } catch (IOException | OutOfMemoryError | IllegalStateException | UnsupportedOperationException _) {
            // no file, no addresses, or the arena was closed
        }
        return null;
    }

    private FileChannel open() throws IOException {
        FileChannel open = channel;
        if (open == null || !open.isOpen()) {
            open = FileChannel.open(folder.resolve("teff-" + UUID.randomUUID()), NAMELESS);
            channel = open;
        }
        return open;
    }

    /**
     * Gives the pages of a mapping back to the kernel; they read as zeros afterwards.
     *
     * @param range a part of a mapping, whole pages
     */
    public static void giveBack(MemorySegment range) {
        try {
            range.unload();
        } catch (IllegalStateException _) {
            // the mapping was closed meanwhile: the kernel has all of it
        }
    }
}
