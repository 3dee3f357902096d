package io.teff.cluster.peer;

import io.teff.cluster.collect.PartReport;
import io.teff.cluster.collect.RangeState;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.operation.MoveMode;
import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.peer.SimClient.End;
import io.teff.cluster.peer.SimRangeCall.What;
import io.teff.engine.Cid;
import io.teff.engine.codec.Output;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a thread of a client does with a sorted map whose parts are in several zones: changes and reads entries, reads
 * all entries by pages, and takes steps of splits. The bounds that the client knows, and the help for slices that no
 * part has, are as in the product. The row of the map has the zone of each part; the plan of the splits is fixed.
 */
final class SimRanges {
    /** Name of a part, in front of the number of the part. */
    static final String NAME = "ranged ";
    /** Parts of the map after all splits. */
    static final int PARTS = 4;
    private static final String ROWS = "rows";
    /** The row of this map in the map of rows. */
    private static final int ROW = 1;
    private static final int ZONE_BITS = 16;
    private static final int ATTEMPTS = 12;
    private static final int STEPS = 4;
    /** The part that splits, the target, and the key of the split; each row needs the split of an earlier row. */
    private static final int[][] PLAN = {{0, 1, 6}, {0, 2, 3}, {1, 3, 9}};
    /** The row whose end a row needs, because both split one part; or -1. */
    private static final int[] BEHIND = {-1, 0, -1};
    private static final byte[] NONE = {};
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final SimClient client;
    private final SimObjects objects;
    private final SplittableRandom random;
    /** Roots of parts by the low bounds that this client knows. */
    private final TreeMap<Integer, Long> table = new TreeMap<>();
    private final Map<Integer, Long> roots = new HashMap<>();
    /** The zones of the parts; 0 while the row is unknown. */
    private long row;
    /** Root of the map of rows; 0 while it is unknown. */
    private long rows;
    private long moved;

    SimRanges(SimClient client, SimObjects objects) {
        this.client = client;
        this.objects = objects;
        random = client.world.random;
    }

    /** Returns how many slices this client has moved. */
    long moved() {
        return moved;
    }

    /** Does one operation. */
    void begin(int slot, Runnable then) {
        if (row == 0) {
            row(slot, then);
        } else if (table.isEmpty()) {
            open(0, slot, then, root -> {
                table.putIfAbsent(0, root);
                then.run();
            });
        } else {
            int drawn = random.nextInt(10);
            if (drawn < 6) {
                What what = drawn < 3 ? What.PUT : drawn < 4 ? What.TAKE : What.READ;
                entry(what, random.nextInt(SimRangeCall.KEYS), 0, slot, then);
            } else if (drawn < 8) {
                scan(0, 0, slot, then);
            } else {
                split(random.nextInt(PLAN.length), slot, then);
            }
        }
    }

    // ---- the row ----

    private void row(int slot, Runnable then) {
        if (rows == 0) {
            client.call(new SimCollectionCall(SimCollectionCall.What.OPEN_MAP, 1, ROWS, 0, 0, 0, objects,
                answer -> rows = answer.result()), slot, 0, _ -> then.run());
            return;
        }
        long mine = drawnZones();
        client.call(new SimCollectionCall(SimCollectionCall.What.ROW, 1, ROWS, rows, ROW, mine, objects,
            answer -> row = SimCollectionCall.isAbsent(answer) ? mine
                : MemorySegment.ofArray(answer.bytes()).get(LONG, OperationFormat.HEAD_BYTES)), slot, 0,
            _ -> then.run());
    }

    private long drawnZones() {
        List<ZoneRow> zones = client.tables().zones().stream().toList();
        long drawn = 0;
        for (int i = 0; i < PARTS; i++) {
            drawn |= (long) zones.get(random.nextInt(zones.size())).zone() << i * ZONE_BITS;
        }
        return drawn;
    }

    private void open(int part, int slot, Runnable then, Consumer<Long> next) {
        Long known = roots.get(part);
        if (known != null) {
            next.accept(known);
            return;
        }
        long place = Cid.of((int) (row >>> part * ZONE_BITS & (1 << ZONE_BITS) - 1), 0);
        call(new SimRangeCall(What.OPEN, place, NAME + part, 0, 0, 0, MoveMode.LOOK, 0, 0, NONE, objects, _ -> { }),
            slot, then, answer -> {
                roots.put(part, answer.result());
                next.accept(answer.result());
            });
    }

    // ---- calls ----

    /** Does a call, and goes on with its answer, or ends the operation. */
    private void call(SimRangeCall call, int slot, Runnable then, Consumer<OperationAnswer> next) {
        OperationAnswer[] got = new OperationAnswer[1];
        client.call(new SimRangeCall(call.what(), call.root(), call.name(), call.key(), call.until(), call.value(),
            call.move(), call.first(), call.second(), call.content(), call.objects(), answer -> got[0] = answer), slot,
            0, outcome -> {
                if (outcome.end() == End.DONE && got[0] != null) {
                    next.accept(got[0]);
                } else {
                    then.run();
                }
            });
    }

    private SimRangeCall of(What what, long root, int key, int until, long value) {
        return new SimRangeCall(what, root, "", key, until, value, MoveMode.LOOK, 0, 0, NONE, objects, _ -> { });
    }

    private void move(MoveMode mode, long root, long first, long second, byte[] content, int slot, Runnable then,
                      Consumer<PartReport> next) {
        call(new SimRangeCall(What.MOVE, root, "", 0, 0, 0, mode, first, second, content, objects, _ -> { }), slot,
            then, answer -> next.accept(SimRangeCall.part(answer)));
    }

