package io.teff.cluster.peer;

/**
 * Statistics of the backups that a peer keeps.
 *
 * @param copies number of copies
 * @param runs runs that were acknowledged, those that were known included
 * @param bytes bytes of these
 * @param gaps runs that did not continue their copy
 * @param refusedForRoom runs that the log had no room for
 * @param stale runs of deposed owners, or for earlier lives of this node
 * @param malformed messages that were no runs
 * @param damaged messages whose bytes were not those that were sent
 */
public record BackupNumbers(int copies, long runs, long bytes, long gaps, long refusedForRoom, long stale,
                            long malformed, long damaged) {}
