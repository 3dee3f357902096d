package io.teff.cluster.net.wire;

import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The side of a handshake that was called: answers HELLO with a CHALLENGE, a right PROOF with WELCOME, and is done.
 * Does no input or output; for one thread.
 */
public final class ListenerHandshake {
    /** What the handshake asks the node. */
    public interface Host {
        /**
         * Called for a dialer that has proved nothing yet, but is of this cluster and calls this node.
         *
         * @param hello what it says
         * @return why it is refused, or null
         */
        @Nullable Refusal check(Greeting.Hello hello);

        /**
         * Called once the dialer has proved itself.
         *
         * @param hello what it has said first
         * @param offered the session that it offers
         * @return the session that both mean, with this side's numbers; its MAC counts for nothing
         * @throws RefusedException if there shall be no link
         */
        Greeting.Proof welcome(Greeting.Hello hello, Greeting.Proof offered) throws RefusedException;
    }

    private final Identity self;
    private final Prover prover;
    private final byte[] nonce;
    private final Host host;
    private Greeting.@Nullable Hello hello;
    private Greeting.@Nullable Proof offered;
    /** While a message is looked at, and for ever if it breaks a rule. */
    private boolean isBroken;

    /**
     * Begins one.
     *
     * @param self who was called
     * @param secret of the cluster
     * @param nonce random
     * @param host asked when something is to be decided
     */
    public ListenerHandshake(Identity self, byte[] secret, byte[] nonce, Host host) {
        this.self = self;
        this.prover = new Prover(secret);
        this.nonce = nonce;
        this.host = host;
    }

    /**
     * Takes what the other says.
     *
     * @param message of the other
     * @return what to answer
     * @throws ProtocolException if it breaks a rule
     * @throws RefusedException if either side refuses
     */
    public byte[] take(Greeting message) throws IOException {
        if (isBroken) {
            throw new ProtocolException("a message follows what broke a rule");
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
            case Greeting.Refused it -> throw new RefusedException(Refusal.of(it.code()), false);
            default -> throw new ProtocolException("who dials says a " + message.getClass().getSimpleName()
                + " out of turn");
        };
    }

    private byte[] challenge(Greeting.Hello it) throws RefusedException {
        if (it.lowestVersion() > Versions.HIGHEST || it.highestVersion() < Versions.LOWEST) {
            throw new RefusedException(Refusal.VERSION, true);
        }
        if (it.clusterHigh() != self.clusterHigh() || it.clusterLow() != self.clusterLow()) {
            throw new RefusedException(Refusal.CLUSTER, true);
        }
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
            Math.min(it.highestVersion(), Versions.HIGHEST), features()).toBytes();
        prover.add(challenge);
        return challenge;
    }

    private byte[] welcome(Greeting.Proof it, Greeting.Hello from) throws RefusedException {
        if (!prover.isRight(it)) {
            throw new RefusedException(Refusal.PROOF, true);
        }
        prover.add(it.toBytes());
        final Greeting.Proof answer = host.welcome(from, it);
        assert answer.isWelcome() : answer;
        offered = it;
        return prover.prove(answer).toBytes();
    }

    /** {@return whether both have proved themselves} */
    public boolean isDone() {
        return offered != null;
    }

    /** {@return who has dialed; once it has said so} */
    public Greeting.Hello peer() {
        return Objects.requireNonNull(hello);
    }

    /** {@return bits of {@link Features} that both have; once the other has dialed} */
    public int features() {
        return self.features() & peer().features();
    }

    /** {@return the session that it has offered, with its numbers; once it is done} */
    public Greeting.Proof offered() {
        return Objects.requireNonNull(offered);
    }
}
