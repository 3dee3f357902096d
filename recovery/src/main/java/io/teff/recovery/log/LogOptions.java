package io.teff.recovery.log;

import io.teff.engine.os.Platform;
import io.teff.recovery.log.file.LogConfig;
import java.nio.file.Path;

/**
 * Options for opening a log.
 *
 * @param platform disk, threads, clock and random numbers that the log uses
 * @param folder of the log; its parent must exist
 * @param config sizes
 * @param nid of the store or peer that owns the log; used when the log is created
 * @param acceptsDamage whether to open a log although a part of it cannot be read
 * @param holder names the opener, for others to read
 */
public record LogOptions(Platform platform, Path folder, LogConfig config, int nid, boolean acceptsDamage,
                         String holder) {}
