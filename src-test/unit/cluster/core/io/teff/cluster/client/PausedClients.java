package io.teff.cluster.client;

import io.teff.cluster.ClientConfig;
import io.teff.cluster.ClusterStore;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import java.util.SplittableRandom;

/** Clients whose clock a test stops, as if their process were stopped: what they do now and then is not done. */
public final class PausedClients {
    private PausedClients() {}

    /** A clock that can stand still; threads that wait by it then do not go on. */
    public static final class PausableClock implements Clock {
        private boolean isPaused;
        private long stoodNs;
        private long pausedNs;

        @Override
        public synchronized long nowNs() {
            return (isPaused ? pausedNs : System.nanoTime()) - stoodNs;
        }

        /** Stops the clock. */
        public synchronized void pause() {
            isPaused = true;
            pausedNs = System.nanoTime();
        }

        /** Lets the clock go on, if it stands still. */
        public synchronized void resume() {
            stoodNs += isPaused ? System.nanoTime() - pausedNs : 0;
            isPaused = false;
            notifyAll();
        }

        @Override
        public void park(Object blocker, long ns) {
            Clock.super.park(blocker, ns);
            synchronized (this) {
                while (isPaused) {
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        return;
                    }
                }
            }
        }
    }

    /** Connects a client with a clock. */
    public static ClusterStore connect(ClientConfig config, Clock clock) {
        return RemoteStore.of(ClusterClient.connect(config, Platform.SYSTEM.withClock(clock)
            .withChance(new SplittableRandom(System.nanoTime())::nextLong)), config.level());
    }
}
