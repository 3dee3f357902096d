package io.teff.cluster.aeron;

import io.aeron.Image;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The listener's side of a link's setup. It answers to the machine that sent CONNECT, regardless of the content of the
 * message; so only an attacker who can forge the sender of a datagram makes it send to others, for 1.5 s. Aeron refuses
 * a CONNECT that repeats another's stream and session.
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

    /** Rejects an image. Other links use its subscription, too, so it cannot be closed with that. */
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
