package io.teff.engine.zone;

/**
 * Numbers of a zone; exact if no thread changes the zone meanwhile.
 *
 * @param zone number of the zone
 * @param chunks number of chunks
 * @param payloadBytes sum of the chunks' lengths, in bytes
 * @param takenBytes memory of the chunks, in bytes
 * @param tableBytes memory of the zone's table pages, in bytes
 */
public record ZoneStats(int zone, long chunks, long payloadBytes, long takenBytes, long tableBytes) {}
