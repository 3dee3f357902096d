package io.teff.test.rdma.guest;

import io.teff.test.kit.tier.LongTier;
import io.teff.test.net.HostileContract;

/** Hostile peers over {@code verbs:}. */
@LongTier("Minutes in the emulated guest. The contract of hostile peers runs over TCP, and over UCX without a "
    + "device.")
final class HostileInGuest extends HostileContract {
    @Override
    protected String listenAt() {
        return "verbs:" + Guest.leftAddress() + ":0";
    }
}
