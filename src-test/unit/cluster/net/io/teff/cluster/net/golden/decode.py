"""Says what is in a golden file, one JSON object for each message.

Written from docs/PROTOCOL.md alone, with nothing but Python's standard library: where this and the decoder of
production differ, one of the three is wrong. Usage: python3 decode.py FILE
"""
import hashlib
import hmac
import json
import re
import struct
import sys

REQUEST, RESPONSE, FAILED, FRAGMENT, LAST, SKIPPED, CONTROL, CHECKED = (1 << bit for bit in range(8))
HELLO, CHALLENGE, PROOF, WELCOME, REFUSED = range(1, 6)
BODY_BYTES = {HELLO: 112, CHALLENGE: 96, PROOF: 64, WELCOME: 64, REFUSED: 50}
NID_MAX = 65534


class Refused(Exception):
    """The name of the rule that was broken."""


def require(condition, rule):
    if not condition:
        raise Refused(rule)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def read_file(name):
    """Entries: a name, what is said of it, its bytes."""
    entries = []
    with open(name, encoding="ascii") as lines:
        for line in lines:
            text = line.split("#")[0].strip()
            if text.startswith("["):
                words = text[1:-1].split(" ")
                entries.append((words[0], dict(word.split("=") for word in words[1:]), bytearray()))
            else:
                for byte, count in re.findall(r"([0-9a-f]{2})(?:\*(\d+))?", text):
                    entries[-1][2].extend(bytes([int(byte, 16)]) * int(count or 1))
    return entries


def say(by, kind, **says):
    says.update(by=by, kind=kind)
    print(json.dumps(says, sort_keys=True, separators=(",", ":")))


# ---- greetings ----

def greeting(by, data):
    """Reads the message at the front; its type, its bytes and what it says."""
    length, kind = struct.unpack_from("<iI", data)
    require(kind in BODY_BYTES and length == BODY_BYTES[kind], "length")
    message = bytes(data[:8 + length])
    require(len(message) == 8 + length, "length")
    body = message[8:]
    if kind == HELLO:
        lowest, highest, nid, called, incarnation, features, reserved = struct.unpack_from("<HHHHqiI", body, 8)
        require(body[:8] == b"TEFFNET1", "magic")
        require(lowest <= highest, "versions")
        require(reserved == 0, "reserved")
        require(nid <= NID_MAX, "nid")
        says = dict(lowest=lowest, highest=highest, nid=nid, called=called, incarnation=incarnation,
                    features=features, cluster=body[32:48].hex(), name=cluster_name(body[48:80]), nonce=body[80:].hex())
        say(by, "hello", **says)
    elif kind == CHALLENGE:
        incarnation, nid, version, features = struct.unpack_from("<qHHi", body, 32)
        says = dict(nonce=body[:32].hex(), incarnation=incarnation, nid=nid, version=version, features=features,
                    cluster=body[48:64].hex(), name=cluster_name(body[64:]))
        say(by, "challenge", **says)
    elif kind in (PROOF, WELCOME):
        session, received, limit, mode = struct.unpack_from("<qqqB", body, 32)
        require(mode <= 1 and not any(body[57:]), "mode")
        require(received >= 0 and received % 8 == 0 and (mode == 1 or received == 0), "received")
        require(limit >= 0, "limit")
        says = dict(mac=body[:32].hex(), session=session, received=received, limit=limit, mode=mode)
        say(by, "proof" if kind == PROOF else "welcome", **says)
    else:
        says = dict(code=struct.unpack_from("<H", body)[0], cluster=body[2:18].hex(), name=cluster_name(body[18:]))
        say(by, "refusal", **says)
    return kind, message, says


def cluster_name(data):
    name = data.rstrip(b"\0")
    require(re.fullmatch(rb"[A-Za-z0-9._-]*", name) is not None, "name")
    return name.decode("ascii")


# ---- frames ----

