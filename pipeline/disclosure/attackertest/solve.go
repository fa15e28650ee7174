package attackertest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// program is a Python program that solves linear programs with the library HiGHS. It reads them
// from standard input, as JSON.
//
//go:embed solve.py
var program string

// Solver solves linear programs with the library HiGHS, which it runs through Python.
type Solver struct {
	python string
	// WholeNumbersOnly restricts the unknown counts to whole numbers of people.
	WholeNumbersOnly bool
	// SampleSize is the largest number of small groups that are tested one by one for each
	// AttackerKnowledge; 0 = all. The Solver first tests many groups at once. The sample is drawn
	// from the groups that this test does not decide.
	SampleSize int
}

// FindSolver returns a solver, or nil if no Python with the package highspy is installed. It first
// tries the Python in bin/venv. root is the directory of the repository.
func FindSolver(root string) *Solver {
	for _, python := range []string{filepath.Join(root, "bin", "venv", "bin", "python3"), "python3"} {
		path, err := exec.LookPath(python)
		if err == nil && exec.Command(path, "-c", "import highspy").Run() == nil {
			return &Solver{python: path}
		}
	}
	return nil
}

// problem is a linear program that describes what an attacker knows, in the JSON form that the
// Python program reads.
type problem struct {
	High []int64 `json:"high"` // upper limit of each count
	// facts about the counts: the fields of a LinearConstraint; a limit of null means no limit
	Rows     [][6]any        `json:"rows"`
	Targets  []problemTarget `json:"targets"`  // small groups whose size is to be inferred
	Integer  bool            `json:"integer"`  // Solver.WholeNumbersOnly
	Mistaken bool            `json:"mistaken"` // AttackerKnowledge.MayBeWrong
	Sample   int             `json:"sample"`   // Solver.SampleSize
}

type problemTarget struct {
	Vars []int32 `json:"vars"`
	N    int64   `json:"n"`
}

// Solve returns what an attacker can infer about the small groups in each of the systems, added up.
// A system is what the attacker knows about some counts. The size of a group is disclosed if only
// one size is possible. Solve returns an error if the true counts contradict a system, or if Python
// fails.
func (s *Solver) Solve(systems ...*AttackerKnowledge) (v AttackResult, err error) {
	var in, out, said bytes.Buffer
	encoder := json.NewEncoder(&in)
	for _, system := range systems {
		if err := system.CheckTruthFitsLimits(); err != nil {
			return v, err
		}
		if err := encoder.Encode(system.problem(s)); err != nil {
			return v, fmt.Errorf("%s: %w", system.Name, err)
		}
	}
	child := exec.Command(s.python, "-c", program)
	child.Stdin = &in
	child.Stdout = &out
	child.Stderr = &said
	child.Env = append(os.Environ(), "OMP_NUM_THREADS=1")
	if err := child.Run(); err != nil {
		return v, fmt.Errorf("solve %d systems: %w: %s", len(systems), err, said.Bytes())
	}
	decoder := json.NewDecoder(&out)
	for _, system := range systems {
		var found struct {
			Pinned, Untried []int
			Refuted         bool
		}
		if err := decoder.Decode(&found); err != nil {
			return v, fmt.Errorf("%s: read what is pinned: %w", system.Name, err)
		}
		v.Systems++
		v.SmallGroups += len(system.Targets) - len(found.Untried)
		v.DisclosedCount += len(found.Pinned)
		v.UntestedCount += len(found.Untried)
		if found.Refuted {
			v.WithoutSolution++
		}
		for _, t := range found.Pinned {
			v.DisclosedGroups = append(v.DisclosedGroups, system.Targets[t].Name)
		}
	}
	return v, nil
}

// problem returns the attacker's knowledge as a linear program for the Solver by. If an unknown
// count has no upper limit, its limit in the linear program is a number above all true counts.
func (s *AttackerKnowledge) problem(by *Solver) problem {
	most := int64(1000)
	for _, n := range s.truth {
		most += 4 * n
	}
	p := problem{High: make([]int64, len(s.UpperLimits)), Rows: make([][6]any, len(s.Rows)),
		Targets: make([]problemTarget, len(s.Targets)), Integer: by.WholeNumbersOnly, Mistaken: s.MayBeWrong,
		Sample: by.SampleSize}
	for i, high := range s.UpperLimits {
		p.High[i] = min(high, most)
	}
	for i, r := range s.Rows {
		p.Rows[i] = [6]any{some(r.Plus), some(r.Minus), bounded(r.Low), bounded(r.High), r.TimesPlus, r.TimesMinus}
	}
	for i, t := range s.Targets {
		p.Targets[i] = problemTarget{some(t.Unknowns), t.TrueSize}
	}
	return p
}

func some(vars []int32) []int32 { return append([]int32{}, vars...) }

func bounded(n int64) any {
	if n >= NoUpperLimit || n <= -NoUpperLimit {
		return nil
	}
	return n
}
