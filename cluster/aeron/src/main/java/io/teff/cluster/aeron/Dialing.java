package io.teff.cluster.aeron;

import io.aeron.Subscription;
import io.teff.engine.os.Chance;
import java.io.IOException;
import java.net.InetAddress;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The dialer's end of a link that is not made yet: makes a stream for the answer, says CONNECT with it, and waits for
 * the ACCEPT that repeats all of it. Where the host has a name, all of this begins when it is found.
 */
final class Dialing extends Opening {
    private final AeronAddress address;
    /** The same, numbered; null while its host is looked up. */
    private @Nullable AeronAddress to;
    private final int stream;
    private final int session;
    private final long token;
    private long subscriptionId = AeronClient.NONE;
    private @Nullable Subscription subscription;
    private @Nullable Hello hello;
    private boolean isSaid;

    Dialing(AeronClient client, AeronAddress address) throws IOException {
        super(client, Hello.ACCEPT);
        final RandomGenerator random = Chance.SYSTEM;
        this.address = address;
        this.stream = random.nextInt(1, Integer.MAX_VALUE);
        this.session = random.nextInt();
        this.token = random.nextLong();
        if (!address.isNamed()) {
            dial(address.numbered());
        }
    }

    private void dial(AeronAddress numbered) throws IOException {
        subscriptionId = client.addSubscription(numbered.answering().receiving(session), stream, _ -> {});
        to = numbered;
    }

    /** Its host was looked up; one of both is null. */
    void found(@Nullable InetAddress host, @Nullable IOException why) throws IOException {
        if (host == null) {
            throw address.unknown(why);
        }
        startTime();
        dial(address.numbered(host));
    }

    @Override
    boolean poll() throws IOException {
        if (to == null) {
            return false;
        }
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
            throw new IOException(address + " answers somebody else");
        }
        return isSaid && answer != null;
    }

    private @Nullable Hello hello(Subscription its) {
        final String endpoint = address.isIpc() ? ":0" : its.resolvedEndpoint();
        return endpoint == null ? null : new Hello(AeronListener.port(endpoint), stream, session, token);
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
