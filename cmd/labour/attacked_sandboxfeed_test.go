package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"labour/pipeline/disclosure/madeup"
)

// readFeed unpacks the whole feed.
func (s *sandboxSeries) readFeed() {
	files, err := filepath.Glob(filepath.Join(s.dir, "whole", "*.ndjson*"))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			s.t.Fatal(err)
		}
		if name, packed := strings.CutSuffix(file, ".zst"); packed {
			unpack, err := zstd.NewReader(nil)
			if err != nil {
				s.t.Fatal(err)
			}
			if b, err = unpack.DecodeAll(b, nil); err != nil {
				s.t.Fatal(err)
			}
			unpack.Close()
			file = name
		}
		lines := bufio.NewScanner(bytes.NewReader(b))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			s.feed[filepath.Base(file)] = append(s.feed[filepath.Base(file)], lines.Text())
		}
	}
}

// once leaves each resident one application for each skill, the first, so that
// nobody ever moves from one group to another and old and new numbers describe the
// same people: the attacker's best case.
func (s *sandboxSeries) once() {
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(s.feed)) {
		if !strings.HasPrefix(name, "applications") {
			continue
		}
		for i, line := range s.feed[name] {
			var a map[string]any
			if err := json.Unmarshal([]byte(line), &a); err != nil {
				s.t.Fatal(err)
			}
			skills, _ := a["skills"].([]any)
			left := slices.DeleteFunc(skills, func(k any) bool {
				key := fmt.Sprint(a["resident"], " ", k.(map[string]any)["skill"])
				again := seen[key]
				seen[key] = true
				return again
			})
			if len(left) < len(skills) || len(left) == 0 {
				a["skills"] = left
				b, err := json.Marshal(a)
				if err != nil {
					s.t.Fatal(err)
				}
				s.feed[name][i] = string(b)
			}
		}
	}
}

// writeFeed writes the records as they were at the end of a quarter: what came later
// is not there, and an outcome of later is still pending.
func (s *sandboxSeries) writeFeed(q int) {
	after := quarterEnd(q).AddDate(0, 0, 1).Format(time.DateOnly)
	for name, lines := range s.feed {
		var out strings.Builder
		for _, line := range lines {
			var record map[string]any
			if err := json.Unmarshal([]byte(line), &record); err != nil {
				s.t.Fatal(err)
			}
			later := func(field string) bool { at, there := record[field].(string); return there && at >= after }
			if later("posted_on") || later("applied_at") || later("occurred_at") || later("updated_on") {
				continue
			}
			if later("outcome_recorded_at") {
				delete(record, "outcome_recorded_at")
				delete(record, "skills")
				record["outcome"] = "pending"
				b, err := json.Marshal(record)
				if err != nil {
					s.t.Fatal(err)
				}
				line = string(b)
			}
			out.WriteString(line + "\n")
		}
		if err := os.MkdirAll(filepath.Join(s.dir, "feed"), 0o755); err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(s.dir, "feed", name), []byte(out.String()), 0o644); err != nil {
			s.t.Fatal(err)
		}
	}
}

// ages are the people of the months from to just under to since launch, with their
// age at the end.
func ages(people []madeup.Person, from, to int) (out []madeup.Person) {
	for _, p := range people {
		if p.Age >= from && p.Age < to {
			p.Age = to - 1 - p.Age
			out = append(out, p)
		}
	}
	return out
}
