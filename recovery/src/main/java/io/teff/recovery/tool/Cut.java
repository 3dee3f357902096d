package io.teff.recovery.tool;

/**
 * A tail that was cut off a file.
 *
 * @param file name in the folder of the log
 * @param offset of the cut, which is now the size of the file
 * @param bytes number of bytes cut off
 * @param copy name of the file that holds these bytes
 */
public record Cut(String file, long offset, long bytes, String copy) {}
