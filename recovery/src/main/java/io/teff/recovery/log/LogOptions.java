package io.teff.recovery.log;

import io.teff.recovery.disk.Disk;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * How a log is opened.
 *
 * @param disk where
 * @param folder of the log; the one around it is there
 * @param config sizes
 * @param nid of the store or peer whose log this is, if it is made now
 * @param random 64 random bits each time, for the name and the salt of a new log
 * @param acceptsDamage whether to open a log of which something cannot be read
 * @param holder who opens it, for others to read
 */
public record LogOptions(Disk disk, Path folder, LogConfig config, int nid, LongSupplier random,
                         boolean acceptsDamage, String holder) {}
