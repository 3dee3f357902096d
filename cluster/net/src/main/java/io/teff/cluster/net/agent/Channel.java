package io.teff.cluster.net.agent;

import io.teff.cluster.net.counter.ConnectionCounters;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.message.Caller;
import io.teff.cluster.net.ring.SendRing;
import io.teff.cluster.net.stream.Session;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.cluster.net.wire.Control;
import io.teff.cluster.net.wire.DialerHandshake;
import io.teff.cluster.net.wire.ElsewhereException;
import io.teff.cluster.net.wire.Features;
import io.teff.cluster.net.wire.Frame;
import io.teff.cluster.net.wire.FrameInput;
import io.teff.cluster.net.wire.Greeting;
import io.teff.cluster.net.wire.GreetingReader;
import io.teff.cluster.net.wire.ListenerHandshake;
import io.teff.cluster.net.wire.ProtocolException;
import io.teff.cluster.net.wire.Refusal;
import io.teff.cluster.net.wire.RefusedException;
import io.teff.engine.os.FailureText;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One link, from its greeting to its end: both sides authenticate each other, then the link carries the frames of a
 * session. Control frames are the link's own: the link sends, takes and answers control frames here. Used by its agent
 * only; an accepted link moves to another agent if its HELLO names a node of the other agent.
 */
public final class Channel implements LinkEvents, ListenerHandshake.Host, FrameInput.Sink {
    private final long sinceNs;
    private final KeepAlive keepAlive;
    /** The agent's; changes once at most, and only for an accepted link. */
    private LinkHost host;
    /** The connection dialed by this node; null for an accepted link. */
    private final @Nullable Connection dialed;
    /** The address that was dialed, or at which the link was accepted; its scheme names the transport of the link. */
    private final String address;
    private @Nullable DialerHandshake dialer;
    /** The session offered by this side's PROOF; null before. */
    private @Nullable Session offered;
    private boolean isOfferedToResume;
    private @Nullable ListenerHandshake listener;
    /** The dialer's HELLO. */
    private Greeting.@Nullable Hello hello;
    /** The other side's cluster, as the other side said; null before HELLO or CHALLENGE. */
    private @Nullable ClusterId cluster;
    /** Whether the link was opened before this node has learned its cluster, and was not looked at since. */
    private boolean isProvisional;
    /** How many links of the connection had opened when HELLO was taken. */
    private long linksBefore;
    /** True while the link waits for its transfer to another agent; the dialer may not send anything meanwhile. */
    private boolean isMoving;
    private final GreetingReader greetings = new GreetingReader();
    /** Bytes of greetings not yet taken by the link. */
    private final ByteArrayOutputStream unsent = new ByteArrayOutputStream();
    private @Nullable MemorySegment control;
    private int controlFrom;
    private int controlEnd;
    private @Nullable Link link;
    private @Nullable Connection connection;
    private @Nullable Session session;
    private boolean isBlocked = true;
    private boolean hasConnected;
    /** Whether frames from this side have checksums. */
    private final boolean isChecked;
    /** The chosen address of the dialed host; null if the dialed address has no name. */
    private @Nullable InetAddress numbered;
    /** When the dial to this address began. */
    private long numberedNs;
    /** True while a thread is in a write. Stays true if the thread has not returned from the write. */
    private boolean isWriting;
    /** Whether the other side stays silent until this side has sent a frame. */
    private boolean isToSpeak;
    private @Nullable Caller caller;
    private boolean isClosed;
    /** Whether the link ends to rest, and was closed by this side. */
    private boolean isResting;
    private boolean isOwnRest;

    private Channel(LinkHost host, @Nullable Connection dialed, String address) {
        this.host = host;
        this.dialed = dialed;
        this.address = address;
        this.isChecked = host.config().hasChecksums(address);
        this.sinceNs = host.nowNs();
        this.keepAlive = new KeepAlive(sinceNs);
    }

    /** Returns a link dialed by this node. */
    static Channel dialing(LinkHost host, Connection dialed, String address) {
        final Channel channel = new Channel(host, dialed, address);
        channel.dialer = host.greeter().dialing(dialed, channel);
        return channel;
    }

