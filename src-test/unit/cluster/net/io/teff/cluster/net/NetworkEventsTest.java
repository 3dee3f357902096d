package io.teff.cluster.net;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.RequestType;
import io.teff.engine.codec.schema.Codecs;
import io.teff.test.kit.Project;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Goal: each event of the messaging layer is recorded when it is enabled by the template. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class NetworkEventsTest {
    private static final byte[] SECRET = "sixteen bytes at".getBytes(US_ASCII);
    private static final Path TEMPLATE = Project.file("docs/teff.jfc");
    private static final String NAME = "loop:network-events-test-";
    private static final MessageType<byte[]> BYTES = MessageType.of(1, Codecs.BYTES);
    private static final MessageType<byte[]> BREAK = MessageType.of(3, Codecs.BYTES);
    private static final MessageType<byte[]> STALL = MessageType.of(5, Codecs.BYTES);
    private static final long SILENCE_MS = 2000;
    private static final MessageType<byte[]> REST = MessageType.of(4, Codecs.BYTES);
    private static final RequestType<Long, Long> SQUARES = RequestType.of(2, Codecs.LONG, Codecs.LONG);

    private final Map<Integer, String> book = new ConcurrentHashMap<>();
    @TempDir
    private Path temporary;

    private NetworkConfig.Builder config(int nid) {
        book.put(nid, NAME + nid);
        return PatientConfig.of(nid).listen(NAME + nid).addresses(book::get);
    }

    @Test
    void everyEvent_isRecordedWithTheTemplate() throws IOException, ParseException {
        final Path file = temporary.resolve("events.jfr");
        try (Recording recording = new Recording(Configuration.create(TEMPLATE))) {
            recording.start();
            talk();
            recording.stop();
            recording.dump(file);
        }
        final List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        assertTrue(find(events, "LinkUp").stream().anyMatch(it -> it.getInt("nid") == 1 && it.getInt("peer") == 2));
        assertTrue(find(events, "LinkLost").stream().anyMatch(it -> it.getInt("nid") == 1));
        assertTrue(find(events, "LinkDelayed").stream().anyMatch(it -> it.getInt("nid") == 2 && it.getInt("peer") == 1
            && it.getDuration("silentNs").toMillis() >= SILENCE_MS / 2));
        assertEquals(List.of("PROOF"), find(events, "LinkRefused").stream().map(it -> it.getString("reason"))
            .filter(it -> it.equals("PROOF")).distinct().toList());
        assertEquals(List.of(false, true), find(events, "LinkRest").stream().map(it -> it.getBoolean("own")).sorted()
            .toList());
        assertTrue(find(events, "SessionResumed").stream().anyMatch(it -> it.getInt("peer") == 2));
        assertTrue(find(events, "SessionLost").stream().anyMatch(it -> it.getInt("nid") == 1));
        assertTrue(find(events, "RequestFailed").stream().anyMatch(it -> it.getString("reason").equals("NO_HANDLER")));
        assertTrue(find(events, "SendWait").stream()
            .anyMatch(it -> it.getBoolean("failed") && it.getDuration().toMillis() >= 5));
    }

    private static List<RecordedEvent> find(List<RecordedEvent> events, String name) {
        final List<RecordedEvent> found = events.stream()
            .filter(event -> event.getEventType().getName().equals("io.teff." + name)).toList();
        assertTrue(!found.isEmpty(), name + " is missing");
        return found;
    }

    /**
     * Causes every event: a vain wait for room, a failed request, a broken link, a link put to rest, a late link, a
     * refusal and a new session.
     */
    private void talk() throws IOException {
        final CountDownLatch free = new CountDownLatch(1);
        try (Network one = Network.open(config(1).secret(SECRET).sendTimeoutNs(5_000_000).build());
             Network three = Network.open(config(3).build())) {
            try (Network two = Network.open(config(2).secret(SECRET).silenceNs(SILENCE_MS * 1_000_000).build())) {
                assertThrows(CompletionException.class, one.request(2, SQUARES, 1L)::join);
                two.handleShort(BREAK, (from, bytes) ->
                    Objects.requireNonNull(two.agent().connection(1).channel()).fail(new IOException("planned")));
                one.send(2, BREAK, new byte[1]);
                Threads.await("another link", () -> one.stats().sessionsResumed() > 0);
                two.handleShort(REST, (from, bytes) ->
                    assertTrue(Objects.requireNonNull(two.agent().connection(1).channel()).closeToRest()));
                one.send(2, REST, new byte[1]);
                Threads.await("rest", () -> one.stats().connectionsResting() > 0);
                one.handleShort(STALL, (from, bytes) ->
                    Threads.await("a late link", () -> two.stats().linksDelayed() > 0));
                two.send(1, STALL, new byte[1]);
                Threads.await("a late link", () -> two.stats().linksDelayed() > 0);
                two.handle(BYTES, (from, bytes) -> free.await());
                assertThrows(NetworkException.class, () -> sendFor(one));
                free.countDown();
                assertThrows(CompletionException.class, three.request(2, SQUARES, 1L, 100_000_000)::join);
                Threads.await("a refusal", () -> two.stats().linksRefused().containsKey("PROOF"));
            }
            Threads.await("the end of the link", () -> one.stats().linksOpen() == 0);
            try (Network _ = Network.open(config(2).secret(SECRET).build())) {
                Threads.await("the end of the session", () -> one.stats().sessionsLost() > 0);
            }
        }
    }

    private static void sendFor(Network network) {
        while (true) {
            network.send(2, BYTES, new byte[10_000]);
        }
    }
}
