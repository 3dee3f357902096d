package io.teff.cluster.raft;

import io.teff.cluster.raft.RaftWorld.SimMember;
import io.teff.test.kit.Seed;
import java.util.List;

/** Runs of a {@link RaftWorld} by seed. */
final class RaftSearch {
    private static final long MS = RaftWorld.MS;

    private RaftSearch() {}

    /** Runs one seed; throws an error that names the seed if a promise is broken. Returns the world. */
    static RaftWorld run(long seed, RaftPlant plant) {
        int count = new int[] {3, 3, 3, 5, 1}[(int) (seed % 5)];
        RaftWorld world = new RaftWorld(seed, count, plant);
        try {
            world.found();
            world.run(20_000 * MS, () -> false);
            load(world);
            trouble(world, 60);
            world.run(15_000 * MS, () -> false);
            end(world);
            return world;
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(Seed.reproduce(RaftSearchTest.class, seed) + ": " + e.getMessage()
                + world.told(), e);
        }
    }

    private static void load(RaftWorld world) {
        world.members().forEach(SimMember::propose);
        world.after(1 + world.random.nextLong(40 * MS), () -> load(world));
    }

    private static void trouble(RaftWorld world, int left) {
        if (left == 0) {
            return;
        }
        List<SimMember> all = world.members();
        SimMember one = all.get(world.random.nextInt(all.size()));
        switch (world.random.nextInt(18)) {
            case 0, 1 -> one.kill(false);
            case 2 -> one.kill(true);
            case 3, 4, 5 -> one.start();
            case 6 -> all.forEach(member -> member.kill(world.random.nextBoolean()));
            case 7, 8 -> world.cut(one.number, world.random.nextInt(all.size()));
            case 9 -> world.heal();
            case 10 -> one.pause(world.random.nextLong(1_500 * MS));
            case 11, 12 -> elections(world);
            case 13, 14 -> aside(world);
            case 15, 16 -> one.fill();
            default -> lose(world, one);
        }
        world.run(world.random.nextLong(900 * MS), () -> false);
        trouble(world, left - 1);
    }

    /** Ends the leader, and restarts members one after the other while they elect another one. */
    private static void elections(RaftWorld world) {
        List<SimMember> all = world.members();
        all.stream().filter(SimMember::isLeading).forEach(leader -> leader.kill(world.random.nextBoolean()));
        world.run(250 * MS + world.random.nextLong(300 * MS), () -> false);
        for (int i = 0; i < 30; i++) {
            SimMember one = all.get(world.random.nextInt(all.size()));
            one.kill(world.random.nextBoolean());
            world.run(world.random.nextLong(3 * MS), () -> false);
            all.forEach(SimMember::start);
            world.run(world.random.nextLong(60 * MS), () -> false);
        }
    }

    /** Cuts the leader off, which goes on for a while, and starts it again. */
    private static void aside(RaftWorld world) {
        List<SimMember> all = world.members();
        SimMember leader = all.stream().filter(SimMember::isLeading).findAny().orElse(all.getFirst());
        all.forEach(other -> {
            if (other != leader) {
                world.cut(leader.number, other.number);
                world.cut(other.number, leader.number);
            }
        });
        world.run(world.random.nextLong(1_200 * MS), () -> false);
        leader.kill(world.random.nextBoolean());
        world.run(world.random.nextLong(600 * MS), () -> false);
        leader.start();
        world.heal();
    }

    /** Loses a disk while all other members are whole and run, so that a majority is left. */
    private static void lose(RaftWorld world, SimMember one) {
        boolean areOthersUp = world.members().stream().allMatch(member -> member == one || member.isUp());
        boolean isWhole = world.members().stream().allMatch(SimMember::isUp);
        if (world.members().size() > 2 && areOthersUp && isWhole && world.isComplete()) {
            one.kill(true);
            one.loseDisk();
            world.run(1_000 * MS, () -> false);
        }
    }

    private static void end(RaftWorld world) {
        world.calm();
        world.run(2_000 * MS, () -> false);                     // a member with a full disk notices
        world.members().forEach(SimMember::start);
        long before = world.acknowledged();
        if (!world.run(60_000 * MS, () -> world.isComplete() && world.acknowledged() > before + 20)) {
            throw new AssertionError("the cell does not go on: " + world.members().stream()
                .map(SimMember::detail).toList());
        }
        long index = world.members().stream().mapToLong(SimMember::index).max().orElse(0);
        if (!world.run(20_000 * MS, () -> world.members().stream().allMatch(member -> member.index() >= index))) {
            throw new AssertionError("a member does not catch up with " + index + ": " + world.members());
        }
        world.check();
    }
}