    /** Returns an accepted link. */
    static Channel accepted(LinkHost host, Link link, String listenedAt) {
        final Channel channel = new Channel(host, null, listenedAt);
        channel.link = link;
        channel.listener = host.greeter().listening(channel);
        return channel;
    }

    /** Returns how long the link has existed. */
    long ageNs(long nowNs) {
        return nowNs - sinceNs;
    }

    void setLink(Link made) {
        link = made;
    }

    /** Sets which address of the host is dialed, in place of the name. */
    void setNumbered(InetAddress chosen) {
        numbered = chosen;
        numberedNs = host.nowNs();
    }

    /**
     * Returns whether the dialed address of a host takes longer to greet than the other addresses of the host can wait.
     */
    boolean isOvertaken(long nowNs) {
        return numbered != null && dialed != null && !isOpen()
            && nowNs - numberedNs > dialed.attempts().hosts().stepNs(hasConnected);
    }

    boolean isDialed() {
        return dialed != null;
    }

    boolean isClosed() {
        return isClosed;
    }

    boolean isOpen() {
        return !isClosed && session != null;
    }

    /** Returns the certificate that the other side has proven; null without TLS. */
    @Nullable X509Certificate certificate() {
        return link == null ? null : link.certificate();
    }

    /** Returns what the dialer of this link may do; null for a node, and before the dialer has authenticated. */
    @Nullable Caller caller() {
        return caller;
    }

    void setCaller(@Nullable Caller proven) {
        caller = proven;
    }

    /** Returns whether the link has ever carried a session. */
    boolean hasOpened() {
        return session != null;
    }

    /** Returns whether the other side was reached, authenticated or not. */
    boolean hasConnected() {
        return hasConnected;
    }

    /** Returns whether the link was closed to rest. */
    boolean isResting() {
        return isResting;
    }

    /** Returns whether this side has closed the link to rest. */
    boolean isOwnRest() {
        return isOwnRest;
    }

    /** Returns the session offered by this side's PROOF; null before. */
    @Nullable Session offered() {
        return offered;
    }

    /** Returns whether this side offered to continue the session. */
    boolean isOfferedToResume() {
        return isOfferedToResume;
    }

    void setOffered(Session session, boolean isToResume) {
        offered = session;
        isOfferedToResume = isToResume;
    }

    /** Sets the other side's cluster, as the other side said. */
    void setCluster(ClusterId said) {
        cluster = said;
    }

    /**
     * Ends a link that was opened before this node has learned its cluster, if the other side has not named the same
     * cluster. Nothing is sent or taken over such a link any more.
     */
    private boolean endIfOutside() {
        final ClusterId own = host.greeter().cluster();
        isProvisional = !own.isKnown();
        final boolean isEnded = isOutside(own) && own.isKnown();
        if (isEnded) {
            fail(null);
        }
        return isEnded;
    }

    /** Returns whether the other side has said its cluster, and the cluster is unknown, or is not this cluster. */
    boolean isOutside(ClusterId own) {
        return cluster != null && !own.isSame(cluster);
    }

    /** Returns the number of links of the connection opened before HELLO was read. */
    long linksBefore() {
        return linksBefore;
    }

    void setLinksBefore(long links) {
        linksBefore = links;
    }

    /** Returns the connection of the link; null for an accepted link whose dialer has not authenticated. */
    @Nullable Connection connection() {
        return session == null ? dialed : connection;
    }

    /**
     * Returns the NID of the other side. Before authentication the NID is a claim of the other side, and may be wrong;
     * -1 before HELLO.
     */
    int saidNid() {
        return dialed != null ? dialed.nid() : hello != null ? hello.nid() : -1;
    }

    long heardNs() {
        return keepAlive.heardNs();
    }

    /** Returns whether an open link was not heard for longer than {@code ns}; true once per silence. */
    boolean isDelayed(long ns) {
        return isOpen() && keepAlive.isDelayed(host.nowNs(), ns);
    }

    /** Returns the dialed address, or the address at which the link was accepted. */
    String address() {
        return address;
    }

    String peer() {
        return numbered != null ? address + " (" + numbered.getHostAddress() + ")"
            : link == null ? address : link.peer();
    }

