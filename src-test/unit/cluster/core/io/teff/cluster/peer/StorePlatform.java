package io.teff.cluster.peer;

import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.engine.os.Threads;
import java.io.Serial;

/**
 * Time and background threads of the real store of a simulated peer. A task of a background thread runs as an event of
 * the peer, and begins anew where it would wait. An operation that would wait gives up, as at the end of a timeout.
 */
final class StorePlatform {
    private static final long SOON_NS = 5 * SimWorld.MS;

    private final SimPeer peer;
    private boolean isInBackground;

    /** Ends a task that waits. */
    private static final class Waits extends Error {
        @Serial
        private static final long serialVersionUID = 1;

        Waits() {
            super("waits", null, false, false);
        }
    }

    StorePlatform(SimPeer peer) {
        this.peer = peer;
    }

    Platform platform() {
        Threads threads = new Threads() {
            @Override
            public Thread create(String name, Runnable task) {
                throw new AssertionError("a thread " + name);
            }

            @Override
            public void start(String name, Runnable task) {
                later(task);
            }
        };
        Clock clock = new Clock() {
            @Override
            public long nowNs() {
                return peer.clock.nowNs();
            }

            @Override
            public long epochMs() {
                return peer.clock.epochMs();
            }

            @Override
            public void park(Object blocker, long ns) {
                throw waits(blocker);
            }

            @Override
            public void pause(Object blocker, long ns) {
                throw waits(blocker);
            }
        };
        return Platform.SYSTEM.withThreads(threads).withClock(clock).withChance(peer.world.random::nextLong);
    }

    private RuntimeException waits(Object blocker) {
        if (isInBackground) {
            throw new Waits();
        }
        return new StoreException(Category.RETRY, "a wait of " + blocker.getClass().getSimpleName());
    }

    private void later(Runnable task) {
        peer.world.after(peer, peer.world.between(SOON_NS / 10, SOON_NS), () -> {
            isInBackground = true;
            try {
                task.run();
            } catch (Waits e) {
                later(task);
            } finally {
                isInBackground = false;
            }
        });
    }
}
