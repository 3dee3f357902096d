package io.teff.examples;

import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.TypedChunks;
import io.teff.engine.codec.schema.Schema;
import java.time.LocalDate;
import java.util.List;

/**
 * Typed chunks: objects in, objects out, one chunk each.
 *
 * <p>A {@link Schema} is derived from a record, without annotations, and turns values into bytes and back. Components
 * of fixed size have a fixed offset, so {@code store.fields()} reads and changes them without decoding the rest. A CID
 * inside a record is a reference to another chunk.
 */
public final class TypedRecords {
    private TypedRecords() {}

    /** A person. */
    record Person(String name, LocalDate born, List<String> languages) {}

    /** An account, which refers to its owner. */
    record Account(long owner, long cents, String purpose) {}

    static void main() {
        try (Store store = Store.open()) {
            TypedChunks<Person> people = new TypedChunks<>(store, Schema.of(Person.class));
            Schema<Account> schema = Schema.of(Account.class);
            TypedChunks<Account> accounts = new TypedChunks<>(store, schema);

            long ada = people.create(new Person("Ada", LocalDate.of(1815, 12, 10), List.of("en", "fr")));
            long savings = accounts.create(new Account(ada, 4_000, "a new engine"));

            // The whole value is replaced, atomically.
            Account saved = accounts.update(savings, old -> new Account(old.owner(), old.cents() + 150, "two engines"));
            IO.println(Cid.toString(savings) + " has " + saved.cents() + " cents for " + saved.purpose());

            // One component is changed in place.
            store.fields().getAndAddLong(savings, schema.offset("cents"), 50);
            Account account = accounts.get(savings).orElseThrow();
            IO.println("now " + account.cents() + " cents");

            // The reference is followed.
            IO.println("owner: " + people.get(account.owner()).orElseThrow());

            people.remove(ada);
            IO.println("owner present: " + people.get(account.owner()).isPresent());
        }
    }
}