    // ---- transfer from the accepting agent to the owning agent ----

    /**
     * Returns the agent of the link; called by the accepting agent, because only the accepting agent changes this
     * value.
     */
    LinkHost host() {
        return host;
    }

    /** Returns the dialer's HELLO. Must not be called before HELLO has arrived. */
    Greeting.Hello hello() {
        return Objects.requireNonNull(hello);
    }

    /** Makes this agent's transport release the link, for transfer to another agent. */
    void leave(LinkHost to, Transports transports) throws IOException {
        transports.of(address).release(Objects.requireNonNull(link));
        isMoving = false;
        host = to;
    }

    /** Makes the transport of the new agent adopt the link; the agent then answers the link's HELLO. */
    void arrive(Transports transports) {
        try {
            transports.of(address).adopt(Objects.requireNonNull(link));
            answer(Objects.requireNonNull(listener), hello());
        } catch (RefusedException e) {
            refuse(e);
        } catch (IOException e) {
            fail(e);
        }
    }

    @Override
    public @Nullable Refusal check(Greeting.Hello says) throws RefusedException {
        return host.greeter().check(this, says);
    }

    @Override
    public Greeting.Proof welcome(Greeting.Hello says, Greeting.Proof offered) throws RefusedException {
        return host.greeter().welcome(this, says, offered);
    }

    // ---- the link's events ----

    @Override
    public void connected() {
        isBlocked = false;
        hasConnected = true;
        if (dialer != null) {
            say(dialer.hello(host.greeter().nonce()));
        }
    }

    @Override
    public void bytes(MemorySegment memory, long from, int bytes) {
        keepAlive.heard(host.nowNs());
        try {
            long at = from;
            if (session == null) {
                final ByteBuffer said = GreetingReader.view(memory, from, bytes);
                greet(said);
                at += said.position();
            }
            final Session its = session;
            if (isProvisional && endIfOutside()) {
                return;
            }
            if (its != null && !isClosed && at < from + bytes && !endIfUnproven()) {
                take(its, memory, at, (int) (from + bytes - at));
                if (its.isBeyond()) {
                    throw new ProtocolException("more came than was allowed: " + its.in.position());
                }
                activate();
            }
        } catch (RefusedException e) {
            refuse(e);
        } catch (IOException e) {
            fail(e);
        }
    }

    /**
     * Ends the link if the proof of the other side has ended, and returns whether the link has ended. The session
     * stays: no byte was taken, so the other side sends the bytes again on the next link.
     */
    boolean endIfUnproven() {
        final Caller its = caller;
        final boolean isUnproven = its != null && isOpen() && its.mustProveAgain();
        if (isUnproven) {
            fail(new IOException("the other side must prove itself again, as its token was replaced"));
        }
        return isUnproven;
    }

    private void activate() {
        if (connection != null) {
            host.activate(connection);
        }
    }

    private void take(Session session, MemorySegment memory, long at, int bytes) throws ProtocolException {
        final ConnectionCounters counters = session.peer().counters();
        final long before = session.in.position();
        counters.bytesReceived.add(bytes);
        session.heard();
        session.in.take(memory, at, bytes, this);
        if (session.in.position() != before) {
            counters.lastNs.set(keepAlive.heardNs());
        }
    }

    /**
     * The stream's position is behind a frame when the frame is passed on, so a session cannot continue after a refused
     * frame.
     */
    @Override
    public void frame(MemorySegment memory, long at) throws ProtocolException {
        final Session its = Objects.requireNonNull(session);
        try {
            if (isClosed) {
                throw new ProtocolException("a frame follows CLOSING");
            }
            if (its.isBeyondMessages() && (Frame.flags(memory, at) & Frame.RESPONSE) == 0) {
                throw new ProtocolException("more messages came than were allowed: " + its.in.position());
            }
            host.take(its, memory, at);
        } catch (ProtocolException e) {
            host.lose(Objects.requireNonNull(connection), its, FailureText.of(e));
            throw e;
        }
    }

