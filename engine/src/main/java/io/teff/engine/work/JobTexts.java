package io.teff.engine.work;

import io.teff.engine.compute.Compute;
import io.teff.engine.compute.JobException;
import io.teff.engine.compute.JobException.Reason;
import java.nio.charset.StandardCharsets;

/** Checks and texts of jobs and tasks, which all stores share. */
public final class JobTexts {
    private JobTexts() {}

    /**
     * Checks the name and the argument of a call.
     *
     * @param name of the job or the task
     * @param argument of the call
     * @throws IllegalArgumentException if one is too long
     */
    public static void check(String name, byte[] argument) {
        final int length = name.getBytes(StandardCharsets.UTF_8).length;
        if (length < 1 || length > Compute.NAME_BYTES_MAX) {
            throw new IllegalArgumentException("a name of " + length + " bytes: names of jobs and tasks have 1 to "
                + Compute.NAME_BYTES_MAX);
        }
        if (argument.length > Compute.BYTES_MAX) {
            throw new IllegalArgumentException("an argument of " + argument.length + " bytes: arguments have at most "
                + Compute.BYTES_MAX);
        }
    }

    /**
     * Checks the result of a job or a task.
     *
     * @param name of the job or the task
     * @param result what the code has returned
     * @param bytesMax longest result
     * @return the result
     * @throws JobException if the result is too long
     */
    public static byte[] checked(String name, byte[] result, int bytesMax) {
        if (result.length > bytesMax) {
            throw new JobException(Reason.FAILED, name + " has failed: a result of " + result.length
                + " bytes, and the limit is " + bytesMax);
        }
        return result;
    }

    /**
     * Returns the exception for code of the application that has thrown.
     *
     * @param name of the job or the task
     * @param thrown by the code
     * @return the exception; {@code thrown} itself if it is a {@link JobException}
     */
    public static JobException failure(String name, Throwable thrown) {
        if (thrown instanceof JobException known) {
            return known;
        }
        String text;
        try {
            text = thrown.toString();
        } catch (RuntimeException | Error _) {                  // of the application, too
            text = thrown.getClass().getName();
        }
        return new JobException(Reason.FAILED, name + " has failed: " + text);
    }

    /**
     * Returns the exception for a name without code.
     *
     * @param name of the job or the task
     * @param where the node without the code, for people
     * @param why more about it, as a text behind another text; may be empty
     * @return the exception
     */
    public static JobException unknown(String name, String where, String why) {
        return new JobException(Reason.UNKNOWN, where + " has no job or task " + name + " on its class path" + why);
    }
}
