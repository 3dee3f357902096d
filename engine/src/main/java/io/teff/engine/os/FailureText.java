package io.teff.engine.os;

import java.io.EOFException;
import java.io.UncheckedIOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.UnmappableCharacterException;
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
    /** Longest text that {@link #excerpt} leaves whole, in characters. */
    static final int WHOLE_MAX = 400;
    /** Characters at the begin of an excerpt, before the first difference, and from the difference on. */
    private static final int HEAD = 100;
    private static final int BEFORE = 60;
    private static final int BEHIND = 200;

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

    /**
     * Shortens a long description for a message: the begin, and the place of the first difference to another
     * description.
     *
     * @param text the description; returned unchanged if short
     * @param other the description with which the message compares the text
     * @return at most {@link #WHOLE_MAX} characters of the description, with the length of the whole description
     */
    public static String excerpt(String text, String other) {
        if (text.length() <= WHOLE_MAX) {
            return text;
        }
        final int difference = difference(text, other);
        final boolean isFar = difference < text.length() && difference > HEAD + BEFORE;
        final int begin = isFar ? difference - BEFORE : 0;
        final int end = Math.min(text.length(), begin + BEFORE + BEHIND);
        return (isFar ? text.substring(0, HEAD) + " ... " : "") + text.substring(begin, end)
            + (end < text.length() ? " ..." : "") + " (" + text.length() + " characters)";
    }

    /** Returns the index of the first difference; the length of the text if the other text begins with the text. */
    private static int difference(String text, String other) {
        int at = 0;
        while (at < text.length() && at < other.length() && text.charAt(at) == other.charAt(at)) {
            at++;
        }
        return at;
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
            : failure instanceof MalformedInputException ? "the bytes are no text in the encoding UTF-8"
            : failure instanceof UnmappableCharacterException ? "a character is missing in the expected encoding"
            : failure instanceof EOFException && failure.getMessage() == null ? "it ends too early" : null;
    }
}
