package io.teff.test.crash;

import java.nio.file.Path;
import java.util.List;

/**
 * The task of a child.
 *
 * @param folder folder of the store
 * @param ledger file of the ledger
 * @param seed seed of its load
 * @param isSynced whether the store's level is SYNCED instead of LOGGED
 * @param isTolerant whether the disk may be full or fail
 * @param endsStacks whether stacks of further threads end in the middle of records
 * @param plant a fault of its load
 */
record WorkerPlan(Path folder, Path ledger, long seed, boolean isSynced, boolean isTolerant, boolean endsStacks,
                  Plant plant) {
    private static final int ARGUMENTS = 7;

    List<String> arguments() {
        return List.of(folder.toString(), ledger.toString(), Long.toString(seed), Boolean.toString(isSynced),
            Boolean.toString(isTolerant), Boolean.toString(endsStacks), plant.name());
    }

    static WorkerPlan parse(String... arguments) {
        if (arguments.length != ARGUMENTS) {
            throw new IllegalArgumentException("arguments=" + List.of(arguments));
        }
        return new WorkerPlan(Path.of(arguments[0]), Path.of(arguments[1]), Long.parseLong(arguments[2]),
            Boolean.parseBoolean(arguments[3]), Boolean.parseBoolean(arguments[4]),
            Boolean.parseBoolean(arguments[5]), Plant.valueOf(arguments[6]));
    }
}
