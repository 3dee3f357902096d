package io.teff.test.rdma.guest;

import io.teff.test.net.LinkCostContract;
import org.junit.jupiter.api.Tag;

/** The cost of links over {@code verbs:}. */
@Tag("long")
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
