package io.teff.cluster.peer;

import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.peer.SimClient.End;
import io.teff.cluster.peer.SimCollectionCall.What;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * What a thread of a client does with collections: with a queue, a list, counters and batches of each zone, and with a
 * map whose partitions are in several zones. As in the product, the row of that map is put unless there is one, and a
 * partition is made at its first use, in the zone that the row names.
 */
final class SimCollections {
    /** Name of the queue of a zone. */
    static final String QUEUE = "queue";
    /** Name of the list of a zone. */
    static final String LIST = "list";
    private static final String BATCH = "batch";
    private static final String COUNTERS = "counters";
    private static final String ROWS = "rows";
    private static final String WIDE = "wide";
    /** Maps of a zone, and what is added to their keys among the entries of the zone. */
    static final Map<String, Long> MAPS = Map.of(BATCH, 2_000L, COUNTERS, 2_100L, ROWS, 2_200L, WIDE + 0, 2_300L,
        WIDE + 1, 2_400L, WIDE + 2, 2_500L);
    private static final int LIST_INDEXES = 4;
    private static final int ZONE_BITS = 16;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final SimClient client;
    private final SimObjects objects;
    private final SplittableRandom random;
    private final Map<String, Long> roots = new HashMap<>();
    /** The zones of the partitions; 0 while the row is unknown. */
    private long row;

    SimCollections(SimClient client, SimObjects objects) {
        this.client = client;
        this.objects = objects;
        random = client.world.random;
    }

    /** Does one operation. */
    void begin(int zone, int slot, Runnable then) {
        int drawn = random.nextInt(10);
        if (drawn < 3) {
            queue(zone, slot, then);
        } else if (drawn < 5) {
            list(zone, slot, then);
        } else if (drawn < 7) {
            maps(zone, slot, then);
        } else {
            wide(slot, then);
        }
    }

    /** Opens a collection unless its root is known, and goes on with the root. */
    private void open(What how, int zone, String name, int slot, Runnable then, Consumer<Long> next) {
        String key = name + ' ' + zone;
        Long root = roots.get(key);
        if (root != null) {
            next.accept(root);
            return;
        }
        call(how, zone, name, 0, 0, 0, slot, answer -> roots.put(key, answer.result()), then);
    }

    private void call(What what, int zone, String name, long root, long at, long value, int slot,
                      Consumer<OperationAnswer> answered, Runnable then) {
        client.call(new SimCollectionCall(what, zone, name, root, at, value, objects, answered), slot, 0, outcome -> {
            if (outcome.end() == End.ABSENT) {
                roots.values().removeIf(known -> known == root);
            }
            then.run();
        });
    }

    private void call(What what, int zone, String name, long root, long at, int slot, Runnable then) {
        call(what, zone, name, root, at, objects.registers.nextValue(), slot, _ -> { }, then);
    }

    private What pick(What... all) {
        return all[random.nextInt(all.length)];
    }

    private void queue(int zone, int slot, Runnable then) {
        open(What.OPEN_QUEUE, zone, QUEUE, slot, then, root -> call(pick(What.OFFER, What.OFFER, What.OFFER_ALL,
            What.POLL, What.POLL, What.POLL, What.POLL, What.PEEK), zone, QUEUE + ' ' + zone, root, 0, slot, then));
    }

    private void list(int zone, int slot, Runnable then) {
        open(What.OPEN_LIST, zone, LIST, slot, then, root -> call(pick(What.ADD, What.INSERT, What.SET, What.GET,
            What.REMOVE, What.REMOVE), zone, LIST + ' ' + zone, root, random.nextInt(LIST_INDEXES), slot, then));
    }

    private void maps(int zone, int slot, Runnable then) {
        What what = pick(What.COUNT, What.COUNT, What.COUNT_READ, What.COUNT_ALL, What.PUT_ALL, What.GET_ALL,
            What.GET_ALL, What.REMOVE_ALL);
        boolean isOfCounters = what == What.COUNT || what == What.COUNT_READ || what == What.COUNT_ALL;
        open(What.OPEN_MAP, zone, isOfCounters ? COUNTERS : BATCH, slot, then, root -> call(what, zone, "", root,
            random.nextInt(SimCollectionCall.BATCH), slot, then));
    }

    // ---- the map with partitions ----

    private void wide(int slot, Runnable then) {
        if (row == 0) {
            open(What.OPEN_MAP, 1, ROWS, slot, then, root -> {
                long mine = drawnZones();
                call(What.ROW, 1, ROWS, root, 0, mine, slot, answer -> row = SimCollectionCall.isAbsent(answer) ? mine
                    : MemorySegment.ofArray(answer.bytes()).get(LONG, OperationFormat.HEAD_BYTES), then);
            });
            return;
        }
        What what = pick(What.PUT, What.PUT, What.TAKE, What.READ, What.READ, What.SCAN);
        int key = random.nextInt(SimCollectionCall.WIDE_KEYS);
        int partition = key % SimCollectionCall.PARTITIONS;
        int zone = (int) (row >>> partition * ZONE_BITS & (1 << ZONE_BITS) - 1);
        open(What.OPEN_MAP, zone, WIDE + partition, slot, then, root -> call(what, zone, "", root,
            what == What.SCAN ? partition : key, slot, then));
    }

    private long drawnZones() {
        List<ZoneRow> zones = client.tables().zones().stream().toList();
        long drawn = 0;
        for (int i = 0; i < SimCollectionCall.PARTITIONS; i++) {
            drawn |= (long) zones.get(random.nextInt(zones.size())).zone() << i * ZONE_BITS;
        }
        return drawn;
    }
}
