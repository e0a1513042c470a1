"""Verifies deliveries of webhooks (Standard Webhooks). Python 3, without packages."""
import base64
import hashlib
import hmac
import sys
import time

MAX_AGE_SECONDS = 300


def is_valid(secret, webhook_id, timestamp, signatures, body, now=None):
    """Whether the delivery comes from the service and is recent. `body`: the bytes as they arrived."""
    if not (timestamp.isascii() and timestamp.isdigit()):
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > MAX_AGE_SECONDS:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{webhook_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # Two signatures while secrets overlap.
    return any(hmac.compare_digest(each.encode(), expected.encode()) for each in signatures.split(" "))


# Run by itself, it reads lines of `vector.tsv` and prints its verdicts.
if __name__ == "__main__":
    for line in sys.stdin.buffer.read().decode().splitlines():
        _, _, secret, webhook_id, timestamp, signatures, now, body = line.split("\t")
        valid = is_valid(secret, webhook_id, timestamp, signatures, body.encode(), int(now))
        print("valid" if valid else "rejected")
