package io.teff.cluster.terminal.node;

/**
 * A copy of a zone at a backup, for JMX.
 *
 * @param zone number of the zone
 * @param copy number of the copy
 * @param epoch epoch of the last change in the copy
 * @param counter counter of the last change in the copy
 */
public record CopyView(int zone, int copy, int epoch, long counter) {}
