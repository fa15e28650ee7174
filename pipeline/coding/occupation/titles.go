package occupation

import (
	"bytes"
	_ "embed" // for the coding index
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// TitleCounts is the result of Register.WithTitles. It counts the official job titles that were
// added, and those left out for each reason.
type TitleCounts struct {
	Added            int // number of job titles that were new and are now known
	AlreadyKnown     int // number of titles that were already known and keep their built-in code
	IndustrySpecific int // number of titles left out because they are valid only for one industry or duty
	// number of titles left out because the Office for National Statistics gives them several
	// codes
	Ambiguous int
	Uncoded   int // number of titles left out because they have no words or no unit group
}

// distinct removes duplicate job titles, and titles with several occupation codes. ambiguous counts
// the titles with several codes. distinct marks titles of one word, so that they match only a whole
// title.
func distinct(titles []phrase) (list []phrase, ambiguous int) {
	at := map[string]int{}
	for _, p := range titles {
		key := strings.Join(p.words, " ")
		i, seen := at[key]
		switch {
		case !seen:
			at[key] = len(list)
			p.whole = len(p.words) == 1
			list = append(list, p)
		case list[i].soc != "" && list[i].soc != p.soc:
			list[i].soc = ""
			ambiguous++
		}
	}
	return slices.DeleteFunc(list, func(p phrase) bool { return p.soc == "" }), ambiguous
}

// codingIndex is the official list of job titles with their occupation codes, compressed with gzip.
// Source: Office for National Statistics, SOC 2020 coding index, licensed under the Open Government Licence v3.0.
//
//go:embed codingindex.tsv.gz
var codingIndex []byte

// officeTitles returns the job titles in the built-in coding index of the Office for National
// Statistics, with their occupation codes.
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

// joinTitles joins the job titles from adverts (own) with the official job titles (office). It
// skips official titles with several codes. If a title is in both lists, the official code is used.
// If a title of one word is only in office, it matches only a whole title: "Engineer" must not
// match "Sales Engineer".
func joinTitles(own, office []phrase) []phrase {
	out := slices.Clone(own)
	at := make(map[string]int, len(own))
	for i, p := range own {
		at[strings.Join(p.words, " ")] = i
	}
	office, _ = distinct(office)
	for _, p := range office {
		if i, known := at[strings.Join(p.words, " ")]; known {
			out[i].soc = p.soc
		} else {
			out = append(out, p)
		}
	}
	return out
}
