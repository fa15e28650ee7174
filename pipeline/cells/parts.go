package cells

import (
	"context"
	"fmt"
	"os"
)

// partRows is about how many outcomes are looked at together.
const partRows = 1_000_000

// Outcomes writes to a directory what people are counted from, one row per skill and
// outcome: a folder part=N for every few skills, in the order of the slugs, each with
// Parquet files in no order. The directory must not be there. Package headcount reads
// it.
func (e *Engine) Outcomes(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("write outcomes: %w", err)
	}
	// A variable takes no argument.
	if _, err := e.db.ExecContext(ctx, fmt.Sprintf("SET VARIABLE part_rows = %d", max(1, e.partRows))); err != nil {
		return fmt.Errorf("write outcomes: %w", err)
	}
	if err := e.run(ctx, "applied"); err != nil {
		return err
	}
	text, err := question("outcomes")
	if err != nil {
		return err
	}
	if _, err := e.db.ExecContext(ctx, "COPY ("+text+") TO "+literal(dir)+" (FORMAT parquet, COMPRESSION zstd, PARTITION_BY (part), OVERWRITE_OR_IGNORE)"); err != nil {
		return fmt.Errorf("write outcomes: %w", err)
	}
	if _, err := e.db.ExecContext(ctx, "DROP TABLE applied; DROP TABLE applicant; DROP TABLE part_of"); err != nil {
		return fmt.Errorf("write outcomes: %w", err)
	}
	return nil
}

// unpacked is how the engine's answers are written: each is read once, to be made a
// table of the snapshot, and removed.
const unpacked = " (FORMAT parquet, COMPRESSION snappy)"
