package cursor

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"
)

// Keys are stored, so their length is fixed: 32 bytes are taken, and no other number is.
func TestKeyIsOf32Bytes(t *testing.T) {
	for bytes := range 40 {
		if _, err := NewSealer(strings.Repeat("a7", bytes)); (err == nil) != (bytes == 32) {
			t.Errorf("a key of %d bytes: %v", bytes, err)
		}
	}
}

func TestNoKeyWithoutRandomBytes(t *testing.T) {
	failed := errors.New("no entropy")
	if key, err := NewKey(iotest.ErrReader(failed)); !errors.Is(err, failed) || key != "" {
		t.Errorf("key %q, %v", key, err)
	}
}

// The longest text that is decoded is taken, and the next longer one is not, though it was sealed here.
func TestLongestCursor(t *testing.T) {
	s := sealer(t)
	tried := map[int]bool{}
	for n := 1400; n < 1500; n++ {
		token, err := s.Seal("e", "2026-11-20.1", position{1, strings.Repeat("a", n)})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Open(token, "e", &position{})
		if taken := err == nil; taken != (len(token) <= maxLength) {
			t.Errorf("%d characters: %v", len(token), err)
		}
		tried[len(token)] = true
	}
	if !tried[maxLength] || !tried[maxLength+2] { // no text of base64 has 2049 characters here
		t.Error("the lengths around the limit were not tried")
	}
}

// Cursors outlive the server that made them: one that was made with a key is opened with it later, and
// what is sealed reads as it ever did.
func TestCursorsAreStable(t *testing.T) {
	s, err := NewSealer(strings.Repeat("a7", 32))
	if err != nil {
		t.Fatal(err)
	}
	const kept = "AXsiZSI6ImV2aWRlbmNlIiwicyI6IjIwMjYtMTEtMjAuMSIsInAiOnsiUmFuayI6NywiU2tpbGwiOiJ0aWxpbmcifX3gHIvI" +
		"Ibpq2w1ekkuYmpA4"
	token, err := s.Seal("evidence", "2026-11-20.1", position{7, "tiling"})
	if err != nil || token != kept {
		t.Errorf("sealed %s, %v", token, err)
	}
	var at position
	if id, err := s.Open(kept, "evidence", &at); err != nil || id != "2026-11-20.1" || at != (position{7, "tiling"}) {
		t.Errorf("%s %+v, %v", id, at, err)
	}
	if token, err := s.Seal("evidence", "2026-11-20.1", func() {}); err == nil || token != "" {
		t.Errorf("what cannot be written as JSON became %q", token)
	}
}
