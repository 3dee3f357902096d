package io.teff.cluster.admin;

/**
 * A move of a zone to another owner. Moves of one step belong together: two peers exchange zones. Immutable.
 *
 * @param step number of the step, from 0; the moves of a step are begun together
 * @param zone id of the zone
 * @param epoch the epoch of the row seen by the plan
 * @param from present owner of the zone
 * @param to next owner of the zone
 * @param bytes payload of the zone
 * @param load operations of the zone per second
 */
public record ZoneMove(int step, int zone, int epoch, NodeLife from, NodeLife to, long bytes, double load) {}
