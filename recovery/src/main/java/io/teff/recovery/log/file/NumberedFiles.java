package io.teff.recovery.log.file;

import io.teff.engine.os.Disk;
import io.teff.engine.os.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Files of a folder named by a prefix and a number. Stateless. */
public final class NumberedFiles {
    private static final int DIGITS_MAX = 18;

    private NumberedFiles() {}

    /** Returns the numbers of all files named "prefix-number". */
    public static NavigableSet<Long> list(Disk disk, Path folder, String prefix) throws IOException {
        final NavigableSet<Long> numbers = new TreeSet<>();
        for (String name : disk.list(folder)) {
            if (isName(prefix, name)) {
                numbers.add(Long.valueOf(name.substring(prefix.length() + 1)));
            }
        }
        return numbers;
    }

    /** Returns whether a file is named "prefix-number", exactly as {@link #name} does. */
    public static boolean isName(String prefix, String name) {
        return name.startsWith(prefix + "-")
            && name.substring(prefix.length() + 1).matches("0|[1-9][0-9]{0," + (DIGITS_MAX - 1) + "}");
    }

    public static String name(String prefix, long number) {
        return prefix + "-" + number;
    }

    /** Reads a whole file. */
    public static ByteBuffer read(Disk disk, Path path) throws IOException {
        try (DiskFile file = disk.openToRead(path)) {
            final long size = file.size();
            if (size > Integer.MAX_VALUE) {
                throw new IOException(path + " has " + size + " bytes, more than any file of a log");
            }
            final ByteBuffer bytes = ByteBuffer.allocateDirect((int) size);
            file.read(bytes, 0);
            return bytes.flip();
        }
    }
}
