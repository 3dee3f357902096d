package io.teff.recovery.log;

import io.teff.engine.os.Platform;
import io.teff.recovery.log.file.LogConfig;
import java.nio.file.Path;
import java.util.List;

/**
 * Options for opening a log.
 *
 * @param platform disk, threads, clock and random numbers that the log uses
 * @param folder of the log; its parent must exist
 * @param config sizes
 * @param smaller sizes for smaller disks, in falling order; none if the sizes are fixed
 * @param nid of the store or peer that owns the log; used when the log is created
 * @param acceptsDamage whether to open a log although a part of it cannot be read
 * @param holder names the opener, for others to read
 * @param use what the log is used for
 */
public record LogOptions(Platform platform, Path folder, LogConfig config, List<LogConfig> smaller, int nid,
                         boolean acceptsDamage, String holder, Use use) {
    /**
     * The use of a log.
     *
     * @param hasCopies whether the zones are zones of copies; a log of stores is refused for copies, and a log of
     *     copies for stores
     * @param hasThreads whether the log has threads of its own; otherwise the log's owner calls
     *     {@link RecoveryLog#work}
     * @param drained called after each drain, successful or not, by the thread that drains; must not block
     */
    public record Use(boolean hasCopies, boolean hasThreads, Runnable drained) {
        /** The log of a store. */
        public static final Use STORE = new Use(false, true, () -> { });
    }

    /**
     * Options with fixed sizes.
     *
     * @param platform disk, threads, clock and random numbers that the log uses
     * @param folder of the log; its parent must exist
     * @param config sizes
     * @param nid of the store or peer that owns the log; used when the log is created
     * @param acceptsDamage whether to open a log although a part of it cannot be read
     * @param holder names the opener, for others to read
     * @param use what the log is used for
     */
    public LogOptions(Platform platform, Path folder, LogConfig config, int nid, boolean acceptsDamage,
                      String holder, Use use) {
        this(platform, folder, config, List.of(), nid, acceptsDamage, holder, use);
    }

    /**
     * Options for opening the log of a store, with fixed sizes.
     *
     * @param platform disk, threads, clock and random numbers that the log uses
     * @param folder of the log; its parent must exist
     * @param config sizes
     * @param nid of the store; used when the log is created
     * @param acceptsDamage whether to open a log although a part of it cannot be read
     * @param holder names the opener, for others to read
     */
    public LogOptions(Platform platform, Path folder, LogConfig config, int nid, boolean acceptsDamage,
                      String holder) {
        this(platform, folder, config, nid, acceptsDamage, holder, Use.STORE);
    }
}
