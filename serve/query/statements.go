package query

import (
	"context"
	"database/sql"
	"fmt"
	"path"
	"regexp"
	"slices"
)

// question names a prepared statement: a part, and a file under sql/<part>/questions.
type question string

// The questions.
const (
	skillsUnmetRanked  question = figures + "/skills_unmet"
	skillsUnmetBy      question = figures + "/skills_unmet_by"
	skillsUnmetLeading question = figures + "/skills_unmet_leading"
	courseDemand       question = published + "/course_demand"
	skillsGaps         question = published + "/skills_gaps"
	evidence           question = published + "/evidence"
	allRegions         question = published + "/regions"
	allSources         question = platform + "/sources"
	liveJobs           question = platform + "/jobs"
	eventsOf           question = platform + "/events"
	pathways           question = platform + "/pathways"
	candidates         question = platform + "/candidates"
	s106               question = platform + "/s106"
)

// part is the name of the part that answers the question.
func (q question) part() string { return path.Dir(string(q)) }

func (q question) text() string { return sqlText(q.part() + "/questions/" + path.Base(string(q))) }

var parameter = regexp.MustCompile(`\$([a-z_]+)`)

// statement is a prepared question and the names of its parameters.
type statement struct {
	*sql.Stmt
	parameters []string
}

// prepare prepares the questions. database/sql repeats that once on each
// further connection and keeps it there.
func prepare(ctx context.Context, db *sql.DB, list []question) (map[question]statement, error) {
	statements := make(map[question]statement)
	for _, q := range list {
		stmt, err := db.PrepareContext(ctx, q.text())
		if err != nil {
			return nil, fmt.Errorf("prepare question %s: %w", q, err)
		}
		statements[q] = statement{stmt, parametersOf(q.text())}
	}
	return statements, nil
}

// parametersOf lists the parameters of a statement, each once.
func parametersOf(text string) (names []string) {
	for _, m := range parameter.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	return names
}

// ask runs a question and calls scan for each row. An error of a stopped context
// is that context's error.
func (s *Snapshot) ask(ctx context.Context, q question, arguments map[string]any, scan func(*sql.Rows) error) (err error) {
	defer func() {
		if err != nil && ctx.Err() != nil {
			err = fmt.Errorf("ask %s: %w", q, ctx.Err())
		}
	}()
	p := s.parts[q.part()]
	if p == nil {
		return fmt.Errorf("the snapshot has no part %s", q.part())
	}
	st, ok := p.statements[q]
	if !ok {
		return fmt.Errorf("no such question: %s", q)
	}
	args := make([]any, len(st.parameters))
	for i, name := range st.parameters {
		value, ok := arguments[name]
		if !ok {
			return fmt.Errorf("ask %s: no argument %s", q, name)
		}
		args[i] = sql.Named(name, value)
	}
	rows, err := st.QueryContext(ctx, args...)
	if err != nil {
		return fmt.Errorf("ask %s: %w", q, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return fmt.Errorf("ask %s: %w", q, err)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("ask %s: %w", q, err)
	}
	return nil
}
