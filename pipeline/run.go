// Package pipeline builds the data of the service in batch runs. It fetches the sources, counts
// adverts, rounds counts of people, and seals and promotes a dated snapshot.
//
// A source that fails does not stop a run: its last good fetch is used again, and the report says
// so. A run stops only if the platform, or every source, was never fetched. A run that is killed
// does not change the current snapshot. A whole run reads all sources. A light run reads only the
// platform's feed, and copies the other tables from the current snapshot.
package pipeline

import (
	"context"
	"errors"

	"labour/pipeline/buildinput"
	"labour/pipeline/check"
	"labour/pipeline/fetch"
	"labour/pipeline/options"
	"labour/pipeline/report"
	"labour/snapshots"
	"labour/snapshots/store"
)

// Options holds the inputs and settings of a run of the pipeline.
type Options = options.Options

// Result is the result of a run: the new snapshot's ID, its report and the sources that failed.
type Result struct {
	ID            snapshots.ID
	Report        *report.Report
	FailedSources []string // keys of sources that failed at least in part; their last good fetches were used
}

// RefusedError is the error for a sealed snapshot that was not promoted because a check failed.
type RefusedError = check.RefusedError

// Fetch fetches every configured source whose terms permit it, and archives the responses. If a
// source fails, its result says so, and Fetch continues with the others.
func Fetch(ctx context.Context, o Options) ([]report.FetchResult, error) {
	if err := o.RemoveLeftoversAndValidate(); err != nil {
		return nil, err
	}
	return fetch.FetchSources(ctx, &o)
}

// Run fetches the sources, then builds, checks and promotes a snapshot. If the snapshot fails a
// check, it is not promoted and the error is a *RefusedError. From building to promoting, Run locks
// out other runs.
func Run(ctx context.Context, o Options) (result Result, err error) {
	if err = o.RemoveLeftoversAndValidate(); err != nil {
		return Result{}, err
	}
	fetched, err := fetch.FetchSources(ctx, &o)
	if err == nil {
		err = fetch.CheckEnoughFetched(fetched)
	}
	if err != nil {
		return Result{}, err
	}
	built, err := buildFrom(ctx, &o, fetched, buildinput.NewRunInputs(&o), seal)
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, built.writer.Close()) }()
	result = Result{ID: built.ID, Report: built.Report, FailedSources: fetch.FailedSources(fetched, built.Report)}
	o.ReportStep("check " + string(built.ID))
	folder, permit, err := openAndCheck(ctx, &o, built.ID)
	if err != nil {
		return result, err
	}
	o.ReportStep("promote " + string(built.ID))
	return result, permit.Promote(ctx, folder, built.ID)
}

// Check checks a sealed snapshot and returns a permit to promote it. The error is a *RefusedError
// if the snapshot has faults or may not replace the current one.
func Check(ctx context.Context, o Options, id snapshots.ID) (check.PromotionPermit, error) {
	_, permit, err := openAndCheck(ctx, &o, id)
	return permit, err
}

func openAndCheck(ctx context.Context, o *Options, id snapshots.ID) (*store.Store, check.PromotionPermit, error) {
	folder, err := store.Open(o.DataDir)
	if err != nil {
		return nil, check.PromotionPermit{}, err
	}
	permit, err := check.CheckPromotion(ctx, folder, id, o.Config.CheckLimits, o.Log)
	return folder, permit, err
}

// Promote checks a sealed snapshot and makes it the current one. It also promotes an older
// published snapshot again. It returns an error if another run promotes a snapshot meanwhile.
func Promote(ctx context.Context, o Options, id snapshots.ID) error {
	folder, permit, err := openAndCheck(ctx, &o, id)
	if err != nil {
		return err
	}
	return permit.Promote(ctx, folder, id)
}
