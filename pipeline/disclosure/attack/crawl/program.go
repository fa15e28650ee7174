package crawl

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"labour/pipeline/disclosure/attack"
)

// KeyVariable names the environment variable that holds the attacker's key.
const KeyVariable = "ATTACKER_KEY"

// Truth is the file that the judge reads: what is public and nowhere in the
// interface, and the people behind the figures.
type Truth struct {
	Areas      map[string][]string
	Others     []string // places in no tree
	People     map[string]People
	Registered Registered
}

// Report is what the program prints.
type Report struct {
	Calls      int
	Skills     map[string]Verdicts
	All        Verdicts
	Neighbours attack.Verdict
	// Faults are whatever must never be: an answer that contradicts another, a figure
	// outside the lattice, a count of 1 to 4, a small group that can be worked out.
	Faults []string
	// Populations are, by skill, those that answer as printed and differ from the true
	// one in a small group.
	Populations map[string][]Witness
}

// Main is the attacker as a program: it crawls the server at -base with the key in
// the environment, judges with the file -truth, writes every answer that it got to
// the file -exchanges, and prints a Report as JSON.
func Main(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("attacker", flag.ContinueOnError)
	base := flags.String("base", "", "address of the server")
	truth := flags.String("truth", "", "file with the people behind the figures")
	exchanges := flags.String("exchanges", "", "file for every answer")
	broken := flags.Int("broken", 1, "skills that are broken down too")
	beyond := flags.Bool("beyond", false, "ask every combination of filters outside the lattice too")
	if err := flags.Parse(args); err != nil {
		return err
	}
	var known Truth
	b, err := os.ReadFile(*truth)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, &known); err != nil {
		return fmt.Errorf("read %s: %w", *truth, err)
	}
	client := &Client{Base: *base, Key: os.Getenv(KeyVariable)}
	report, err := client.Attack(ctx, known, *broken, *beyond)
	if err != nil {
		return err
	}
	var kept error
	if *exchanges != "" {
		all, err := json.Marshal(client.Exchanges)
		kept = errors.Join(err, os.WriteFile(*exchanges, all, 0o600))
	}
	return errors.Join(kept, json.NewEncoder(stdout).Encode(report))
}

// Attack crawls everything and judges it.
func (c *Client) Attack(ctx context.Context, known Truth, broken int, beyond bool) (*Report, error) {
	r := &Report{Skills: map[string]Verdicts{}, Populations: map[string][]Witness{}}
	space, err := c.Discover(ctx, known.Areas, known.Others)
	if err != nil {
		return nil, err
	}
	space.Beyond, space.Broken = beyond, space.Skills[:min(broken, len(space.Skills))]
	unmet, err := c.SkillsUnmet(ctx, space)
	if err != nil {
		return nil, err
	}
	for _, skill := range space.Skills {
		v, found, err := Judge(space.World, unmet.Figures[skill], known.People[skill])
		if err != nil {
			return nil, fmt.Errorf("%s: %w; wrong: %q", skill, err, v.Wrong)
		}
		r.take(skill, v, found)
	}
	nearby, err := c.Neighbours(ctx, space)
	if err != nil {
		return nil, err
	}
	if r.Neighbours, err = JudgeNeighbours(space.World, nearby, known.Registered); err != nil {
		return nil, err
	}
	if err := c.Rest(ctx, space); err != nil {
		return nil, err
	}
	r.Calls = len(c.Exchanges)
	for _, faults := range [][]string{r.Neighbours.Leaks, unmet.Disagree, unmet.Outside, c.Small} {
		r.Faults = append(r.Faults, faults...)
	}
	return r, nil
}

func (r *Report) take(skill string, v Verdicts, found []Witness) {
	r.Skills[skill] = v
	r.All.Add(v)
	for _, why := range v.Failed() {
		r.Faults = append(r.Faults, skill+": "+why)
	}
	r.Populations[skill] = found
}
