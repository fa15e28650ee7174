import base64
import hashlib
import hmac
import time


def verify(secret, headers, body, now=None):
    """headers: a dict with names in small letters; body: the raw bytes."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    sent = headers.get("webhook-timestamp", "")
    if not sent.isdecimal() or abs((now or time.time()) - int(sent)) > 300:
        return False  # missing, too old or from the future
    signed = f'{headers.get("webhook-id", "")}.{sent}.'.encode() + body
    want = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    return any(
        hmac.compare_digest(one.encode(), want)
        for one in headers.get("webhook-signature", "").split()
    )
