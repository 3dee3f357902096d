/**
 * The seams to the machine: {@link io.teff.engine.os.Clock}, {@link io.teff.engine.os.Threads},
 * {@link io.teff.engine.os.Chance}, {@link io.teff.engine.os.Disk}, and {@link io.teff.engine.os.Platform}, which
 * holds one of each. The engine, the log and the messaging use these and no others, so a simulator implements each
 * once.
 *
 * <p><b>Promise.</b> No other product code reads a clock, starts a thread, draws a random number, opens a file or calls
 * the operating system. A call to the disk does all that its comment says, or throws. A full disk is reported apart
 * from a broken one ({@link io.teff.engine.os.DiskFullException}), because the log waits after a full disk, and closes
 * itself after a failure. A failed sync is never retried: the kernel may have dropped the pages it could not write and
 * would report success the next time, so the file remembers the failure and refuses.
 *
 * <p><b>Durability.</b> {@link io.teff.engine.os.DiskFile#force} makes the bytes and the size of a file durable,
 * {@link io.teff.engine.os.Disk#forceFolder} the names in a folder. Stores to mapped memory are never made durable.
 * After a power cut any subset of everything else may be present.
 *
 * <p><b>Neighbours.</b> Knows nothing of chunks, of the log or of messages. A thread must not be interrupted while it
 * reads or writes a file, because the JDK then closes the file. Start with {@link io.teff.engine.os.Platform}.
 */
@NullMarked
package io.teff.engine.os;

import org.jspecify.annotations.NullMarked;
