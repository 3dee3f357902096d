package io.teff.nio;

import io.teff.test.net.HostileContract;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Hostile peers over TCP. */
final class HostileTest extends HostileContract {
    @Override
    protected String listenAt() {
        return "tcp:127.0.0.1:0";
    }

    @Test
    void messageThatNeverEnds_isCutOff() throws IOException {
        sendAMessageThatNeverEnds();
    }
}
