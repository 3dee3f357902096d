package io.teff.cluster.aeron;

import io.aeron.Image;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The listener's side of a link's setup. The listener answers to the sending machine of a CONNECT, regardless of the
 * content of the message. So an attacker has to forge the sender of a datagram to make a listener send to a third
 * machine, for 1.5 s. Aeron refuses a second CONNECT with the same stream and session.
 */
final class ListenerSetup extends LinkSetup {
    private final AeronAddress address;
    private final Image image;
    private final String source;
    private @Nullable Hello hello;

    ListenerSetup(AeronClient client, AeronAddress address, Image image) {
        super(client, Hello.CONNECT);
        this.address = address;
        this.image = image;
        this.source = image.sourceIdentity();
        setImage(image);
    }

    @Override
    boolean poll() throws IOException {
        checkTime();
        if (hello == null) {
            hello = hear();
            if (hello == null) {
                return false;
            }
            if (!hello.isPossible(address.isIpc())) {
                throw new IOException(source + " has asked for " + hello);
            }
        }
        final AeronAddress to = address.isIpc() ? address : address.at(host(), hello.port());
        return say(to.sending(hello.session()), hello.stream(), hello, Hello.ACCEPT);
    }

    /** Returns the host; Aeron writes IPv6 addresses without brackets. */
    private String host() {
        final String host = source.substring(0, source.lastIndexOf(':'));
        return host.indexOf(':') < 0 || host.startsWith("[") ? host : "[" + host + "]";
    }

    @Override
    void release() {
        super.release();
        refuse(image);
    }

    /**
     * Rejects an image. The image cannot be closed with its subscription, because other links use the subscription,
     * too.
     */
    static void refuse(Image image) {
        if (!image.isClosed()) {
            image.reject("not wanted");
        }
    }

    @Override
    String peer() {
        return source;
    }
}
