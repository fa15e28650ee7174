package snapshots

import (
	"strings"
	"testing"
	"time"
)

// TestKeyedObject holds the HMACs against openssl's:
//
//	printf '%s\0%s\0%s\0%s' 2026-11-20.1 2026-11-20T05:00:00Z s106.ndjson 00..00 |
//		openssl dgst -sha256 -hmac key
//	printf '%s\0%s' 2026-11-20.1 00..00 | openssl dgst -sha256 -hmac key
func TestKeyedObject(t *testing.T) {
	const id, key = ID("2026-11-20.1"), "key"
	fetchedAt := time.Date(2026, 11, 20, 6, 0, 0, 999, time.FixedZone("", 3600))
	o := ArchivedObject{Name: "s106.ndjson", SHA256: strings.Repeat("0", 64), Bytes: 7}
	want := ArchivedObject{Name: "s106.ndjson",
		HMACSHA256: "0b753294b3289de3f506ea804c31f634fd5052ae5e509e38e8748e2ebcd000ee"}
	got := o.WithKeyedHash(ManifestKey(key), id, fetchedAt)
	if got != want || got.HashInManifest() != want.HMACSHA256 || o.HashInManifest() != o.SHA256 {
		t.Errorf("%+v, want %+v", got, want)
	}
	const former = "72554c440316f2cbdd7d12fb332a04909ecc9f7875b548094f9b42ebf327a14e"
	if got := ManifestKey(key).FormerFileHash(id, o.SHA256); got != former {
		t.Errorf("earlier versions wrote %s, want %s", got, former)
	}
}
