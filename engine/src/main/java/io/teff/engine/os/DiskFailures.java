package io.teff.engine.os;

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
 * Distinguishes a full disk from other failures. The JDK reports nothing but the system's text, which is in the
 * language of the machine, so the text is learned from the device that is always full ({@code /dev/full}).
 */
final class DiskFailures {
    private static final Path ALWAYS_FULL = Path.of("/dev/full");
    private static final List<String> FULL_TEXTS = texts();

    private DiskFailures() {}

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
            return e instanceof FileSystemException ? null : e.getMessage();    // the device may be missing
        }
    }

    /** Returns a {@link DiskFullException} if the failure reports a full disk, else the failure itself. */
    static IOException named(IOException failure, Path path) {
        String message = String.valueOf(failure.getMessage());
        return FULL_TEXTS.stream().anyMatch(message::contains)
            ? new DiskFullException(path + ": the disk is full", failure) : failure;
    }
}
