package io.teff.test.rdma.guest;

import io.teff.test.net.HostileContract;
import org.junit.jupiter.api.Tag;

/** Hostile peers over {@code verbs:}. */
@Tag("long")
final class HostileInGuest extends HostileContract {
    @Override
    protected String listenAt() {
        return "verbs:" + Guest.leftAddress() + ":0";
    }
}
