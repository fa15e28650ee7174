package cells

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"labour/pipeline/cells/engine"
	"labour/pipeline/cells/engine/duckdb"
	"labour/snapshots/parquetio"
)

// shuffled is a cluster that writes its answers in no order, and no file without rows.
type shuffled struct{ *duckdb.Database }

func (s shuffled) Write(ctx context.Context, query, to string) error {
	if err := os.Mkdir(to, 0o700); err != nil {
		return err
	}
	file := filepath.Join(to, "answer.parquet")
	if err := s.Database.Write(ctx, "FROM ("+query+") ORDER BY random()", file); err != nil {
		return err
	}
	if about, err := parquetio.ReadFooter(file); err != nil || about.Rows > 0 {
		return err
	}
	return os.Remove(file)
}

var allQuestions = []QueryName{QueryAdverts, QueryAdvertsTotal, QueryCourseDemand, QueryCourseFigures, QueryJobs,
	QueryResidentsAndApplicants, QueryResidentSkills, QueryShareableVacancies,
	QueryShareablePlaces, QueryDecidedApplicants, QueryRequiredCombinations, QueryAnswerableFilters,
	QuerySkillLevels, QueryFilterCombinations, QuerySkillRankings, QuerySkillRankingsSortedBySkill}

// answers are the bytes of every answer.
func (c *QueryRunner) answers(t testing.TB, dir string) map[QueryName][]byte {
	t.Helper()
	out := map[QueryName][]byte{}
	for _, q := range allQuestions {
		file := filepath.Join(dir, string(q)+".parquet")
		err := c.WriteResult(context.Background(), q, file)
		if err == nil {
			out[q], err = os.ReadFile(file)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// The answers of a cluster come out in the order of the questions, to the byte. The short form
// draws fewer examples.
func TestAnswersOfAClusterAreSorted(t *testing.T) {
	dir, examples := t.TempDir(), 2
	if os.Getenv("LABOUR_LONG") != "" {
		examples = 10
	}
	for seed := range examples {
		r := rapid.Custom(draw).Example(seed)
		local := r.stage(t, dir, nil)
		want := local.answers(t, dir)
		db, err := duckdb.Open(context.Background(), engine.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		cluster := r.stage(t, dir, shuffled{db})
		for q, got := range cluster.answers(t, dir) {
			if !bytes.Equal(got, want[q]) {
				t.Errorf("example %d, %s: the answer of the cluster differs", seed, q)
			}
		}
		if left, err := filepath.Glob(filepath.Join(dir, "*.unsorted")); err != nil || len(left) > 0 {
			t.Errorf("left %v, %v", left, err)
		}
		if err := errors.Join(local.Close(), cluster.Close()); err != nil {
			t.Error(err)
		}
	}
}
