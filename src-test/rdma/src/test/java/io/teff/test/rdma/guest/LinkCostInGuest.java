package io.teff.test.rdma.guest;

import io.teff.test.kit.tier.LongTier;
import io.teff.test.net.LinkCostContract;

/** The cost of links over {@code verbs:}. */
@LongTier("Minutes in the emulated guest. UcxLinkCostTest counts what links cost without a device.")
final class LinkCostInGuest extends LinkCostContract {
    @Override
    protected String listenAt() {
        return "verbs:" + Guest.leftAddress() + ":0";
    }

    @Override
    protected int closedLinks() {
        return 100;
    }

    @Override
    protected int idleLinks() {
        return 50;
    }
}