    private void greet(ByteBuffer said) throws IOException {
        while (session == null && !isClosed) {
            final Greeting message = isMoving ? null : greetings.read(said);
            if ((isMoving || message instanceof Greeting.Hello) && said.hasRemaining()) {
                throw new ProtocolException("the dialer sends more before it is answered");
            }
            if (message == null) {
                return;
            }
            if (dialer != null) {
                final byte[] answer = dialer.take(message);
                if (answer != null) {
                    say(answer);
                }
                if (dialer.isDone()) {
                    isToSpeak = !dialer.welcome().isResumed();
                    open(Objects.requireNonNull(dialed), host.greeter().welcomed(this, dialer));
                }
            } else if (listener != null) {
                hear(listener, message);
            }
        }
    }

    private void hear(ListenerHandshake handshake, Greeting message) throws IOException {
        if (hello == null && message instanceof Greeting.Hello first) {
            hello = first;
            final int port = host.elsewhere(this, first.nid());
            if (port != 0) {
                say(new Greeting.Elsewhere(port).toBytes());
                throw new ElsewhereException(port);
            }
            isMoving = host.isOfAnother(this, first.nid());
        }
        if (!isMoving) {
            answer(handshake, message);
        }
    }

    private void answer(ListenerHandshake handshake, Greeting message) throws IOException {
        say(handshake.take(message));
        if (handshake.isDone()) {
            final Session begun = host.greeter().proved(this, handshake);
            open(host.connection(hello().nid()), begun);
        }
    }

    private void open(Connection to, Session its) {
        connection = to;
        session = its;
        its.in.setChecked(has(Features.CHECKSUMS));
        isProvisional = !host.greeter().cluster().isKnown();
        host.opened(this, to, its);
    }

    @Override
    public void writable() {
        isBlocked = false;
        if (session != null) {
            activate();
        } else {
            flushGreetings();
        }
    }

    @Override
    public void closed(@Nullable IOException why) {
        end(why == null && hasOpened() ? new EOFException("the other side has closed the link") : why);
    }

    // ---- the end ----

    private void refuse(RefusedException e) {
        if (e.isOwn()) {
            say(e.message(host.greeter().cluster()).toBytes());
        }
        fail(e);
    }

    /** Closes the link for a reason, or without a reason. */
    public void fail(@Nullable IOException why) {
        if (!isClosed && link != null) {
            link.close();
        }
        end(why);
    }

    private void end(@Nullable IOException why) {
        if (!isClosed) {
            isClosed = true;
            host.ended(this, why);
        }
    }

    /**
     * Sends CLOSING, as this node ends, and closes the link. An unauthenticated caller is refused with
     * {@link Refusal#CLOSING}. Without the refusal the caller would blame a wrong secret for the end of the link.
     */
    void close() {
        if (dialer == null && !hasOpened()) {
            refuse(new RefusedException(Refusal.CLOSING, true));
            return;
        }
        if (isOpen() && controlFrom == controlEnd && !isBlocked && !isWriting && !isInFrame()) {
            final MemorySegment to = control();
            endControl(Control.putClosing(to, 0, Control.END));
            if (link != null) {
                link.write(to, 0, controlEnd);
            }
        }
        fail(null);
    }

    // ---- rest ----

    private boolean mayRest() {
        return has(Features.REST);
    }

    /** Returns whether both sides have a feature. */
    private boolean has(int feature) {
        final int features = dialer != null ? dialer.features() : listener != null ? listener.features() : 0;
        return (features & feature) != 0;
    }

    /** Returns whether frames from this side have checksums. */
    boolean isChecked() {
        return isChecked;
    }

    /**
     * Returns whether the link is at rest, as far as this side knows: the link is steady, and no frame is on its way or
     * waits.
     */
    boolean isAtRest(long nowNs) {
        final Session its = session;
        return its != null && isOpen() && nowNs - sinceNs >= host.config().steadyNs() && mayRest() && !isBlocked
            && !isWriting && controlFrom == controlEnd && its.isAtRest();
    }

