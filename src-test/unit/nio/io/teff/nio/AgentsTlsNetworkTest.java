package io.teff.nio;

import io.teff.cluster.net.NetworkConfig;
import io.teff.test.net.NetworkContract;
import javax.net.ssl.SSLContext;

/** The contract of networks, over links that are encrypted, with several agents each. */
final class AgentsTlsNetworkTest extends NetworkContract {
    private static final TlsKeys KEYS = TlsKeys.make();
    private static final SSLContext CONTEXT = KEYS.trusting(KEYS);

    @Override
    protected NetworkConfig.Builder config(int nid) {
        return super.config(nid).tls(CONTEXT).agents(3);
    }

    @Override
    protected String listenAt(int nid) {
        return "tcp:127.0.0.1:0";
    }

    @Override
    protected String nobody() {
        return "tcp:127.0.0.1:1";
    }
}
