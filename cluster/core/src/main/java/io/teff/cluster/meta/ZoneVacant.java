package io.teff.cluster.meta;

/**
 * The owner of a full zone has room in the zone again, because chunks were removed: creates go there again. So a zone
 * is used again as a whole, and no number of a zone is given twice. A class of its own file: by its name it comes
 * behind all earlier commands.
 *
 * @param zone id of the zone
 * @param epoch the owner's epoch
 */
public record ZoneVacant(int zone, int epoch) implements Command.OfPlaces {}