    /**
     * Closes a link at rest, after acknowledging all received bytes. Returns false if the link does not take these
     * frames now. The link breaks if its transport takes a part of a frame only.
     */
    public boolean closeToRest() {
        final Session its = session;
        final Link to = link;
        if (its == null || to == null) {
            return false;
        }
        putProgress(its);
        final int told = flushControl(to);
        if (isBlocked) {
            sent(its, told, false);
            return false;
        }
        endControl(Control.putClosing(control(), 0, Control.REST));
        final int said = flushControl(to);
        sent(its, told + said, false);
        if (said == 0) {
            controlEnd = 0;
            return false;
        }
        isResting = !isBlocked;
        isOwnRest = isResting;
        fail(isResting ? null : new IOException("it has taken half of a frame as it was closed to rest"));
        return true;
    }

    // ---- sending ----

    private void say(byte[] greeting) {
        unsent.writeBytes(greeting);
        flushGreetings();
    }

    private boolean flushGreetings() {
        if (unsent.size() > 0 && link != null && !isBlocked && !isClosed) {
            final byte[] bytes = unsent.toByteArray();
            final int taken = link.write(MemorySegment.ofArray(bytes), 0, bytes.length);
            unsent.reset();
            unsent.write(bytes, taken, bytes.length - taken);
            isBlocked = taken < bytes.length;
        }
        return unsent.size() == 0;
    }

    /** Gives memory of the link back, as nothing was sent for a while. */
    void rest() {
        if (link != null) {
            link.rest();
        }
    }

    private MemorySegment control() {
        if (control == null) {
            control = Control.allocate();
        }
        return control;
    }

    private boolean isInFrame() {
        final SendRing ring = session == null ? null : session.out.sending();
        return ring != null && ring.frameBytesLeft() > 0;
    }

    /**
     * Returns whether a sender's thread left a write by a stack overflow or for lack of memory: the number of written
     * bytes is unknown, so the stream can continue only over another link.
     */
    boolean isTorn() {
        return isWriting;
    }

    /** Sends frames of the session, as many as the link and the peer accept; returns the number of bytes. */
    int flush() {
        final Session its = session;
        final Link to = link;
        if (its == null || to == null || isClosed || isWriting || !flushGreetings()) {
            return 0;
        }
        if (isProvisional && endIfOutside()) {
            return 1;
        }
        isWriting = true;
        int work = 0;
        boolean hasSent = false;
        while (!isBlocked && !isClosed) {
            final SendRing ring = its.out.sending();
            final boolean isInFrame = ring != null && ring.frameBytesLeft() > 0;
            if (!isInFrame && controlFrom == controlEnd && (its.isProgressDue(host.nowNs(), host.config())
                || isToSpeak && (ring == null || run(ring, its) == 0))) {
                putProgress(its);
            }
            final boolean isControl = !isInFrame && controlFrom < controlEnd;
            final int taken = isControl ? flushControl(to) : ring == null ? 0 : flushRun(to, ring, its);
            if (taken == 0) {
                break;
            }
            work += taken;
            isToSpeak = false;
            hasSent |= !isControl;
        }
        if (work > 0) {
            sent(its, work, hasSent);
        }
        isWriting = false;
        return work;
    }

    private void sent(Session session, int bytes, boolean hasFrames) {
        final long nowNs = host.nowNs();
        keepAlive.said(nowNs);
        session.peer().counters().bytesSent.add(bytes);
        if (hasFrames) {
            session.peer().counters().lastNs.set(nowNs);
        }
    }

    private int flushRun(Link to, SendRing ring, Session session) {
        final int bytes = run(ring, session);
        if (bytes == 0) {
            return 0;
        }
        if (isChecked) {
            ring.check(bytes);
        }
        ring.giving(bytes);
        final int taken = to.write(ring.memory(), ring.runOffset(), bytes);
        ring.sent(taken);
        isBlocked = taken < bytes;
        return taken;
    }

    /** Returns how much of a ring to write at once: only to the end of a frame if a control frame waits. */
    private int run(SendRing ring, Session session) {
        final int bytes = ring.runBytes(session.peerLimit());
        final int left = ring.frameBytesLeft();
        return left > 0 && controlFrom < controlEnd ? Math.min(bytes, left) : bytes;
    }

    private int flushControl(Link to) {
        final int taken = to.write(control(), controlFrom, controlEnd - controlFrom);
        controlFrom += taken;
        isBlocked = controlFrom < controlEnd;
        if (!isBlocked) {
            controlFrom = 0;
            controlEnd = 0;
        }
        return taken;
    }

