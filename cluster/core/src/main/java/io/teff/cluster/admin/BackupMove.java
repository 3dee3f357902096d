package io.teff.cluster.admin;

import org.jspecify.annotations.Nullable;

/**
 * A backup of a zone takes the place of another backup. Immutable.
 *
 * @param zone id of the zone
 * @param to the new backup; null if the zone has a backup too many
 * @param from the backup that leaves; null if the zone has too few backups
 */
public record BackupMove(int zone, @Nullable NodeLife to, @Nullable NodeLife from) {}
