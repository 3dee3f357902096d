package io.teff.cluster.aeron;

import io.aeron.Subscription;
import io.teff.engine.os.Chance;
import java.io.IOException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The dialer's side of a link's setup: makes a stream for the answer, sends CONNECT with the number of this stream, and
 * waits for the ACCEPT that repeats these fields.
 */
final class DialerSetup extends LinkSetup {
    private final AeronAddress address;
    /** The address with a number as host, also for localhost. */
    private final AeronAddress to;
    private final int stream;
    private final int session;
    private final long token;
    private final long subscriptionId;
    private @Nullable Subscription subscription;
    private @Nullable Hello hello;
    private boolean isSaid;

    DialerSetup(AeronClient client, AeronAddress address) throws IOException {
        super(client, Hello.ACCEPT);
        final RandomGenerator random = Chance.SYSTEM;
        this.address = address;
        this.stream = random.nextInt(1, Integer.MAX_VALUE);
        this.session = random.nextInt();
        this.token = random.nextLong();
        to = address.numbered();
        subscriptionId = client.addSubscription(to.answering().receiving(session), stream, _ -> {});
    }

    @Override
    boolean poll() throws IOException {
        checkTime();
        if (subscription == null) {
            subscription = client.subscription(subscriptionId);
        }
        if (subscription != null && hello == null) {
            hello = hello(subscription);
        }
        if (subscription == null || hello == null) {
            return false;
        }
        if (!isSaid) {
            isSaid = say(to.sending(), to.stream(), hello, Hello.CONNECT);
        }
        if (image() == null && subscription.imageCount() > 0) {
            setImage(subscription.imageAtIndex(0));
        }
        final Hello answer = hear();
        if (answer != null && !answer.equals(hello)) {
            throw new IOException(address + " answers another dialer");
        }
        return isSaid && answer != null;
    }

    private @Nullable Hello hello(Subscription subscription) {
        final String endpoint = address.isIpc() ? ":0" : subscription.resolvedEndpoint();
        return endpoint == null ? null : new Hello(AeronAddress.portOf(endpoint), stream, session, token);
    }

    @Override
    void release() {
        super.release();
        client.removeSubscription(subscriptionId);
    }

    @Override
    String peer() {
        return address.toString();
    }
}
