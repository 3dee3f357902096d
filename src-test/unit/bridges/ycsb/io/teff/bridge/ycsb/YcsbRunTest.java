package io.teff.bridge.ycsb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** Small runs of all workloads of YCSB, with data integrity. */
class YcsbRunTest {
    private static final int RECORDS = 200;
    private static final int OPERATIONS = 400;

    @TempDir
    private Path folder;

    private Properties properties(String store) {
        Properties properties = new Properties();
        properties.setProperty(TeffDb.STORE, store);
        properties.setProperty(TeffDb.FOLDER, folder.resolve("data").toString());
        properties.setProperty("recordcount", Integer.toString(RECORDS));
        properties.setProperty("operationcount", Integer.toString(OPERATIONS));
        properties.setProperty("threadcount", "2");
        properties.setProperty("fieldlength", "60");        // longer than a key: else fields are equal
        return properties;
    }

    private static YcsbRun.Result run(Supplier<? extends DB> binding, String workload, Properties properties)
            throws Exception {
        YcsbRun.Result result = new YcsbRun(binding, workload, properties).run();
        assertEquals(RECORDS, result.loaded());
        assertEquals(OPERATIONS, result.done());
        return result;
    }

    @ParameterizedTest
    @CsvSource({"local, a", "local, b", "local, c", "local, d", "local, e", "local, f", "durable, a", "durable, e",
        "durable, f"})
    void workload_hasTheValuesThatItHasWritten(String store, String workload) throws Exception {
        YcsbRun.Result result = run(TeffDb::new, workload, properties(store));
        assertTrue(result.isRight(), result.text());
        assertTrue(result.text().contains("[INSERT], Operations, "), result.text());
        assertEquals(workload.equals("e"), result.verified() == 0, result.text());
    }

    /** A planted fault: an update gives a field the value of another field. */
    @Test
    void workload_ofABindingThatMixesFields_isWrong() throws Exception {
        assertFalse(run(() -> new Changed() {
            @Override
            public Status update(String table, String key, Map<String, ByteIterator> values) {
                byte[] value = values.values().iterator().next().toArray();
                return super.update(table, key, Map.of("field0", new ByteArrayByteIterator(value), "field1",
                    new ByteArrayByteIterator(value)));
            }
        }, "a", properties("local")).isRight());
    }

    /** A planted fault: records overwrite each other. */
    @Test
    void workload_ofABindingThatMixesRecords_isWrong() throws Exception {
        assertFalse(run(() -> new Changed() {
            @Override
            public Status insert(String table, String key, Map<String, ByteIterator> values) {
                return super.insert(table, key.substring(0, key.length() - 1) + '0', values);
            }
        }, "c", properties("local")).isRight());
    }

    /** A binding to plant faults into. */
    private static class Changed extends DB {
        private final TeffDb its = new TeffDb();

        @Override
        public void init() throws site.ycsb.DBException {
            its.setProperties(getProperties());
            its.init();
        }

        @Override
        public void cleanup() throws site.ycsb.DBException {
            its.cleanup();
        }

        @Override
        public Status read(String table, String key, java.util.Set<String> fields, Map<String, ByteIterator> result) {
            return its.read(table, key, fields, result);
        }

        @Override
        public Status scan(String table, String first, int count, java.util.Set<String> fields,
                           java.util.Vector<java.util.HashMap<String, ByteIterator>> result) {
            return its.scan(table, first, count, fields, result);
        }

        @Override
        public Status update(String table, String key, Map<String, ByteIterator> values) {
            return its.update(table, key, values);
        }

        @Override
        public Status insert(String table, String key, Map<String, ByteIterator> values) {
            return its.insert(table, key, values);
        }

        @Override
        public Status delete(String table, String key) {
            return its.delete(table, key);
        }
    }

    @Test
    void workload_withoutName_isRefused() {
        assertThrows(IllegalArgumentException.class, () -> new YcsbRun(TeffDb::new, "g", new Properties()));
    }
}
