package io.teff.test.rdma.guest;

import io.teff.test.net.HostileContract;

/** Hostile peers over {@code verbs:}. */
final class HostileInGuest extends HostileContract {
    @Override
    protected String listenAt() {
        return "verbs:" + Guest.leftAddress() + ":0";
    }
}
