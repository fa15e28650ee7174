package query

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"labour/serve/labourdata"
	"labour/serve/words"
	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// job is a live advert as it is held in memory: its row without a borough, the
// boroughs where it is, in the order of their slugs, and what is searched.
type job struct {
	labourdata.JobsRow
	boroughs []string
	name     words.Name // title and employer
}

// board is the live adverts, newest first, and the boroughs of each place.
type board struct {
	jobs     []job
	boroughs map[string][]string
	names    map[string]string // of places
}

// readJobs reads the live adverts of a snapshot in dir. A country has some hundred
// thousand, of some hundred bytes each. The faults are what they name and other tables do
// not list.
func (s *Snapshot) readJobs(ctx context.Context, dir string) (faults []error, err error) {
	s.board = board{boroughs: make(map[string][]string), names: make(map[string]string)}
	err = s.each(ctx, "place_members", func(rows *sql.Rows) error {
		var place, borough string
		err := rows.Scan(&place, &borough)
		s.board.boroughs[place] = append(s.board.boroughs[place], borough)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, p := range s.named[labourdata.Places] {
		s.board.names[p.Value] = p.Name
	}
	unlisted := map[string]bool{}
	err = parquetio.Read(snapshots.Within(dir, snapshots.TableFileName("jobs")), func(r snapshots.JobsRow) error {
		j := s.jobOf(r)
		s.board.jobs = append(s.board.jobs, j)
		s.unlisted(&j, unlisted)
		return ctx.Err()
	})
	slices.SortFunc(s.board.jobs, func(a, b job) int {
		return cmp.Or(b.PostedAt.Compare(a.PostedAt), strings.Compare(b.ID, a.ID))
	})
	return faultsOf(unlisted), err
}

// jobOf is an advert as it is held in memory.
func (s *Snapshot) jobOf(r snapshots.JobsRow) job {
	j := job{name: words.NameOf(r.Title, r.Employer), JobsRow: labourdata.JobsRow{ID: r.ID, Type: r.Type, Title: r.Title, Employer: r.Employer,
		SalaryText: r.SalaryText, PostedAt: r.PostedAt, ClosesOn: r.ClosesOn, Link: r.Link, SourceKey: r.SourceKey,
		AttributionStatement: s.sources[r.SourceKey].AttributionStatement}}
	if r.Sector != "" {
		j.Sector = &r.Sector
	}
	if r.SOC != "" {
		j.SOC = &r.SOC
	}
	if r.Boroughs != "" {
		j.boroughs = strings.Split(r.Boroughs, ",")
	}
	return j
}

// unlisted notes what an advert names and other tables do not list.
func (s *Snapshot) unlisted(j *job, faults map[string]bool) {
	if _, ok := s.sources[j.SourceKey]; !ok {
		faults[fmt.Sprintf("jobs: source %q is not in sources", j.SourceKey)] = true
	}
	for _, b := range j.boroughs {
		if s.kinds[b] != "borough" {
			faults[fmt.Sprintf("jobs: borough %q is not in places", b)] = true
		}
	}
	if j.Sector == nil {
		return
	}
	if _, ok := s.sectors[*j.Sector]; !ok {
		faults[fmt.Sprintf("jobs: sector %q is not in sectors", *j.Sector)] = true
	}
}

// page is the live adverts that match a question, after its position.
func (b *board) page(q labourdata.JobsQuery) (rows []labourdata.JobsRow, more bool) {
	asked, ok := b.boroughs[q.Borough]
	if q.Borough != "" && !ok {
		return nil, false
	}
	search := words.SearchOf(q.Search)
	for i := b.after(q.After); i < len(b.jobs); i++ {
		j := &b.jobs[i]
		if q.Type != "" && j.Type != q.Type || q.Sector != "" && (j.Sector == nil || *j.Sector != q.Sector) ||
			q.SOC != "" && (j.SOC == nil || !strings.HasPrefix(*j.SOC, q.SOC)) || !search.Finds(j.name) {
			continue
		}
		near := 0
		if q.Borough != "" {
			if near = slices.IndexFunc(j.boroughs, func(at string) bool { return slices.Contains(asked, at) }); near < 0 {
				continue
			}
		}
		if len(rows) == q.Limit {
			return rows, true
		}
		rows = append(rows, j.at(near, b.names))
	}
	return rows, false
}

// at is the row of an advert with the borough at a position of its own.
func (j *job) at(near int, names map[string]string) labourdata.JobsRow {
	row := j.JobsRow
	if near < len(j.boroughs) {
		if name, ok := names[j.boroughs[near]]; ok {
			row.Borough, row.BoroughName = &j.boroughs[near], &name
		}
	}
	return row
}

// after is the position of the first advert behind a row: "newest first", and of
// one time the greatest id first.
func (b *board) after(p *labourdata.JobsPosition) int {
	if p == nil {
		return 0
	}
	at, found := slices.BinarySearchFunc(b.jobs, p, func(j job, p *labourdata.JobsPosition) int {
		if c := p.PostedAt.Compare(j.PostedAt); c != 0 {
			return c
		}
		return strings.Compare(p.ID, j.ID)
	})
	if found {
		at++
	}
	return at
}
