package check

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"labour/pipeline/cells/engine"
	"labour/pipeline/cells/engine/duckdb"
	"labour/pipeline/check/limits"
	"labour/pipeline/disclosure"
	"labour/snapshots"
	"labour/sources/platform"
)

// shareChangesSQL is the SQL query that compares published percentages of people in two snapshots.
// A change for all skills at once suggests that the feed has lost people's skill levels.
//
//go:embed sql/share_changes.sql
var shareChangesSQL string

const (
	// minComparedShares is the smallest number of skills for which percentages of people are
	// compared.
	minComparedShares = 5
	// maxApplicantsChangePoints is the largest mean change of percentages of applicants, in
	// percentage points. Each percentage is of at least 20 people. By chance and rounding, it
	// changes by 10 points on average from quarter to quarter. The mean of five such changes
	// exceeds 30 points once in 20,000 quarters.
	maxApplicantsChangePoints = 30
	// maxResidentsChangePoints is the largest mean change of percentages of residents, in
	// percentage points. The residents are nearly the same people in both quarters, so a usual
	// change is a few points.
	maxResidentsChangePoints = 20
	// maxSharesAtTheirEndPct is the largest percentage of skills whose figure may become 0 or 100
	// from one quarter to the next.
	maxSharesAtTheirEndPct = 90
)

// shareKind describes a published percentage of people, such as the percentage of hired applicants
// who have a skill.
type shareKind struct {
	name      string  // name of the percentage in messages
	field     string  // field of the feed from which the percentage is calculated
	maxPoints float64 // largest permitted mean change, in percentage points
}

// shareKinds describes the percentages that the query sql/share_changes.sql compares. Its keys are
// the names in the query.
var shareKinds = map[string]shareKind{
	"hired": {"shares of hired applicants with a skill", "skills[].held_level of the applications",
		maxApplicantsChangePoints},
	"turned_down": {"shares of turned-down applicants with a skill", "skills[].held_level of the applications",
		maxApplicantsChangePoints},
	"below": {"shares of residents below the level of a skill", "skills[].level of the residents",
		maxResidentsChangePoints},
}

// shareChange is the change of one published percentage of people between two snapshots, over all
// skills.
type shareChange struct {
	kind       string  // key of shareKinds
	compared   int64   // number of skills with this percentage in both snapshots
	meanPoints float64 // mean change, up or down, in percentage points
	atTheirEnd int64   // number of skills whose percentage has become 0 or 100
}

// shareChanges compares published percentages of people in two snapshots. It returns a fault for
// each percentage that changed too much over all skills.
func shareChanges(ctx context.Context, previousDir, nextDir string) (faults []Fault, err error) {
	list, err := readShareChanges(ctx, previousDir, nextDir)
	if err != nil {
		return nil, fmt.Errorf("compare the published shares of people: %w", err)
	}
	for _, c := range list {
		if text := c.describeFault(); text != "" {
			faults = append(faults, Fault{Check: limits.CheckPeopleCounts, Subject: platform.Key,
				Text: fmt.Sprintf("source %s: %s; look at %s in the feed", platform.Key, text, shareKinds[c.kind].field)})
		}
	}
	return faults, nil
}

// describeFault returns a text that says how much the percentages changed. It returns "" if the
// change is within the limits.
func (c shareChange) describeFault() string {
	kind := shareKinds[c.kind]
	switch {
	case c.compared < minComparedShares:
		return ""
	case c.meanPoints > kind.maxPoints:
		return fmt.Sprintf("%s change by %.1f points on average over %d skills, by more than %.0f points", kind.name,
			c.meanPoints, c.compared, kind.maxPoints)
	case c.atTheirEnd*100 > c.compared*maxSharesAtTheirEndPct:
		return fmt.Sprintf("%s have become 0 or 100 for %d of %d skills, more than %d %%", kind.name, c.atTheirEnd,
			c.compared, maxSharesAtTheirEndPct)
	}
	return ""
}

// readShareChanges compares the published percentages of people in two snapshots. It returns one
// change for each type of percentage that some skill has in both.
func readShareChanges(ctx context.Context, previousDir, nextDir string) (list []shareChange, err error) {
	db, err := duckdb.Open(ctx, engine.Limits{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, view := range []struct{ name, dir, table string }{
		{"candidates_before", previousDir, "candidates"},
		{"candidates_now", nextDir, "candidates"},
		{"people_before", previousDir, "people"},
		{"people_now", nextDir, "people"},
		{"residents_before", previousDir, "residents"},
		{"residents_now", nextDir, "residents"},
		{"skills", nextDir, "skills"},
	} {
		file := snapshots.TablePath(view.dir, view.table)
		if err := db.ReadWithRowNumbers(ctx, view.name, file, false); err != nil {
			return nil, err
		}
	}
	err = errors.Join(db.SetVariable(ctx, "nearly_all", fmt.Sprint(disclosure.NearlyAll)),
		db.SetVariable(ctx, "smallest_base_of_all", fmt.Sprint(disclosure.SmallestBaseOfAll())))
	if err != nil {
		return nil, err
	}
	rows, err := db.Query(ctx, shareChangesSQL)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Err(), rows.Close()) }()
	for rows.Next() {
		var c shareChange
		if err := rows.Scan(&c.kind, &c.compared, &c.meanPoints, &c.atTheirEnd); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}
