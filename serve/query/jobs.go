package query

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"labour/serve/labourdata"
)

// job is a live advert as it is held in memory: its row without a borough, and the
// boroughs where it is, in the order of their slugs.
type job struct {
	labourdata.JobsRow
	boroughs []string
}

// board is the live adverts, newest first, and the boroughs of each place.
type board struct {
	jobs     []job
	boroughs map[string][]string
	names    map[string]string // of places
}

// readJobs reads the live adverts. A country has some hundred thousand, of some
// hundred bytes each.
func (s *Snapshot) readJobs(ctx context.Context) error {
	s.board = board{boroughs: make(map[string][]string), names: make(map[string]string)}
	err := s.each(ctx, "SELECT place, array_to_string(boroughs, ',') FROM place_boroughs", func(rows *sql.Rows) error {
		var place, boroughs string
		err := rows.Scan(&place, &boroughs)
		s.board.boroughs[place] = strings.Split(boroughs, ",")
		return err
	})
	if err != nil {
		return err
	}
	err = s.each(ctx, "SELECT place, name FROM places WHERE code > 0", func(rows *sql.Rows) error {
		var place, name string
		err := rows.Scan(&place, &name)
		s.board.names[place] = name
		return err
	})
	if err != nil {
		return err
	}
	const query = `SELECT id, type, title, employer, nullif(sector, ''), nullif(soc, ''), salary_text, posted, closes_on, link, source_key,
		coalesce(array_to_string(boroughs, ','), '') FROM jobs ORDER BY n`
	return s.each(ctx, query, func(rows *sql.Rows) error {
		var j job
		var posted int64
		var boroughs string
		err := rows.Scan(&j.ID, &j.Type, &j.Title, &j.Employer, &j.Sector, &j.SOC, &j.SalaryText, &posted, &j.ClosesOn, &j.Link, &j.SourceKey, &boroughs)
		j.PostedAt = time.Unix(posted, 0).UTC()
		j.AttributionStatement = s.sources[j.SourceKey].AttributionStatement
		if boroughs != "" {
			j.boroughs = strings.Split(boroughs, ",")
		}
		s.board.jobs = append(s.board.jobs, j)
		return err
	})
}

// page is the live adverts that match a question without words, after its position.
func (b *board) page(q labourdata.JobsQuery) (rows []labourdata.JobsRow, more bool) {
	asked, ok := b.boroughs[q.Borough]
	if q.Borough != "" && !ok {
		return nil, false
	}
	for i := b.after(q.After); i < len(b.jobs); i++ {
		j := &b.jobs[i]
		if q.Type != "" && j.Type != q.Type || q.Sector != "" && (j.Sector == nil || *j.Sector != q.Sector) ||
			q.SOC != "" && (j.SOC == nil || !strings.HasPrefix(*j.SOC, q.SOC)) {
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
