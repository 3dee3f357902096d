package io.teff.recovery.log;

import io.teff.engine.os.Platform;
import io.teff.recovery.log.file.LogConfig;
import java.nio.file.Path;

/**
 * How a log is opened.
 *
 * @param platform disk, threads, clock and random numbers that the log uses
 * @param folder of the log; the one around it is there
 * @param config sizes
 * @param nid of the store or peer whose log this is, if it is made now
 * @param acceptsDamage whether to open a log of which something cannot be read
 * @param holder who opens it, for others to read
 */
public record LogOptions(Platform platform, Path folder, LogConfig config, int nid, boolean acceptsDamage,
                         String holder) {}
