package cursor

import (
	"crypto/rand"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

type position struct {
	Rank  int
	Skill string
}

func sealer(t testing.TB) *Sealer {
	t.Helper()
	key, err := NewKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSealer(key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestOpenGivesBackWhatWasSealed(t *testing.T) {
	s := sealer(t)
	rapid.Check(t, func(t *rapid.T) {
		want := position{Rank: rapid.Int().Draw(t, "rank"), Skill: rapid.StringMatching(`[a-zé<&-]*`).Draw(t, "skill")}
		token, err := s.Seal("evidence", "2026-11-20.1", want)
		if err != nil {
			t.Fatal(err)
		}
		var got position
		snapshot, err := s.Open(token, "evidence", &got)
		if err != nil || got != want || snapshot != "2026-11-20.1" {
			t.Fatalf("got %+v %q %v, want %+v", got, snapshot, err, want)
		}
	})
}

// Every changed character is noticed: all 255 other bytes at every place, every
// character left out, every character doubled.
func TestAnyChangeIsInvalid(t *testing.T) {
	s := sealer(t)
	// Three lengths of payload, so that each number of trailing bits occurs.
	for _, skill := range []string{"a", "ab", "abc"} {
		token, err := s.Seal("e", "2026-11-20.1", position{7, skill})
		if err != nil {
			t.Fatal(err)
		}
		refuse := func(changed string) {
			t.Helper()
			if _, err := s.Open(changed, "e", &position{}); !errors.Is(err, ErrInvalid) {
				t.Fatalf("%q taken for %q", changed, token)
			}
		}
		for i := range len(token) {
			for b := range 256 {
				if byte(b) != token[i] {
					refuse(token[:i] + string([]byte{byte(b)}) + token[i+1:])
				}
			}
			refuse(token[:i] + token[i+1:])
			for _, extra := range []string{"\n", "\r", "=", " ", token[i : i+1]} {
				refuse(token[:i] + extra + token[i:])
			}
		}
		for _, extra := range []string{"\n", "=", "==", "A", "AA"} {
			refuse(token + extra)
		}
	}
}

func TestForeignCursorsAreInvalid(t *testing.T) {
	s, other := sealer(t), sealer(t)
	token, err := s.Seal("evidence", "2026-11-20.1", position{1, "a"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Open(token, "skills-unmet", &position{}); !errors.Is(err, ErrInvalid) {
		t.Error("taken for another endpoint")
	}
	if _, err := other.Open(token, "evidence", &position{}); !errors.Is(err, ErrInvalid) {
		t.Error("taken under another key")
	}
	if _, err := s.Open("", "evidence", &position{}); !errors.Is(err, ErrInvalid) {
		t.Error("empty one taken")
	}
	if _, err := s.Open(strings.Repeat("A", 1<<20), "evidence", &position{}); !errors.Is(err, ErrInvalid) {
		t.Error("long one taken")
	}
}

func TestNewRefusesOtherKeys(t *testing.T) {
	for _, key := range []string{"", "00", strings.Repeat("0", 63), strings.Repeat("g", 64)} {
		if _, err := NewSealer(key); err == nil {
			t.Errorf("key %q taken", key)
		}
	}
}

func FuzzOpen(f *testing.F) {
	s, err := NewSealer(strings.Repeat("0f", keyBytes))
	if err != nil {
		f.Fatal(err)
	}
	good, err := s.Seal("e", "2026-11-20.1", position{1, "a"})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add("")
	f.Add("AQ")
	f.Fuzz(func(t *testing.T, token string) {
		if _, err := s.Open(token, "e", &position{}); err == nil && token != good {
			t.Fatalf("%q taken", token)
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	s := sealer(b)
	token, err := s.Seal("e", "2026-11-20.1", position{1, "a"})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.Open(token, "e", &position{}); err != nil {
			b.Fatal(err)
		}
	}
}
