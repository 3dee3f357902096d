package io.teff.cluster.peer;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.peer.LockHistory.Hold;
import io.teff.cluster.peer.SimClient.End;
import io.teff.cluster.peer.SimClient.Outcome;
import io.teff.engine.Cid;
import io.teff.engine.error.Status;
import io.teff.engine.zone.ChunkChange.Change;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What a thread of a client does with a lock: takes it, works under it, exchanges it, pauses, perhaps for longer than
 * its lease, and releases it, or never does. The lock is renewed meanwhile, or not. Afterwards the thread may still use
 * the token.
 */
final class SimLocker {
    private static final int STEPS_MAX = 6;

    private final SimClient client;
    private final SimWorld world;
    private final SplittableRandom random;
    private final LockHistory locks;
    private final Histories histories;
    private final int slot;
    private final long cid;
    private final long leaseNs;
    private final boolean isRenewed;
    private final Runnable then;
    private int steps;
    private boolean isOver;

    SimLocker(SimClient client, LockHistory locks, Histories histories, int slot, long cid, Runnable then) {
        this.client = client;
        this.locks = locks;
        this.histories = histories;
        this.slot = slot;
        this.cid = cid;
        this.then = then;
        world = client.world;
        random = world.random;
        leaseNs = world.between(150 * SimWorld.MS, 1_500 * SimWorld.MS);
        isRenewed = random.nextBoolean();
        steps = 1 + random.nextInt(STEPS_MAX);
    }

    void begin() {
        boolean isWrite = random.nextInt(3) > 0;
        WriteLevel level = client.level();
        client.call(SimOperation.lock(level, cid, isWrite, leaseNs, null), slot, client.lockWaitNs(), outcome -> {
            if (outcome.end() == End.DONE && !Status.isStatus(outcome.result())) {
                Hold hold = granted(outcome, isWrite, level);
                renewLater(hold);
                stepLater(hold);
            } else {
                end();
            }
        });
    }

    private Hold granted(Outcome outcome, boolean isWrite, WriteLevel level) {
        return locks.granted(cid, isWrite, outcome.result(), outcome.session(), level, client + ", session "
            + outcome.session(), outcome.calledNs(), outcome.sentNs(), world.nowNs(), leaseNs);
    }

    private void end() {
        isOver = true;
        then.run();
    }

    private void stepLater(Hold hold) {
        long pauseNs = random.nextInt(4) == 0 ? world.between(0, leaseNs * 3 / 2) : world.between(0, 60 * SimWorld.MS);
        world.after(client, pauseNs, () -> step(hold));
    }

    private void step(Hold hold) {
        if (client.isStopped() || steps-- == 0) {
            release(hold);
            return;
        }
        switch (random.nextInt(8)) {
            case 0 -> swap(hold);
            case 1 -> call(SimOperation.of(OperationType.REMOVE, client.level(), cid, 0, 0, hold), hold);
            case 2 -> call(SimOperation.of(OperationType.COMPARE_AND_SET, client.level(), cid, histories.guess(cid),
                histories.nextValue(), hold), hold);
            case 3, 4 -> call(SimOperation.of(OperationType.GET, client.level(), cid, 0, 0, hold), hold);
            case 5 -> {
                var changes = client.group(Cid.nid(cid));
                if (changes.stream().anyMatch(it -> it.cid() == cid)) {
                    call(SimOperation.group(client.level(), changes, hold), hold);
                } else {
                    stepLater(hold);
                }
            }
            default -> call(SimOperation.of(OperationType.PUT, client.level(), cid, 0, histories.nextValue(), hold),
                hold);
        }
    }

    /** Does something as the holder; a removal of the chunk ends the lock. */
    private void call(SimOperation operation, Hold hold) {
        boolean mayRemove = operation.type() == OperationType.REMOVE || operation.group().stream()
            .anyMatch(it -> it.cid() == cid && it.change() == Change.REMOVE);
        if (mayRemove) {
            hold.ends(world.nowNs());
        }
        client.call(operation, slot, client.lockWaitNs(), outcome -> {
            if (outcome.end() == End.FENCED) {
                refused(hold);
            } else if (mayRemove) {
                removed(operation, outcome, hold);
            } else {
                stepLater(hold);
            }
        });
    }

    private void removed(SimOperation operation, Outcome outcome, Hold hold) {
        boolean isLeft = outcome.end() == End.LOCKED || outcome.end() == End.DONE && operation.type()
            == OperationType.GROUP && outcome.result() != Status.OK;
        if (isLeft) {
            hold.goesOn(world.nowNs());
            stepLater(hold);
        } else {
            end();
        }
    }

    private void refused(Hold hold) {
        locks.refused(hold, world.nowNs());
        end();
    }

    private void swap(Hold hold) {
        boolean toWrite = !hold.isWrite;
        WriteLevel level = client.level();
        hold.ends(world.nowNs());
        client.call(SimOperation.lock(level, cid, toWrite, leaseNs, hold), slot, client.lockWaitNs(), outcome -> {
            if (outcome.end() == End.DONE && !Status.isStatus(outcome.result())) {
                locks.swapped(hold, world.nowNs());
                Hold next = granted(outcome, toWrite, level);
                renewLater(next);
                stepLater(next);
            } else if (outcome.end() == End.LOCKED) {
                hold.goesOn(world.nowNs());
                renewLater(hold);
                stepLater(hold);
            } else {
                end();
            }
        });
    }

    private void release(Hold hold) {
        if (random.nextInt(6) == 0) {                           // as a client that has ended
            end();
            return;
        }
        hold.ends(world.nowNs());
        client.call(new SimOperation(OperationType.UNLOCK, client.level(), cid, 0, 0, 0, hold, List.of()), slot, 0,
            outcome -> {
                if (outcome.end() == End.DONE) {
                    hold.gone(world.nowNs());
                }
                if (random.nextInt(3) == 0 && !client.isStopped()) {
                    client.call(SimOperation.of(OperationType.PUT, client.level(), cid, 0, histories.nextValue(), hold),
                        slot, 0, _ -> end());
                } else {
                    end();
                }
            });
    }

    // ---- renewing ----

    private void renewLater(Hold hold) {
        if (isRenewed) {
            world.after(client, leaseNs / 3, () -> renew(hold));
        }
    }

    private void renew(Hold hold) {
        if (isOver || hold.isOver() || client.isStopped()) {
            return;
        }
        client.call(new SimOperation(OperationType.RENEW_LOCK, WriteLevel.OWNER, cid, 0, 0, 0, hold, List.of()), slot,
            0, outcome -> {
                if (outcome.end() == End.DONE && outcome.result() == Status.OK) {
                    hold.renewed(outcome.sentNs());
                    renewLater(hold);
                } else if (outcome.end() == End.DONE && !hold.isOver()) {
                    locks.refused(hold, world.nowNs());
                }
            });
    }
}
