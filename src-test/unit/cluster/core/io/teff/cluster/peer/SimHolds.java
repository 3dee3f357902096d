package io.teff.cluster.peer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What clients hold of the locks and semaphores of a simulated cluster. At each grant, no more clients may be certain
 * that they hold than there are permits. Tokens of a name are different, and rise with the grants.
 */
final class SimHolds {
    private final SimWorld world;
    private final Plant plant;
    private final Map<String, List<Hold>> holds = new HashMap<>();
    private final Map<String, Set<Long>> tokens = new HashMap<>();
    private long grants;

    /** A place that a client was granted. */
    static final class Hold {
        final long place;
        final long token;
        private final SimServices.Session session;
        private final long returnedNs;
        private boolean isLeft;

        Hold(long place, long token, SimServices.Session session, long returnedNs) {
            this.place = place;
            this.token = token;
            this.session = session;
            this.returnedNs = returnedNs;
        }

        /** The client leaves the place from now on. */
        void leaves() {
            isLeft = true;
        }

        boolean isHeld(long nowNs) {
            return !isLeft && session.isCertain(nowNs);
        }
    }

    SimHolds(SimWorld world, Plant plant) {
        this.world = world;
        this.plant = plant;
    }

    /** Returns for how long a client counts on its session after a sign of life. */
    long heldNs(long leaseNs) {
        return plant.heldNs(leaseNs - leaseNs / 100);
    }

    /** A client was granted a place. */
    void granted(String name, int permits, long calledNs, Hold hold) {
        grants++;
        List<Hold> all = holds.computeIfAbsent(name, _ -> new ArrayList<>());
        if (!tokens.computeIfAbsent(name, _ -> new HashSet<>()).add(hold.token)) {
            world.fail("token " + hold.token + " of " + name + " was granted twice");
        }
        all.stream().filter(other -> other.returnedNs < calledNs && other.token > hold.token).findAny()
            .ifPresent(other -> world.fail("token " + hold.token + " of " + name + " comes after " + other.token));
        all.add(hold);
        long now = world.nowNs();
        long held = all.stream().filter(each -> each.isHeld(now)).count();
        if (held > permits) {
            world.fail(name + " is held by " + held + " clients, and has " + permits + " permits");
        }
    }

    long grants() {
        return grants;
    }
}
