package io.teff.examples;

import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSortedMap;
import java.util.List;

/**
 * Collections: maps, sorted maps, sets, lists and queues whose entries are chunks.
 *
 * <p>They keep the contracts of {@code java.util} and {@code java.util.concurrent}; any number of threads may use one.
 * A collection has a name in its store. The first call with a name creates the collection, later calls return the same
 * one, also after a restore.
 */
public final class NamedCollections {
    private NamedCollections() {}

    /** An entry of a map may be any type that a schema can be derived of; records are the simplest. */
    record Account(String owner, long cents) {}

    static void main() {
        try (Store store = Store.open()) {
            ChunkMap<String, Integer> words = store.map("words", String.class, Integer.class);
            for (String word : "the cat and the hat and the bat".split(" ")) {
                words.merge(word, 1, Integer::sum);             // atomic
            }
            IO.println("the: " + words.get("the") + ", words: " + words.size());

            ChunkSortedMap<String, Account> accounts =
                store.sortedMap("accounts", Codecs.STRING, Codecs.of(Account.class));
            accounts.put("DE-3", new Account("Lovelace", 4_200));
            accounts.put("CH-1", new Account("Euler", 1_700));
            accounts.put("DE-1", new Account("Noether", 9_900));
            IO.println("German accounts: " + accounts.subMap("DE", "DF"));
            IO.println("first: " + accounts.firstKey());

            ChunkQueue<String> jobs = store.queue("jobs", Codecs.STRING);
            jobs.addAll(List.of("wash", "cook", "rest"));
            IO.println("next job: " + jobs.poll() + ", left: " + jobs.size());

            ChunkList<Long> primes = store.list("primes", Codecs.LONG);
            primes.addAll(List.of(2L, 3L, 5L, 7L));
            IO.println("sum: " + primes.stream().mapToLong(Long::longValue).sum());

            // The same name, and therefore the same map.
            IO.println("found again: " + store.map("words", String.class, Integer.class).get("the"));
            words.clear();
            IO.println("after clear: " + store.map("words", String.class, Integer.class).isEmpty());
        }
    }
}