    @Override
    public String toString() {
        final SendRing ring = session == null ? null : session.out.sending();
        return "blocked " + isBlocked + " closed " + isClosed + " control " + controlFrom + ".." + controlEnd
            + " greetings " + unsent.size() + (session == null ? "" : " limit " + session.peerLimit() + " in "
            + session.in.position() + "+" + session.in.partBytes() + " mylimit " + session.limit())
            + (ring == null ? "" : " acked " + ring.acked() + " sent " + ring.sent() + " left " + ring.frameBytesLeft()
            + " committed " + ring.committed() + " tail " + ring.tail() + " closed " + ring.isClosed());
    }

    /** Returns whether the link accepts no bytes until its transport reports that the link is writable. */
    boolean isBlocked() {
        return isBlocked;
    }

    /** Returns whether unsent frames wait for credit of the peer. */
    boolean isStalled() {
        final SendRing ring = session == null ? null : session.out.sending();
        return ring != null && session != null && ring.committed() > ring.sent()
            && ring.runBytes(session.peerLimit()) == 0;
    }

    /** Completes a control frame of this many bytes. */
    private void endControl(int bytes) {
        if (isChecked) {
            host.checker().add(control(), 0);
        }
        controlEnd = bytes;
    }

    private void putProgress(Session session) {
        final long received = session.in.position();
        final long limit = session.limit();
        if (received == session.toldReceived() && limit == session.toldLimit()) {
            keepAlive.ask();                                    // counts as a keep-alive for any reason
        }
        endControl(Control.putProgress(control(), 0, received, limit));
        session.told(received, limit, host.nowNs());
    }

    // ---- keep-alives ----

    /** Sends a keep-alive if nothing was sent for longer than {@code ns}, and sends all due answers to keep-alives. */
    void keepAlive(long ns) {
        final Session its = session;
        if (its == null) {
            return;
        }
        answerKeepAlive(its);
        if (keepAlive.isQuiet(host.nowNs(), ns) && controlFrom == controlEnd) {
            putProgress(its);
            activate();
        }
    }

    /** Answers a keep-alive; the answer repeats this side's last PROGRESS, even if more has arrived since. */
    private void answerKeepAlive(Session session) {
        if (controlFrom == controlEnd && keepAlive.takeAnswerDue(host.nowNs(), host.config().tickNs())) {
            endControl(Control.putProgress(control(), 0, session.toldReceived(), session.toldLimit()));
            activate();
        }
    }

    /** Returns whether a frame with a checksum does not reach its end within {@code ns}. */
    boolean isStuck(long ns) {
        final Session its = session;
        if (its == null || !isChecked) {
            return false;
        }
        final int part = its.in.partBytes();
        return keepAlive.isStuck(part, its.in.position() + part, host.nowNs(), ns);
    }

    // ---- received control frames ----

    @Override
    public void control(MemorySegment memory, long at) throws ProtocolException {
        final Session its = session;
        if (its == null || isClosed) {
            return;
        }
        switch (Control.check(memory, at)) {
            case Control.PROGRESS -> progress(its, Control.received(memory, at), Control.limit(memory, at));
            default -> closing(its, Control.code(memory, at));
        }
    }

    private void progress(Session session, long received, long limit) throws ProtocolException {
        if (session.isKnownProgress(received, limit)) {
            if (keepAlive.received()) {
                answerKeepAlive(session);
            }
        } else if (!session.progress(received, limit)) {
            throw new ProtocolException("progress of " + received + ", " + limit + " is not possible");
        }
    }

    /**
     * Called when the peer closes the link. If a message is incomplete, a link closed to rest counts as lost, because
     * the rest of the message must arrive.
     */
    private void closing(Session session, int code) throws ProtocolException {
        if (code != Control.REST) {
            host.lose(Objects.requireNonNull(connection), session, "the other node has closed its network");
            return;
        }
        if (!mayRest()) {
            throw new ProtocolException("a link is to rest, though both sides have not agreed to that");
        }
        isResting = !session.fragments().hasBegun();
        fail(isResting ? null : new EOFException("the other side has closed the link in the middle of a message"));
    }
}
