package io.teff.cluster.net.wire;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The listener's side of a handshake: answers HELLO with a CHALLENGE, and a valid PROOF with WELCOME. Does no input or
 * output; for one thread.
 */
public final class ListenerHandshake {
    /** Decides for the node. */
    public interface Host {
        /**
         * Called for an unauthenticated dialer of this cluster that calls this node.
         *
         * @param hello of the dialer
         * @return why the dialer is refused, or null
         * @throws RefusedException if this side refuses the link with a text of its own
         */
        @Nullable Refusal check(Greeting.Hello hello) throws RefusedException;

        /**
         * Called once the dialer has authenticated.
         *
         * @param hello of the dialer
         * @param offered the session offered by the dialer
         * @return the agreed session, with the numbers of this side; the MAC is ignored
         * @throws RefusedException if this side refuses the link
         */
        Greeting.Proof welcome(Greeting.Hello hello, Greeting.Proof offered) throws RefusedException;
    }

    /** The secrets that a listener accepts. */
    public interface Keys {
        /** {@return the accepted secrets, when a proof has arrived; called once} */
        List<byte[]> secrets();

        /**
         * Called when a dialer has proven a secret.
         *
         * @param key index of the secret
         * @param nid of the dialer
         * @return whether a dialer with the secret may have the NID
         */
        boolean proved(int key, int nid);
    }

    private static final byte[] NO_SECRET = {};

    private final Identity self;
    private final Prover prover;
    private final Keys keys;
    private final byte[] nonce;
    private final Host host;
    private Greeting.@Nullable Hello hello;
    private Greeting.@Nullable Proof offered;
    /** Set while a message is read; stays set if a message breaks a rule. */
    private boolean isBroken;

    /**
     * Begins a handshake.
     *
     * @param self this node
     * @param secret of the cluster
     * @param nonce random
     * @param host decides for the node
     */
    public ListenerHandshake(Identity self, byte[] secret, byte[] nonce, Host host) {
        this(self, new Keys() {
            @Override
            public List<byte[]> secrets() {
                return List.of(secret);
            }

            @Override
            public boolean proved(int key, int nid) {
                return true;
            }
        }, nonce, host);
    }

    /**
     * Begins a handshake with a dialer that may have one of several secrets.
     *
     * @param self this node
     * @param keys the accepted secrets
     * @param nonce random
     * @param host decides for the node
     */
    public ListenerHandshake(Identity self, Keys keys, byte[] nonce, Host host) {
        this.self = self;
        this.prover = new Prover(NO_SECRET);
        this.keys = keys;
        this.nonce = nonce;
        this.host = host;
    }

    /**
     * Takes a message of the dialer.
     *
     * @param message of the dialer
     * @return the answer
     * @throws ProtocolException if the message breaks a rule
     * @throws RefusedException if either side refuses
     */
    public byte[] take(Greeting message) throws IOException {
        if (isBroken) {
            throw new ProtocolException("a message follows an invalid one");
        }
        isBroken = true;
        final byte[] answer = answer(message);
        isBroken = false;
        return answer;
    }

    private byte[] answer(Greeting message) throws IOException {
        return switch (message) {
            case Greeting.Hello it when hello == null -> challenge(it);
            case Greeting.Proof it when !it.isWelcome() && hello != null && offered == null -> welcome(it, hello);
            case Greeting.Refused it -> throw RefusedException.by(it, self.cluster());
            default -> throw new ProtocolException("the dialer sends a " + message.getClass().getSimpleName()
                + " out of turn");
        };
    }

    private byte[] challenge(Greeting.Hello it) throws RefusedException {
        final Versions found = new Versions(it.lowestVersion(), it.highestVersion());
        if (!Versions.OWN.fits(found)) {
            throw RefusedException.ofVersion(found);
        }
        self.checkCaller(it.cluster());
        if (it.calledNid() != self.nid() || it.nid() == self.nid()) {
            throw new RefusedException(Refusal.NID, true);
        }
        final Refusal refusal = host.check(it);
        if (refusal != null) {
            throw new RefusedException(refusal, true);
        }
        hello = it;
        prover.add(it.toBytes());
        final byte[] challenge = new Greeting.Challenge(nonce, self.incarnation(), self.nid(),
            Math.min(it.highestVersion(), Versions.HIGHEST), features(),
            self.cluster()).toBytes();
        prover.add(challenge);
        return challenge;
    }

    private byte[] welcome(Greeting.Proof it, Greeting.Hello from) throws RefusedException {
        final int key = key(it);
        if (key < 0) {
            throw new RefusedException(Refusal.PROOF, true);
        }
        if (!keys.proved(key, from.nid())) {
            throw new RefusedException(Refusal.NID, true);
        }
        prover.add(it.toBytes());
        final Greeting.Proof answer = host.welcome(from, it);
        assert answer.isWelcome() : answer;
        offered = it;
        return prover.prove(answer).toBytes();
    }

    /** Returns the index of the secret that the dialer has proven, or -1. The answer is proven with the same secret. */
    private int key(Greeting.Proof proof) {
        final List<byte[]> secrets = keys.secrets();
        for (int i = 0; i < secrets.size(); i++) {
            prover.use(secrets.get(i));
            if (prover.isRight(proof)) {
                return i;
            }
        }
        return -1;
    }

    /** {@return whether both sides have authenticated} */
    public boolean isDone() {
        return offered != null;
    }

    /** {@return the dialer's HELLO} Must not be called before HELLO has arrived. */
    public Greeting.Hello peer() {
        return Objects.requireNonNull(hello);
    }

    /** {@return bits of {@link Features} common to both sides} Must not be called before HELLO has arrived. */
    public int features() {
        return self.features() & peer().features();
    }

    /**
     * {@return the session that the dialer has offered, with its numbers} Must not be called before the handshake is
     * done.
     */
    public Greeting.Proof offered() {
        return Objects.requireNonNull(offered);
    }
}
