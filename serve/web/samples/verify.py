import base64
import hashlib
import hmac
import time


def verify(secret, headers, body, now=None):
    """headers: a dict with names in small letters; body: the raw bytes."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    sent = headers["webhook-timestamp"]
    if abs((now or time.time()) - int(sent)) > 300:
        return False  # too old or from the future
    signed = f'{headers["webhook-id"]}.{sent}.'.encode() + body
    want = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return any(
        hmac.compare_digest(one, "v1," + want)
        for one in headers["webhook-signature"].split()
    )