    /** Learns from the bounds of a part that has refused a key, helps if need be, and tries again. */
    private void refused(int low, RangeState state, int slot, Runnable then, Runnable again) {
        byte[] high = state.high();
        Map.Entry<Integer, Long> before = table.lowerEntry(low);
        if (high != null && !Integer.valueOf(high[0]).equals(table.higherKey(low))) {
            table.values().remove(state.next());
            table.put((int) high[0], state.next());
            again.run();
        } else if (before != null && table.containsKey(low)) {
            step(before.getValue(), table.get(low), slot, then, _ -> again.run());
        } else {
            then.run();
        }
    }

    // ---- entries ----

    private void entry(What what, int key, int attempt, int slot, Runnable then) {
        Map.Entry<Integer, Long> part = table.floorEntry(key);
        if (attempt == ATTEMPTS || part == null) {
            then.run();
            return;
        }
        call(of(what, part.getValue(), key, 0, objects.registers.nextValue()), slot, then, answer -> {
            if (answer.result() == SimRangeCall.ELSEWHERE) {
                refused(part.getKey(), SimRangeCall.state(answer), slot, then,
                    () -> entry(what, key, attempt + 1, slot, then));
            } else {
                then.run();
            }
        });
    }

    private void scan(int from, int attempt, int slot, Runnable then) {
        Map.Entry<Integer, Long> part = table.floorEntry(from);
        if (attempt == ATTEMPTS || part == null || from >= SimRangeCall.KEYS) {
            then.run();
            return;
        }
        Integer high = table.higherKey(from);
        SimRangeCall page = of(What.PAGE, part.getValue(), from, high == null ? SimRangeCall.KEYS : high, 0);
        call(page, slot, then, answer -> {
            if (answer.result() == SimRangeCall.ELSEWHERE) {
                refused(part.getKey(), SimRangeCall.state(answer), slot, then,
                    () -> scan(from, attempt + 1, slot, then));
            } else {
                scan(page.end(answer), attempt + 1, slot, then);
            }
        });
    }

    // ---- splits ----

    /** Takes a step of a split; goes on with whether a slice was moved. */
    private void step(long part, long target, int slot, Runnable then, Consumer<Boolean> next) {
        move(MoveMode.LOOK, target, 0, 0, NONE, slot, then, looked ->
            move(MoveMode.STEP, part, target, looked.state().taken(), NONE, slot, then, answer -> {
                if (answer.state().target() != target || !answer.state().hasSlice()) {
                    next.accept(false);
                    return;
                }
                List<byte[]> content = new ArrayList<>();
                content.add(answer.state().high());
                content.addAll(answer.slice());
                Output out = Output.growing(64);
                PartReport.putAll(out, content);
                move(MoveMode.TAKE, target, answer.state().slices(), 0, out.toByteArray(), slot, then, _ -> {
                    moved++;
                    next.accept(true);
                });
            }));
    }

    /** Begins a split of the plan, or continues the split. */
    private void split(int plan, int slot, Runnable then) {
        open(PLAN[plan][0], slot, then, part -> open(PLAN[plan][1], slot, then, target -> {
            if (BEHIND[plan] < 0) {
                begin(plan, part, target, null, slot, then);
            } else {
                open(PLAN[BEHIND[plan]][1], slot, then, earlier ->
                    move(MoveMode.LOOK, earlier, 0, 0, NONE, slot, then, looked -> {
                        if (looked.state().taken() > 0) {
                            begin(plan, part, target, earlier, slot, then);
                        } else {
                            then.run();
                        }
                    }));
            }
        }));
    }

    /** Begins a split of a part, whose split into an earlier target has ended. */
    private void begin(int plan, long part, long target, @Nullable Long earlier, int slot, Runnable then) {
        move(MoveMode.LOOK, target, 0, 0, NONE, slot, then, of -> move(MoveMode.LOOK, part, 0, 0, NONE, slot, then,
            state -> {
                if (state.state().target() == target) {
                    steps(part, target, STEPS, slot, then);
                } else if (of.state().taken() > 0) {
                    move(MoveMode.SETTLE, target, 0, 0, NONE, slot, then, _ -> then.run());
                } else if (state.state().isSplitting() || state.state().isUnborn()
                    || plan == PLAN.length - 1 && state.state().taken() == 0
                    || earlier != null && state.state().next() != earlier) {
                    then.run();
                } else {
                    make(plan, part, target, state.state(), slot, then);
                }
            }));
    }

    private void make(int plan, long part, long target, RangeState state, int slot, Runnable then) {
        Output made = Output.growing(64);
        made.putValue(RangeState.CODEC, RangeState.unborn(state.high(), state.next()));
        move(MoveMode.MAKE, target, 0, 0, made.toByteArray(), slot, then, _ ->
            move(MoveMode.BEGIN, part, target, state.next(), random.nextBoolean() ? NONE
                : SimRangeCall.bytes(PLAN[plan][2]), slot, then, _ -> steps(part, target, STEPS, slot, then)));
    }

    private void steps(long part, long target, int left, int slot, Runnable then) {
        if (left == 0 || random.nextInt(STEPS) == 0) {
            then.run();
        } else {
            step(part, target, slot, then, isMoved -> {
                if (isMoved) {
                    steps(part, target, left - 1, slot, then);
                } else {
                    then.run();
                }
            });
        }
    }
}
