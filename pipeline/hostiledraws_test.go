package pipeline

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"pgregory.net/rapid"
)

// pieces are what no publisher should send, and some do.
var pieces = []string{"\x00", "\xff", "\x96", "\xc3", "\xf0\x9f\x98", "\ufeff", "\ufffd", "\u202e", "\u2066", "\u200b",
	"\x0b", "\x0c", "\x1b[31m", "\u0085", "\u2028",
	`\u0000`, `\ud83d`, `\udc00`, `\u202e`, `"`, `""`, `'`, "\n", "\r", ",", ";", "\t", "&#0;", "&#11;", "&#xFFFF;",
	"&amp;lt;", "&pound;", "&nosuch;", "<b>", "]]>",
	"<![CDATA[", "</", "1e999", "-1", "99999999999999999999", "NaN", "0x1p4", "null", "{}", "[]",
	"0001-01-01T00:00:00Z", "9999-12-31T23:59:59+14:00", "2026-02-30",
	"E09000007", "\u00a0", "1,5", "\u2212" + "5", "=1+1", "=cmd|' /C calc'!A0", strings.Repeat("x", 5000),
	strings.Repeat("[", 3000)}

// drawn draws a way to damage a body.
var drawn = rapid.Custom(func(t *rapid.T) func([]byte) []byte {
	cut := rapid.Float64Range(0, 1)
	at := func(b []byte, share float64) int { return int(share * float64(len(b))) }
	switch rapid.IntRange(0, 7).Draw(t, "way") {
	case 0: // bytes
		noise := rapid.SliceOfN(rapid.Byte(), 0, 400).Draw(t, "bytes")
		return func([]byte) []byte { return noise }
	case 1: // a text that breaks off
		share := cut.Draw(t, "end")
		return func(b []byte) []byte { return b[:at(b, share)] }
	case 2: // UTF-16
		order := rapid.SampledFrom([]unicode.Endianness{unicode.LittleEndian, unicode.BigEndian}).Draw(t, "order")
		return func(b []byte) []byte {
			wide, _ := unicode.UTF16(order, unicode.UseBOM).NewEncoder().Bytes(b)
			return wide
		}
	case 3: // a part that stands twice
		from, to := cut.Draw(t, "from"), cut.Draw(t, "to")
		return func(b []byte) []byte {
			i, j := at(b, min(from, to)), at(b, max(from, to))
			return slices.Concat(b[:j], b[i:])
		}
	case 4: // other values in JSON, or other cells in a table
		seed := rapid.Uint64().Draw(t, "values")
		words := rapid.SliceOfN(rapid.OneOf(rapid.String(), rapid.SampledFrom(pieces)), 1, 8).Draw(t, "words")
		return func(b []byte) []byte { return otherValues(b, words, seed) }
	default: // pieces anywhere
		type piece struct {
			share float64
			text  string
		}
		inWords := rapid.Bool().Draw(t, "in words") // else anywhere
		var all []piece
		for range rapid.IntRange(1, 6).Draw(t, "pieces") {
			all = append(all, piece{cut.Draw(t, "place"), rapid.SampledFrom(pieces).Draw(t, "piece")})
		}
		return func(b []byte) []byte {
			for _, p := range all {
				i := at(b, p.share)
				for inWords && i > 0 && i < len(b) && !(isLetter(b[i-1]) && isLetter(b[i])) {
					i++
				}
				b = slices.Concat(b[:i], []byte(p.text), b[i:])
			}
			return b
		}
	}
})

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' }

// known are pieces that stopped a store before; they go first, into the words of the last half of
// what each publisher sends.
var known = []string{"\x96", "\u202e\x00"}

// behind puts a piece into several words.
func behind(piece string) func([]byte) []byte {
	return func(b []byte) []byte {
		// from behind: what goes before stays in its place
		for _, share := range []float64{0.95, 0.85, 0.75, 0.65, 0.55} {
			i := int(share * float64(len(b)))
			for i > 0 && i < len(b) && !(isLetter(b[i-1]) && isLetter(b[i])) {
				i++
			}
			b = slices.Concat(b[:i], []byte(piece), b[i:])
		}
		return b
	}
}

// otherValues puts words in the place of some values of JSON, or of some cells between commas.
func otherValues(body []byte, words []string, seed uint64) []byte {
	next := func(n int) int {
		seed = seed*6364136223846793005 + 1442695040888963407
		return int(seed>>33) % n
	}
	var change func(v any) any
	change = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				v[k] = change(v[k])
			}
			return v
		case []any:
			for i := range v {
				v[i] = change(v[i])
			}
			return v
		}
		switch next(20) {
		case 0:
			return words[next(len(words))]
		case 1:
			return []any{nil, true, -1, 1e300, []any{}, map[string]any{}}[next(6)]
		}
		return v
	}
	var doc any
	if json.Unmarshal(body, &doc) == nil {
		changed, err := json.Marshal(change(doc))
		if err == nil {
			return changed
		}
	}
	cells := bytes.Split(body, []byte(","))
	for i := range cells {
		if next(20) == 0 {
			cells[i] = []byte(words[next(len(words))])
		}
	}
	return bytes.Join(cells, []byte(","))
}
