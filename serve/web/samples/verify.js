const crypto = require("node:crypto");

// headers: an object with names in small letters; body: the raw bytes.
function verify(secret, headers, body, now = Date.now() / 1000) {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const sent = headers["webhook-timestamp"];
  if (!(Math.abs(now - Number(sent)) <= 300)) return false; // missing, too old or from the future
  const want = crypto.createHmac("sha256", key)
    .update(`${headers["webhook-id"]}.${sent}.`).update(body).digest();
  return (headers["webhook-signature"] || "").split(" ").some((one) => {
    const [version, signature = ""] = one.split(",");
    const got = Buffer.from(signature, "base64");
    return version === "v1" && got.length === want.length && crypto.timingSafeEqual(got, want);
  });
}

module.exports = { verify };
