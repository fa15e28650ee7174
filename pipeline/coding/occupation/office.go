package occupation

import (
	"bytes"
	_ "embed" // the coding index is part of the program
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// Source: Office for National Statistics, SOC 2020 coding index, licensed under the Open Government Licence v3.0.
//
//go:embed codingindex.tsv.gz
var codingIndex []byte

// officeTitles reads the coding index that the program carries: one line for each
// sub-unit group, with its code, name, description and titles.
func officeTitles() ([]phrase, error) {
	packed, err := gzip.NewReader(bytes.NewReader(codingIndex))
	if err != nil {
		return nil, fmt.Errorf("unpack the coding index: %w", err)
	}
	raw, err := io.ReadAll(packed)
	if err != nil {
		return nil, fmt.Errorf("unpack the coding index: %w", err)
	}
	out := make([]phrase, 0, 30_000)
	for line := range strings.Lines(string(raw)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 4 || len(f[0]) < 4 {
			return nil, fmt.Errorf("read the coding index: line %q is not four columns", line)
		}
		soc := f[0][:4]
		for title := range strings.SplitSeq(f[3], "|") {
			if words := foldWords(title); len(words) > 0 {
				out = append(out, phrase{words: words, soc: soc})
			}
		}
	}
	return out, nil
}

// joinTitles returns the titles that are looked up whole: those of the coding index
// that have one unit group there, and the program's own. A title of one word from the
// coding index is no part of a longer one: "Engineer" says little about other engineers.
func joinTitles(own, office []phrase) []phrase {
	out := slices.Clone(own)
	place := make(map[string]int, len(own)+len(office))
	for i, p := range own {
		place[strings.Join(p.words, " ")] = i
	}
	codes := make(map[string]string, len(office)) // "" = several
	for _, p := range office {
		key := strings.Join(p.words, " ")
		if other, seen := codes[key]; seen && other != p.soc {
			codes[key] = ""
			continue
		}
		codes[key] = p.soc
	}
	for _, p := range office {
		key := strings.Join(p.words, " ")
		soc := codes[key]
		if soc == "" {
			continue
		}
		if i, known := place[key]; known {
			out[i].soc = soc
			continue
		}
		place[key] = len(out)
		p.whole = len(p.words) == 1
		out = append(out, p)
	}
	return out
}
