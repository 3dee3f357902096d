package io.teff.cluster.terminal.node;

/**
 * A copy of a zone at a backup, for JMX.
 *
 * @param zone the zone
 * @param copy number of the copy
 * @param epoch epoch of the last change that it has logged
 * @param counter counter of the last change that it has logged
 */
public record CopyView(int zone, int copy, int epoch, long counter) {}
