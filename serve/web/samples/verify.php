<?php
// $headers: an array with names in small letters; $body: the raw bytes,
// file_get_contents('php://input').
function verify(string $secret, array $headers, string $body, ?int $now = null): bool
{
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $sent = $headers['webhook-timestamp'] ?? '';
    if (abs(($now ?? time()) - (int) $sent) > 300) {
        return false; // missing, too old or from the future
    }
    $signed = ($headers['webhook-id'] ?? '') . '.' . $sent . '.' . $body;
    $want = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $one) {
        if (hash_equals($want, $one)) {
            return true;
        }
    }
    return false;
}
