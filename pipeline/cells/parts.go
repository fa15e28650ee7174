package cells

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
)

// partRows is about how many outcomes are looked at together. The people of one
// skill have nothing to do with those of another, so a country's are counted a few
// skills at a time, in memory that does not grow with it.
const partRows = 1_000_000

// part is a range of skills, both included, in the order of their slugs.
type part struct{ first, last string }

// writeTruth asks for the true counts part by part and joins the answers. The parts
// are in the order of the answer, whose first key is the skill.
func (e *Engine) writeTruth(ctx context.Context, text, file string) (err error) {
	parts, err := e.parts(ctx)
	if err != nil {
		return err
	}
	if _, err := e.db.ExecContext(ctx, "DELETE FROM oldest"); err != nil {
		return err
	}
	var files []string
	defer func() {
		for _, f := range files {
			err = errors.Join(err, os.Remove(f))
		}
	}()
	for i, p := range parts {
		name := fmt.Sprintf("%s.part%04d", file, i)
		files = append(files, name)
		if err := e.truthOf(ctx, p, text, name); err != nil {
			return fmt.Errorf("of the skills %s to %s: %w", p.first, p.last, err)
		}
	}
	quoted := make([]string, len(files))
	for i, f := range files {
		quoted[i] = literal(f)
	}
	return e.copy(ctx, "FROM read_parquet(["+strings.Join(quoted, ", ")+"])", file)
}

// truthOf writes the true counts of one part.
func (e *Engine) truthOf(ctx context.Context, p part, text, file string) error {
	// A variable takes no argument; the slugs are of the register.
	for name, slug := range map[string]string{"first_skill": p.first, "last_skill": p.last} {
		if _, err := e.db.ExecContext(ctx, "SET VARIABLE "+name+" = "+literal(slug)); err != nil {
			return err
		}
	}
	if err := e.run(ctx, "outcomes"); err != nil {
		return err
	}
	if err := e.copy(ctx, text, file); err != nil {
		return err
	}
	_, err := e.db.ExecContext(ctx, "DROP TABLE outcome")
	return err
}

// unpacked is how the engine's answers are written: each is read once, to be made a
// table of the snapshot, and removed.
const unpacked = " (FORMAT parquet, COMPRESSION snappy)"

// copy writes the answer of a query to a Parquet file.
func (e *Engine) copy(ctx context.Context, query, file string) error {
	_, err := e.db.ExecContext(ctx, "COPY ("+query+") TO "+literal(file)+unpacked)
	return err
}

// parts deals the skills of the register out; there is at least one part.
func (e *Engine) parts(ctx context.Context) (parts []part, err error) {
	text, err := question("outcomes_by_skill")
	if err != nil {
		return nil, err
	}
	rows, err := e.db.QueryContext(ctx, text)
	if err != nil {
		return nil, fmt.Errorf("count outcomes by skill: %w", err)
	}
	defer rows.Close()
	held := e.partRows + 1 // the first skill begins a part
	for rows.Next() {
		var skill string
		var n int64
		if err := rows.Scan(&skill, &n); err != nil {
			return nil, fmt.Errorf("count outcomes by skill: %w", err)
		}
		if held+n > e.partRows {
			parts, held = append(parts, part{first: skill}), 0
		}
		parts[len(parts)-1].last = skill
		held += n
	}
	if len(parts) == 0 {
		parts = []part{{}}
	}
	return parts, rows.Err()
}
