package io.teff.recovery;

import java.nio.file.Path;

/**
 * Result of a backup.
 *
 * @param folder of the backup
 * @param segments number of files with chunks
 * @param bytes of all files, except the small ones that list the others
 * @param linkedBytes of those files that are shared with the store by hard links, and took no room
 */
public record BackupReport(Path folder, long segments, long bytes, long linkedBytes) {}
