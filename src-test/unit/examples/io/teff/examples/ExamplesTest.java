package io.teff.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Goal: each example works and prints what it promises. Method: runs its {@code main} and compares the output. */
final class ExamplesTest {
    @Test
    void firstStore_main_printsItsResult() throws Exception {
        assertEquals("""
            0:1.0 holds hello
            after put: 13 bytes
            convenient
            after remove: ABSENT, chunks: 0
            """, Printed.by(FirstStore::main));
    }

    @Test
    void fieldsAndCounters_main_printsItsResult() throws Exception {
        assertEquals("""
            visits: 40000
            longest: 499 ms
            flags: 1
            after remove: -1
            """, Printed.by(FieldsAndCounters::main));
    }

    @Test
    void storeOrCluster_main_printsItsResult() throws Exception {
        assertEquals("""
            moon
            1000 chunks, the last one is number 999
            removed: 1000
            """, Printed.by(() -> StoreOrCluster.main(new String[0])));
    }

    @Test
    void viewsInPlace_main_printsItsResult() throws Exception {
        assertEquals("""
            300 at 101.25
            turnover: 30375.0
            resize inside of an edit: PINNED
            left: 200
            view of a chunk that does not exist: ABSENT
            """, Printed.by(ViewsInPlace::main));
    }

    @Test
    void batches_main_printsItsResult() throws Exception {
        assertEquals("""
            created: 1000
            sum: 499500
            removed: 2 of 3; the first: ABSENT, the second: 16 bytes
            got: 997 chunks, 15952 bytes
            """, Printed.by(Batches::main));
    }

    @Test
    void namedCollections_main_printsItsResult() throws Exception {
        assertEquals("""
            the: 3, words: 5
            German accounts: {DE-1=Account[owner=Noether, cents=9900], DE-3=Account[owner=Lovelace, cents=4200]}
            first: CH-1
            next job: wash, left: 2
            sum: 17
            found again: 3
            after clear: true
            """, Printed.by(NamedCollections::main));
    }

    @Test
    void typedRecords_main_printsItsResult() throws Exception {
        assertEquals("""
            0:2.0 has 4150 cents for two engines
            now 4200 cents
            owner: Person[name=Ada, born=1815-12-10, languages=[en, fr]]
            owner present: false
            """, Printed.by(TypedRecords::main));
    }

    @Test
    void snapshotAndRestore_main_printsItsResult() throws Exception {
        assertEquals("""
            snapshot written, and complete: true
            capital of Peru: Lima
            the chunk has 3 bytes at the same CID
            """, Printed.by(SnapshotAndRestore::main));
    }

    @Test
    void survivesKill_main_printsItsResult() throws Exception {
        assertEquals("""
            killed after at least 1000 changes: true
            acknowledged and lost: 0
            999 has square: 998001
            """, Printed.by(() -> SurvivesKill.main(new String[0])));
    }

    @Test
    void twoNodes_main_printsItsResult() throws Exception {
        assertEquals("""
            price: 15
            without waiting: 8
            loop: [hello from 2, good morning from 2]
            price: 15
            without waiting: 8
            tcp: [hello from 2, good morning from 2]
            """, Printed.by(TwoNodes::main));
    }
}
