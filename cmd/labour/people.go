package main

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/pipeline/decisions"
	"labour/snapshots"
	"labour/snapshots/parquetio"
)

type withdrawPeopleOptions struct {
	cli.DataFlag
	Skill  string `flag:"skill" usage:"slug of the skill; without it, all figures of people"`
	By     string `flag:"by" required:"" usage:"who decided: a role or a board; published"`
	Reason string `flag:"reason" required:"" usage:"why, in a sentence; published"`
}

func newPeopleCmd(a *app) *cobra.Command {
	return cli.NewCommandGroup("people", "The figures of people",
		cli.NewCommand("withdraw", "Stop showing the figures of people of a skill, or all of them, with a reason",
			cli.ExactArgs(0), withdrawPeopleOptions{}, a.withdrawPeople))
}

// withdrawPeople runs the command `labour people withdraw`. It records that counts of people are
// withdrawn. The next snapshot from all sources leaves them out.
func (a *app) withdrawPeople(_ context.Context, o *withdrawPeopleOptions, _ []string) error {
	if err := knownSkill(o.Data, o.Skill); err != nil {
		return err
	}
	err := decisions.WithdrawPeople(o.Data, snapshots.PeopleWithdrawal{At: a.now(), Skill: o.Skill, By: o.By,
		Reason: o.Reason})
	if errors.Is(err, decisions.ErrInvalidDecision) {
		return cli.NewUsageError(err)
	}
	if err != nil {
		return err
	}
	of := ""
	if o.Skill != "" {
		of = " of " + o.Skill
	}
	return a.say("the figures of people%s are recorded as withdrawn; the snapshot of the next whole run does not have "+
		"them.\n", of)
}

// knownSkill returns a usage error if the current snapshot does not have the skill. It accepts an
// empty skill, which means all skills.
func knownSkill(data, skill string) error {
	store, id, err := openSnapshot(data, nil)
	if err != nil || skill == "" {
		return err
	}
	rows, err := parquetio.ReadAll[snapshots.SkillsRow](snapshots.TablePath(store.SnapshotDir(id), "skills"))
	if err != nil {
		return err
	}
	var slugs []string
	for _, r := range rows {
		slugs = append(slugs, r.Skill)
	}
	if slices.Contains(slugs, skill) {
		return nil
	}
	return cli.NewUsageError(&snapshots.UnknownNameError{NameKind: "skill", Name: skill,
		Suggestion: snapshots.MostSimilar(skill,
			slugs)})
}
