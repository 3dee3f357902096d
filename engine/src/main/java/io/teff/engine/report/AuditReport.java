package io.teff.engine.report;

/**
 * The result of an audit: counts of the objects it checked. An audit that finds a violation throws instead.
 *
 * @param chunks chunks, each with its memory checked
 * @param payloadBytes sum of their lengths
 * @param pages slot pages
 * @param freeSlots free slots in them
 * @param lockedChunks chunks with a lock record
 */
public record AuditReport(long chunks, long payloadBytes, long pages, long freeSlots, long lockedChunks) {}
