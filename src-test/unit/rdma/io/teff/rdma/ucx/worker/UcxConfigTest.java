package io.teff.rdma.ucx.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.ucx.UcxException;
import io.teff.rdma.ucx.UcxFeature;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Goal: wrong settings are refused, by the configuration or by UCX, with a message that names the setting. */
final class UcxConfigTest {
    @Test
    void config_wrongValues_areRefused() {
        assertThrows(IllegalArgumentException.class, () -> UcxConfig.builder().build());
        UcxConfig.Builder builder = UcxConfig.builder(UcxFeature.TAG);
        assertThrows(IllegalArgumentException.class, () -> builder.endpointCount(-1).build());
        assertThrows(IllegalArgumentException.class, () -> builder.endpointCount(1)
            .closeTimeout(Duration.ofHours(1)).build());
        UcxConfig config = builder.closeTimeout(Duration.ZERO).name("test").tagSenderMask(3).build();
        assertEquals(1, config.featureBits());
        assertThrows(UnsupportedOperationException.class, () -> config.settings().put("TLS", "tcp"));
    }

    @Test
    void open_wrongSettings_failWithAStatus() {
        UcxPair.assumeUcx();
        UcxConfig unknown = UcxConfig.builder(UcxFeature.TAG).set("TLS", "nosuchtransport").build();
        UcxException failure = assertThrows(UcxException.class, () -> UcxContext.open(unknown));
        assertTrue(failure.getMessage().contains("nosuchtransport"), failure.getMessage());
        UcxConfig full = UcxConfig.builder(UcxFeature.TAG).set("TLS", "tcp").name("full").endpointCount(10)
            .tagSenderMask(0xFF).build();
        try (UcxContext context = UcxContext.open(full)) {
            assertTrue(context.version().isSupported());
            assertTrue(context.requestSize() > 0);
            assertEquals(full, context.config());
        }
    }
}
