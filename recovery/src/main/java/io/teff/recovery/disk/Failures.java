package io.teff.recovery.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells a full disk from other failures. The JDK gives the system's text and nothing else, and the text is in the
 * language of the machine: so the device that is always full is asked how it says so.
 */
final class Failures {
    private static final Path ALWAYS_FULL = Path.of("/dev/full");
    private static final List<String> FULL_TEXTS = texts();

    private Failures() {}

    private static List<String> texts() {
        List<String> texts = new ArrayList<>(List.of("No space left on device", "Disk quota exceeded",
            "There is not enough space on the disk"));
        String text = textOfFullDevice();
        if (text != null) {
            texts.add(text);
        }
        return List.copyOf(texts);
    }

    private static @Nullable String textOfFullDevice() {
        try (FileChannel channel = FileChannel.open(ALWAYS_FULL, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(1));
            return null;
        } catch (IOException e) {
            return e instanceof FileSystemException ? null : e.getMessage();    // there may be no such device
        }
    }

    /** The same failure, as a {@link DiskFullException} if that is what it is. */
    static IOException named(IOException failure, Path path) {
        String message = String.valueOf(failure.getMessage());
        return FULL_TEXTS.stream().anyMatch(message::contains)
            ? new DiskFullException(path + ": the disk is full", failure) : failure;
    }
}
