package io.teff.cluster.peer;

import io.teff.engine.os.Clock;

/** A machine of a simulated cluster with one process: its clocks, and whether it runs. */
class SimNode {
    final SimWorld world;
    final String name;
    /** Number among all nodes of the world, from 0. */
    final int place;
    /** Counts processes; what an earlier one has left does nothing. */
    int process;
    boolean isUp;
    long pausedUntilNs;
    private final double speed;
    private final long originNs;
    private long stoodStillNs;
    private long frozenNs = -1;

    final Clock clock = new Clock() {
        @Override
        public long nowNs() {
            return originNs + (long) (localNs() * speed);
        }

        @Override
        public long epochMs() {
            return (seesSleep() ? originNs + world.nowNs() : nowNs()) / SimWorld.MS;
        }

        @Override
        public void park(Object blocker, long ns) {
            throw new AssertionError(name + " waits at " + blocker);
        }
    };

    SimNode(SimWorld world, String name, double speed, long originNs) {
        this.world = world;
        this.name = name;
        place = world.add(this);
        this.speed = speed;
        this.originNs = originNs;
    }

    private long localNs() {
        return frozenNs >= 0 ? frozenNs : world.nowNs() - stoodStillNs;
    }

    /** Stops the process for a time, as SIGSTOP does; the monotonic clock stands still, too, if the machine sleeps. */
    void pause(long ns, boolean isAsleep) {
        pausedUntilNs = Math.max(pausedUntilNs, world.nowNs() + ns);
        if (isAsleep && frozenNs < 0) {
            frozenNs = localNs();
        }
    }

    /** Called before the process goes on. */
    void awake() {
        if (frozenNs >= 0) {
            stoodStillNs = world.nowNs() - frozenNs;
            frozenNs = -1;
        }
    }

    /** Whether the wall clock goes on while the machine is asleep. */
    boolean seesSleep() {
        return true;
    }

    boolean isRunning() {
        return isUp && pausedUntilNs <= world.nowNs();
    }

    /** Ends the process. */
    void kill() {
        end(false);
    }

    /** Ends the process, also because its machine has no power. */
    void end(boolean hasNoPower) {
        isUp = false;
        process++;
        pausedUntilNs = 0;
        awake();
        world.wire().ends(this, hasNoPower);
    }

    @Override
    public String toString() {
        return name;
    }
}
