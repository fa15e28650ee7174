package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"labour/serve/api"
	"labour/serve/web/words"
	"labour/snapshots"
)

// sourceView is a source with how well its adverts could be coded; Coverage is nil for a
// source without adverts, or with too few to say.
type sourceView struct {
	api.SourcesRow
	Coverage *coverage
}

// coverage has shares of a source's adverts in the country, in whole per cent. How many
// adverts there are is not published, nor how many a rule left out.
type coverage struct {
	Placed, Occupation, Sector, Skill int64
	LeftOut                           []string // the rules that left adverts out
}

// coverageFrom is how many adverts a share needs.
const coverageFrom = 100

// reportedSource is what the report of a run says of one source.
type reportedSource struct {
	Source  string `json:"source"`
	Adverts *struct {
		InUK       int64            `json:"in_uk"`
		Placed     int64            `json:"placed"`
		WithSOC    int64            `json:"with_soc"`
		WithSector int64            `json:"with_sector"`
		WithSkill  int64            `json:"with_skill"`
		NoText     int64            `json:"no_text"`
		Excluded   map[string]int64 `json:"excluded"`
	} `json:"adverts"`
}

// coverageOf reads the coverage of each source of a snapshot from its report; a snapshot
// that was removed has none.
func (s *Site) coverageOf(id snapshots.ID) (map[string]*coverage, error) {
	b, err := os.ReadFile(snapshots.Within(s.Store.Dir(id), snapshots.ReportName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var report struct {
		Sources []reportedSource `json:"sources"`
	}
	if err == nil {
		err = json.Unmarshal(b, &report)
	}
	if err != nil {
		return nil, fmt.Errorf("coverage of the sources: %w", err)
	}
	found := map[string]*coverage{}
	for _, r := range report.Sources {
		a := r.Adverts
		if a == nil || a.InUK < coverageFrom {
			continue
		}
		c := &coverage{Placed: wholePercent(a.Placed, a.InUK), Occupation: wholePercent(a.WithSOC, a.InUK), Sector: wholePercent(a.WithSector, a.InUK)}
		if read := a.InUK - a.NoText; read > 0 {
			c.Skill = wholePercent(a.WithSkill, read)
		}
		for _, rule := range words.List("rule") {
			if a.Excluded[rule.Value] > 0 {
				c.LeftOut = append(c.LeftOut, rule.Name)
			}
		}
		found[r.Source] = c
	}
	return found, nil
}

// wholePercent is a part in whole per cent; only the whole is 100.
func wholePercent(n, of int64) int64 {
	if n < of {
		return min((200*n+of)/(2*of), 99)
	}
	return 100
}

// statusView is what is published and which sources are late.
type statusView struct {
	Published time.Time // zero = not known
	Sources   int
	Late      []api.SourcesRow
}

// status says in words how fresh the figures are.
func (s *Site) status(v *request) view {
	shown := view{template: "status", title: "Status", section: "/status"}
	if v.snapshot == nil {
		return shown
	}
	p := ask(v, "The sources", sourcesPath, api.Snapshot.Sources, api.SourcesQuery{})
	d := statusView{Sources: len(p.Rows)}
	for _, r := range p.Rows {
		if r.StaleAt(v.at) {
			d.Late = append(d.Late, r)
		}
	}
	e, ok, err := s.entry(snapshots.ID(v.snapshot.ID()))
	if v.fail(err); ok {
		d.Published = e.Manifest.CreatedAt
	}
	v.stamp.People = true
	shown.data = d
	return shown
}
