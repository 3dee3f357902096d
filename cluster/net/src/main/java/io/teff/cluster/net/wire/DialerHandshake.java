package io.teff.cluster.net.wire;

import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The dialer's side of a handshake: sends HELLO, answers a CHALLENGE with a PROOF, and ends with a valid WELCOME. Does
 * no input or output; for one thread.
 */
public final class DialerHandshake {
    /** Chooses the session to offer. */
    @FunctionalInterface
    public interface Offer {
        /**
         * Chooses the session.
         *
         * @param answered the listener's answer
         * @return the numbers of this side; the MAC is ignored
         * @throws RefusedException if this side refuses the link
         */
        Greeting.Proof to(Greeting.Challenge answered) throws RefusedException;
    }

    private final Identity self;
    private final int called;
    private final Prover prover;
    private final Offer offer;
    private Greeting.@Nullable Challenge challenge;
    private Greeting.@Nullable Proof offered;
    private Greeting.@Nullable Proof welcome;
    /** Set while a message is read; stays set if a message breaks a rule. */
    private boolean isBroken;

    /**
     * Begins a handshake.
     *
     * @param self this node
     * @param called NID of the called node
     * @param secret of the cluster
     * @param offer chooses the session
     */
    public DialerHandshake(Identity self, int called, byte[] secret, Offer offer) {
        this.self = self;
        this.called = called;
        this.prover = new Prover(secret);
        this.offer = offer;
    }

    /**
     * Returns the first message.
     *
     * @param nonce random
     * @return the bytes of HELLO
     */
    public byte[] hello(byte[] nonce) {
        final byte[] hello = new Greeting.Hello(Versions.LOWEST, Versions.HIGHEST, self.nid(), called,
            self.incarnation(), self.features(), self.cluster(), nonce).toBytes();
        prover.add(hello);
        return hello;
    }

    /**
     * Takes a message of the listener.
     *
     * @param message of the listener
     * @return the answer, or null if no answer is needed
     * @throws ProtocolException if the message breaks a rule
     * @throws RefusedException if either side refuses
     */
    public byte @Nullable [] take(Greeting message) throws IOException {
        if (isBroken) {
            throw new ProtocolException("a message follows an invalid one");
        }
        isBroken = true;
        final byte[] answer = answer(message);
        isBroken = false;
        return answer;
    }

    private byte @Nullable [] answer(Greeting message) throws IOException {
        return switch (message) {
            case Greeting.Challenge it when challenge == null -> prove(it);
            case Greeting.Proof it when it.isWelcome() && offered != null && welcome == null -> end(it, offered);
            case Greeting.Refused it -> throw RefusedException.by(it, self.cluster());
            case Greeting.Elsewhere it when challenge == null && it.port() > 0 ->
                throw new ElsewhereException(it.port());
            default -> throw new ProtocolException("the listener sends a " + message.getClass().getSimpleName()
                + " out of turn");
        };
    }

    private byte[] prove(Greeting.Challenge it) throws IOException {
        if (it.version() < Versions.LOWEST || it.version() > Versions.HIGHEST
            || (it.features() & ~self.features()) != 0) {
            throw new ProtocolException("the listener chooses version " + it.version() + ", features " + it.features()
                + "; this node offers " + Versions.OWN + ", features " + self.features());
        }
        if (it.nid() != called) {
            throw new RefusedException(Refusal.NID, true);
        }
        self.checkCalled(it.cluster());
        challenge = it;
        prover.add(it.toBytes());
        offered = prover.prove(offer.to(it));
        final byte[] proof = offered.toBytes();
        prover.add(proof);
        return proof;
    }

    private byte @Nullable [] end(Greeting.Proof it, Greeting.Proof mine) throws IOException {
        if (!prover.isRight(it)) {
            throw new RefusedException(Refusal.PROOF, true);
        }
        if (it.isResumed() && (!mine.isResumed() || it.session() != mine.session())) {
            throw new ProtocolException("the listener resumes session " + it.session() + ", not asked for");
        }
        welcome = it;
        return null;
    }

    /** {@return whether both sides have authenticated} */
    public boolean isDone() {
        return welcome != null;
    }

    /** {@return the listener's CHALLENGE} Must not be called before CHALLENGE has arrived. */
    public Greeting.Challenge peer() {
        return Objects.requireNonNull(challenge);
    }

    /** {@return bits of {@link Features} common to both sides} Must not be called before CHALLENGE has arrived. */
    public int features() {
        return peer().features();
    }

    /**
     * {@return the session that both sides mean, with the listener's numbers} Must not be called before the handshake
     * is done.
     */
    public Greeting.Proof welcome() {
        return Objects.requireNonNull(welcome);
    }
}
