package io.teff.test.bench.collect;

import io.teff.engine.codec.schema.Codecs;
import io.teff.test.bench.store.Contender;
import io.teff.test.bench.store.KeyedMaps;
import io.teff.test.bench.store.StoreKind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The compared structures, Teff's first in each family, each configured as its documentation advises. */
public enum CollectionKind implements Contender {
    /** Teff's map of numbers, by its methods without boxing. */
    MAP_TEFF_LONG(Family.MAP, "Teff ChunkLongMap", StoreKind.TEFF),
    /** Teff's map, by the methods of {@link java.util.concurrent.ConcurrentMap} only. */
    MAP_TEFF(Family.MAP, "Teff ChunkMap", StoreKind.TEFF),
    /** The JDK's map. */
    MAP_CHM(Family.MAP, "ConcurrentHashMap", StoreKind.CHM),
    /** Chronicle Map, presized. */
    MAP_CHRONICLE(Family.MAP, "Chronicle Map", StoreKind.CHRONICLE),
    /** Teff's sorted map. */
    SORTED_TEFF(Family.SORTED, "Teff ChunkSortedMap", StoreKind.TEFF),
    /** MapDB's sorted map in direct memory. */
    SORTED_MAPDB(Family.SORTED, "MapDB BTreeMap", StoreKind.MAPDB),
    /** The JDK's sorted map. */
    SORTED_SKIPLIST(Family.SORTED, "ConcurrentSkipListMap", StoreKind.CHM),
    /** Teff's set. */
    SET_TEFF(Family.SET, "Teff ChunkSet", StoreKind.TEFF),
    /** The JDK's concurrent set. */
    SET_CHM(Family.SET, "ConcurrentHashMap.newKeySet", StoreKind.CHM),
    /** Teff's list. */
    LIST_TEFF(Family.LIST, "Teff ChunkList", StoreKind.TEFF),
    /** The JDK's single-threaded list. */
    LIST_ARRAY(Family.LIST, "ArrayList", StoreKind.CHM),
    /** Teff's queue. */
    QUEUE_TEFF(Family.QUEUE, "Teff ChunkQueue", StoreKind.TEFF),
    /** The JDK's concurrent queue. */
    QUEUE_LINKED(Family.QUEUE, "ConcurrentLinkedQueue", StoreKind.CHM),
    /** Growth of Teff's map. */
    GROWTH_TEFF(Family.GROWTH, "Teff ChunkLongMap", StoreKind.TEFF),
    /** Growth of Teff's map in a store without automatic defragmentation. */
    GROWTH_TEFF_STILL(Family.GROWTH, "Teff, defragCpuPercent(0)", StoreKind.TEFF),
    /** Growth of the JDK's map. */
    GROWTH_CHM(Family.GROWTH, "ConcurrentHashMap", StoreKind.CHM);

    private final Family family;
    private final String title;
    private final StoreKind like;

    /** The store {@code like} is in the same place, on the heap or off it, and needs the same flags. */
    CollectionKind(Family family, String title, StoreKind like) {
        this.family = family;
        this.title = title;
        this.like = like;
    }

    /** {@return the family that it is compared within} */
    public Family family() {
        return family;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public boolean isOffHeap() {
        return like.isOffHeap();
    }

    @Override
    public List<String> flags() {
        return like.flags();
    }

    /** Returns the trial that measures it. */
    Trial trial(CollectionPlan plan) {
        long memory = plan.storeBytes();
        return switch (this) {
            case MAP_TEFF_LONG -> new MapTrial<>(plan, count -> KeyedMaps.teffLong(memory));
            case MAP_TEFF -> new MapTrial<>(plan, count -> KeyedMaps.teff(memory));
            case MAP_CHM -> new MapTrial<>(plan, count -> KeyedMaps.concurrentHashMap());
            case MAP_CHRONICLE -> new MapTrial<>(plan, count -> KeyedMaps.chronicle(count, Content.VALUES));
            case SORTED_TEFF -> new SortedTrial(plan, count -> KeyedMaps.teffSorted(memory));
            case SORTED_MAPDB -> new SortedTrial(plan, count -> KeyedMaps.mapDbTree());
            case SORTED_SKIPLIST -> new SortedTrial(plan, count -> KeyedMaps.skipList());
            case SET_TEFF -> new SetTrial(plan, () -> Held.teff(memory, store -> store.set("bench", Codecs.LONG)));
            case SET_CHM -> new SetTrial(plan, () -> Held.onHeap(ConcurrentHashMap.newKeySet()));
            case LIST_TEFF -> new ListTrial(plan, () -> Held.teff(memory, store -> store.list("bench", Codecs.LONG)));
            case LIST_ARRAY -> new ListTrial(plan, () -> Held.onHeap(new ArrayList<>()));
            case QUEUE_TEFF -> new QueueTrial(plan,
                () -> Held.teff(memory, store -> store.queue("bench", Codecs.LONG)));
            case QUEUE_LINKED -> new QueueTrial(plan, () -> Held.onHeap(new ConcurrentLinkedQueue<>()));
            case GROWTH_TEFF -> new GrowthTrial(plan, count -> KeyedMaps.teffLong(memory));
            case GROWTH_TEFF_STILL -> new GrowthTrial(plan, count -> KeyedMaps.teffLongStill(memory));
            case GROWTH_CHM -> new GrowthTrial(plan, count -> KeyedMaps.concurrentHashMap());
        };
    }
}
