package kept

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"
)

// Whatever stands before and after the moment, stock readers read each coding as the
// plain text.
func TestCodingsHoldTheText(t *testing.T) {
	text := rapid.Custom(func(t *rapid.T) []byte {
		part := rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "part")
		return bytes.Repeat(part, rapid.IntRange(0, 150).Draw(t, "times"))
	})
	rapid.Check(t, func(t *rapid.T) {
		before, after := text.Draw(t, "before"), text.Draw(t, "after")
		moment := rapid.SliceOfN(rapid.Byte(), 0, 30).Draw(t, "moment")
		whole := append(append(bytes.Clone(before), "???"...), after...)
		a := NewAnswer(About{}, whole, len(before), len(before)+3)
		if a == nil {
			if len(whole) <= maxBody {
				t.Fatal("not kept")
			}
			return
		}
		want := append(append(bytes.Clone(before), moment...), after...)
		if a.Size(len(moment)) != len(want) {
			t.Errorf("size %d of %d", a.Size(len(moment)), len(want))
		}
		for _, as := range []Encoding{Plain, Gzip, Zstd} {
			for range 2 {
				got := a.Encoded([]byte("there"), moment, as)
				if as != Plain && !a.Encodes(as) {
					as = Plain
				}
				if got = read(t, got[len("there"):], as); !bytes.Equal(got, want) {
					t.Fatalf("%s: %q, want %q", as, got, want)
				}
			}
		}
	})
}

func read(t *rapid.T, text []byte, as Encoding) []byte {
	var r io.Reader = bytes.NewReader(text)
	var err error
	switch as {
	case Gzip:
		r, err = gzip.NewReader(r)
		if err == nil {
			r.(*gzip.Reader).Multistream(false) // one member is all of it
		}
	case Zstd:
		r, err = zstd.NewReader(r)
	}
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("%s: %v", as, err)
	}
	return out
}

func TestAnswersOfOneSnapshot(t *testing.T) {
	answers, err := New()
	if err != nil {
		t.Fatal(err)
	}
	from := time.Unix(1000, 0)
	one := func(until time.Time) *Answer { return NewAnswer(About{From: from, Until: until}, []byte("a?b"), 1, 2) }
	answers.Keep("1", "/a", "", one(time.Time{}))
	if answers.Find("1", "/a", "", from) != nil {
		t.Error("an answer of a snapshot was kept before that was asked for")
	}
	answers.Keep("1", "/a", "", one(time.Time{}))
	answers.Keep("1", "/a", "x=1", one(from.Add(time.Minute)))
	for _, tt := range []struct {
		query string
		at    time.Time
		found bool
	}{{"", from.Add(-time.Hour), true}, {"", from.Add(time.Hour), true}, {"y", from, false}, {"x=1", from, true}, {"x=1", from.Add(-1), false},
		{"x=1", from.Add(time.Minute), true}, {"x=1", from.Add(time.Minute + 1), false}} {
		if got := answers.Find("1", "/a", tt.query, tt.at) != nil; got != tt.found {
			t.Errorf("%q at %v: %t", tt.query, tt.at, got)
		}
	}
	answers.Keep("0", "/b", "", one(time.Time{}))
	if answers.Find("1", "/b", "", from) != nil {
		t.Error("an answer of another snapshot was kept")
	}
	if answers.Find("2", "/a", "", from) != nil || answers.Find("1", "/a", "", from) != nil {
		t.Error("answers outlive their snapshot")
	}
	for i := range 2 * maxAnswers {
		answers.Keep("1", "/a", fmt.Sprint(i), one(time.Time{}))
	}
	if n := answers.sent.known.Len(); n != maxAnswers {
		t.Errorf("%d are kept", n)
	}
	if NewAnswer(About{}, make([]byte, maxBody+1), 1, 2) != nil {
		t.Error("an answer that is too long is kept")
	}
}

func BenchmarkEncoded(b *testing.B) {
	whole := bytes.Repeat([]byte(`{"id":"platform:ad-1","title":"Care worker"},`), 500)
	a := NewAnswer(About{}, whole, len(whole)-100, len(whole)-80)
	for _, as := range []Encoding{Plain, Gzip, Zstd} {
		b.Run("as "+string(as), func(b *testing.B) {
			b.SetBytes(int64(len(whole)))
			b.ReportAllocs()
			var to []byte
			for b.Loop() {
				to = a.Encoded(to[:0], []byte(`"2026-11-20T06:00:00Z"`), as)
			}
		})
	}
}
