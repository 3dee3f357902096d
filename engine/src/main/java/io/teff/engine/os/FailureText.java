package io.teff.engine.os;

import java.io.EOFException;
import java.io.UncheckedIOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The text of a failure for people: what has failed, where, and why. {@code getMessage()} of many exceptions of the
 * system is null, or a path and nothing else, so texts are made here.
 */
public final class FailureText {
    /** Causes that are followed, as a chain may lead back to itself. */
    private static final int CAUSES_MAX = 8;

    private FailureText() {}

    /**
     * Returns the text of a failure.
     *
     * @param failure of the system, of the project or of the application; null if it is not known
     * @return its message if that says something, or a text with the reason; never empty
     */
    public static String of(@Nullable Throwable failure) {
        return failure == null ? "the reason is not known" : of(failure, CAUSES_MAX);
    }

    private static String of(Throwable failure, int causes) {
        if (failure instanceof FileSystemException file) {
            return of(file);
        }
        final Throwable cause = failure.getCause();
        final boolean isWrapper = failure instanceof UncheckedIOException || failure instanceof CompletionException
            || failure instanceof ExecutionException;
        if (isWrapper && cause != null && causes > 0) {
            return of(cause, causes - 1);
        }
        final String known = known(failure);
        if (known != null) {
            return known;
        }
        final String message = failure.getMessage();
        final String name = failure.getClass().getSimpleName();
        if (message != null && !message.isBlank()) {
            return failure instanceof Error || isPath(message) ? name + ": " + message : message;
        }
        return cause == null || causes == 0 ? name : name + ": " + of(cause, causes - 1);
    }

    private static boolean isPath(String message) {
        return message.indexOf(' ') < 0 && (message.indexOf('/') >= 0 || message.indexOf('\\') >= 0);
    }

    /** The message of these has the files, and the reason only if the system gave one. */
    private static String of(FileSystemException file) {
        final String path = file.getFile() == null ? "a file" : file.getFile();
        final String where = file.getOtherFile() == null ? path : path + " to " + file.getOtherFile();
        final String reason = file.getReason();
        return where + ": " + (reason != null && !reason.isBlank() ? reason
            : file instanceof NoSuchFileException ? "there is no such file or folder"
            : file instanceof AccessDeniedException ? "permission denied"
            : file instanceof FileAlreadyExistsException ? "it exists already"
            : file instanceof DirectoryNotEmptyException ? "the folder is not empty"
            : file instanceof NotDirectoryException ? "it is not a folder"
            : file.getClass().getSimpleName());
    }

    private static @Nullable String known(Throwable failure) {
        return failure instanceof ClosedByInterruptException ? "the thread was interrupted"
            : failure instanceof AsynchronousCloseException ? "another thread has closed the file or the connection"
            : failure instanceof ClosedChannelException ? "the file or the connection is closed"
            : failure instanceof OverlappingFileLockException ? "this process has locked it already"
            : failure instanceof EOFException && failure.getMessage() == null ? "it ends too early" : null;
    }
}
