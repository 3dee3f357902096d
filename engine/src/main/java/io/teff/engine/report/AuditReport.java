package io.teff.engine.report;

/**
 * The result of an audit: counts of the checked objects. An audit that finds a violation throws instead.
 *
 * @param chunks number of chunks; the memory of each was checked
 * @param payloadBytes sum of the chunks' lengths in bytes
 * @param pages number of slot pages
 * @param freeSlots number of free slots in the slot pages
 * @param lockedChunks number of chunks with a lock record
 */
public record AuditReport(long chunks, long payloadBytes, long pages, long freeSlots, long lockedChunks) {}
