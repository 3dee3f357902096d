package io.teff.recovery.tool;

/**
 * An end of a file that was cut off.
 *
 * @param file its name in the log's folder
 * @param offset where it ends now
 * @param bytes that were cut off
 * @param copy name of the file that has them
 */
public record Cut(String file, long offset, long bytes, String copy) {}
