package io.teff.cluster.terminal.node;

/**
 * What a zone holds, for JMX.
 *
 * @param zone the zone
 * @param chunks number of chunks
 * @param bytes their payload
 */
public record ZoneView(int zone, long chunks, long bytes) {}