def frame(by, data, position):
    """Reads the frame at the front; how much it takes of bytes and stream, or None if its end is not there."""
    if len(data) < 4:
        return None
    length = struct.unpack_from("<i", data)[0]
    require(16 <= length <= 131072, "length")
    taken = (length + 7) // 8 * 8
    if len(data) < taken:
        return None
    place, kind, lane, flags, crc = struct.unpack_from("<IHBBI", data, 4)
    has_correlation = flags & (REQUEST | RESPONSE | FRAGMENT) != 0
    head = 24 if has_correlation else 16
    require(length >= head, "length")
    is_control = flags & CONTROL != 0
    require(place == (0 if is_control else position // 8 & 0xFFFFFFFF), "place")
    without = flags & ~CHECKED
    is_dropped = without & ~(REQUEST | RESPONSE) == FRAGMENT | LAST | SKIPPED
    if without & (CONTROL | SKIPPED) and not is_dropped:
        require(without in (CONTROL, SKIPPED), "flags")
        require(lane == 0, "lane")
    require(without & (REQUEST | RESPONSE) != REQUEST | RESPONSE, "flags")
    require(not without & FAILED or without & RESPONSE, "flags")
    require(not without & LAST or without & FRAGMENT, "flags")
    if is_dropped:
        require(length == head, "dropped")
    if without & FRAGMENT and not without & LAST:
        require(length - head >= 1024, "fragment")
    require(crc == (crc32c(data[16:length] + data[:12]) if flags & CHECKED else 0), "crc")
    require(not any(data[length:taken]), "pad")
    payload = bytes(data[head:length])
    if is_control:
        control(by, kind, payload)
        return taken, 0
    says = dict(at=position, type=kind, lane=lane, flags=flags, payload=payload.hex())
    if has_correlation:
        says["correlation"] = struct.unpack_from("<q", data, 16)[0]
    say(by, "frame", **says)
    return taken, taken


def control(by, kind, payload):
    if kind == 1:
        require(len(payload) == 16, "control")
        received, limit = struct.unpack("<qq", payload)
        say(by, "progress", received=received, limit=limit)
    elif kind == 2:
        require(len(payload) == 2, "control")
        say(by, "closing", code=struct.unpack("<H", payload)[0])
    else:
        raise Refused("control")


def frames(by, data, position):
    """Reads all frames that are whole; where the stream is then, and the bytes that are left."""
    while True:
        step = frame(by, data, position)
        if step is None:
            return position, data
        data = data[step[0]:]
        position += step[1]


# ---- conversations ----

class Conversation:
    """One link, from HELLO to its end."""

    def __init__(self, secret):
        self.secret = secret
        self.said = b""
        self.proof = None
        self.positions = None
        self.parts = {"dialer": b"", "listener": b""}

    def take(self, by, data):
        while self.positions is None and data:
            kind, message, says = greeting(by, data)
            data = data[len(message):]
            if kind in (PROOF, WELCOME):
                name = b"teff dialer 1" if kind == PROOF else b"teff listener 1"
                mac = hmac.new(self.secret, name + self.said + message[:8] + message[40:], hashlib.sha256)
                require(hmac.compare_digest(mac.digest(), message[8:40]), "mac")
            self.said += message
            if kind == PROOF:
                self.proof = says
            if kind == WELCOME:
                say("conversation", "proved")
                resumed = says["mode"] == 1
                self.positions = {"dialer": says["received"] if resumed else 0,
                                  "listener": self.proof["received"] if resumed else 0}
        if self.positions is not None:
            self.positions[by], self.parts[by] = frames(by, self.parts[by] + bytes(data), self.positions[by])


def main():
    conversation = None
    for name, says, data in read_file(sys.argv[1]):
        try:
            if name == "conversation":
                conversation = Conversation(bytes.fromhex(says["secret"]))
            elif name == "greeting":
                greeting(name, data)
            elif name == "frames":
                left = frames(name, data, 0)[1]
                if left:
                    say(name, "part", bytes=len(left))
            else:
                conversation.take(name, data)
        except Refused as rule:
            say(name, "refused")
            if str(rule) != says.get("refused"):
                sys.exit("refused by rule %s, the file says %s" % (rule, says.get("refused")))
        else:
            if "refused" in says:
                sys.exit("not refused by rule %s" % says["refused"])


main()
