package yeartest

import (
	"maps"
	"slices"
	"time"

	"labour/pipeline/protected"
	"labour/sources/archive"
)

// learnFeed notes what a fetch of the feed gave. A light run asks for nothing about residents.
func (p *player) learnFeed(light bool) {
	p.known.feed, p.known.feedAt = p.site.shown, p.clock
	if light {
		return
	}
	p.known.applied, p.known.appliedAt, p.known.complete = p.site.shown, p.clock, time.Time{}
	if p.site.completeUntil != "" {
		p.known.complete, _ = time.Parse(time.RFC3339, p.site.completeUntil) // written by the script
	}
}

// learnAll records what a whole run received, and returns the sources with a failure.
func (p *player) learnAll() (failed []string) {
	if p.down["platform"] {
		failed = append(failed, "platform")
	} else {
		p.learnFeed(false)
	}
	if !p.noBoards && p.learnBoards() {
		failed = append(failed, "employer_boards")
	}
	if p.site.courses == nil {
		failed = append(failed, "dfe_apprenticeships")
	} else {
		copied := *p.site.courses
		copied.starts = maps.Clone(copied.starts)
		p.known.courses, p.known.coursesAt = &copied, p.clock
	}
	p.known.hackney, p.known.former, p.known.placesAt = p.site.hackney, p.site.former, p.clock
	p.known.corrected = p.service.corrections != ""
	p.unsure = p.unsure && len(failed) > 0
	slices.Sort(failed)
	return failed
}

// learnBoards notes what the boards gave, and reports whether one failed. A board that is suddenly
// empty fails on the first day; it is a board without vacancies from the second day on.
func (p *player) learnBoards() (failed bool) {
	for _, token := range p.tokens {
		state, was := p.site.boards[token], p.known.boards[token]
		empty := state.status == 0 && !state.half && len(state.list) == 0
		if empty && was.emptySince.IsZero() && len(was.listed) > 0 {
			was.emptySince = p.clock
		} else if !empty {
			was.emptySince = time.Time{}
		}
		first := !was.emptySince.IsZero() && date(was.emptySince) == date(p.clock)
		if state.status != 0 || state.half || first {
			failed = true
			p.known.boards[token] = was
			continue
		}
		if was.seen == nil {
			was.seen = map[int64][]vacancy{}
		}
		for _, v := range state.list {
			was.seen[v.ID] = withPosting(was.seen[v.ID], v)
		}
		was.listed, was.at = state.list, p.clock
		p.known.boards[token] = was
	}
	return failed
}

// hasReceivedBoards reports whether the archive has a fetch of the boards from this moment. A run that is killed
// early has none.
func (p *player) hasReceivedBoards() bool {
	p.t.Helper()
	a, err := archive.Open(protected.ArchiveDir(p.data()))
	if err != nil {
		p.t.Fatal(err)
	}
	defer a.Close() // opened for reading only
	x, known, err := a.LastExtract("employer_boards")
	if err != nil {
		p.t.Fatal(err)
	}
	return known && !x.FetchedAt.Before(p.clock)
}
