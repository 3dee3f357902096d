package io.teff.cluster.terminal.node;

/**
 * The contents of a zone, for JMX.
 *
 * @param zone number of the zone
 * @param chunks number of chunks
 * @param bytes payload of these chunks
 */
public record ZoneView(int zone, long chunks, long bytes) {}
