package io.teff.engine.report;

/**
 * What an audit walked over. An audit that finds something wrong throws instead.
 *
 * @param chunks chunks, each with its memory checked
 * @param payloadBytes sum of their lengths
 * @param pages pages of slots
 * @param freeSlots free slots in them
 * @param lockedChunks chunks with a lock record
 */
public record AuditReport(long chunks, long payloadBytes, long pages, long freeSlots, long lockedChunks) {}
