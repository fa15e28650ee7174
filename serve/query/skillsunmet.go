package query

import (
	"context"
	"database/sql"
	"fmt"

	"labour/serve/labourdata"
	"labour/snapshots/figure"
)

// ownSource is the key of the service's own figures; every row of skills not met
// carries it.
const ownSource = "platform"

// SkillsUnmet ranks the skills that adverts ask for and people do not yet meet,
// or the buckets of one skill. Rank is the position in the whole list for the
// filters: a question that names one skill without a breakdown gets its row with
// the rank that it has among all skills, and by month the rank is the calendar's.
// Place, Sector, Source and Skill must be known values; an unknown one gives no rows.
func (s *Snapshot) SkillsUnmet(ctx context.Context, q labourdata.SkillsUnmetQuery) (labourdata.Page[labourdata.SkillsUnmetRow], error) {
	plan, ok := s.plan(q)
	if !ok {
		return labourdata.Page[labourdata.SkillsUnmetRow]{}, nil
	}
	return collect(ctx, s, plan.question, plan.arguments, q.Limit,
		func(rows *sql.Rows) (labourdata.SkillsUnmetRow, []string, error) {
			row, mask, err := scanUnmet(rows)
			return row, s.contributors(mask), err
		})
}

// contributors are the platform and every source of the mask.
func (s *Snapshot) contributors(mask uint64) []string {
	keys := []string{ownSource}
	for code, key := range s.sourceKeys {
		if mask&(1<<code) != 0 {
			keys = append(keys, key)
		}
	}
	return keys
}

func scanUnmet(rows *sql.Rows) (row labourdata.SkillsUnmetRow, sources uint64, err error) {
	var below, turnedDown, hired, turned *int64
	var status *string
	var share int64
	err = rows.Scan(&row.Rank, &row.Skill, &row.SkillName, &row.Level, &row.LevelName, &share, &below,
		&turnedDown, &status, &hired, &turned, &row.Score, &sources, &row.Bucket, &row.BucketName)
	if err != nil {
		return row, 0, err
	}
	row.SourceKey = ownSource
	row.AdvertsShare = figure.Tenths(share)
	row.PeopleBelow, row.HiredWith, row.TurnedDownWith = tenths(below), tenths(hired), tenths(turned)
	if row.HiredWith != nil && row.TurnedDownWith != nil {
		difference := *row.HiredWith - *row.TurnedDownWith
		row.Difference = &difference
	}
	if row.TurnedDown, err = count(turnedDown, status); err != nil {
		return row, 0, fmt.Errorf("people turned down for %s: %w", row.Skill, err)
	}
	return row, sources, nil
}

func tenths(v *int64) *figure.Tenths {
	if v == nil {
		return nil
	}
	t := figure.Tenths(*v)
	return &t
}

// count is a printed count; without a row in the snapshot it is not published.
func count(value *int64, status *string) (figure.Count, error) {
	if status == nil {
		return figure.Count{}, nil
	}
	return figure.Parse(value, figure.Status(*status))
}
