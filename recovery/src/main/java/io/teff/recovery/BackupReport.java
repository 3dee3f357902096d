package io.teff.recovery;

import java.nio.file.Path;

/**
 * Result of a backup.
 *
 * @param folder of the backup
 * @param segments number of files with chunks
 * @param bytes of all files, except the small files with the lists of files
 * @param linkedBytes of the files shared with the store by hard links; these bytes took no room
 */
public record BackupReport(Path folder, long segments, long bytes, long linkedBytes) {}
