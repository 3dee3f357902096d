package io.teff.cluster.meta;

/**
 * A person moves a zone to a peer. The command does what {@link Command.ClaimZone} does, also if the peer owns as many
 * zones as the present owner. A class of its own file: by its name it comes behind all earlier commands.
 *
 * @param zone id of the zone
 * @param epoch the epoch of the row seen by the person
 * @param node life of the peer that becomes the owner
 */
public record ZoneSent(int zone, int epoch, NodeRef node) implements Command.OfOperators {}
