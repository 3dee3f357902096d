package io.teff.tools.log;

/**
 * The result of a backup as a JSON document; component names are the names in the document.
 *
 * @param folder folder of the store
 * @param target folder of the backup
 * @param seconds time to copy and read
 * @param segments number of files with chunks
 * @param bytes size of all files, except the small ones that list the others
 * @param linkedBytes size of those that are shared by hard links
 */
public record BackupDocument(String folder, String target, double seconds, long segments, long bytes,
                             long linkedBytes) {}
