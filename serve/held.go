package serve

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"labour/serve/access"
	"labour/serve/labourdata"
	"labour/serve/wire"
	"labour/snapshots"
)

// The parameters of the held datasets.

// Paged is where a page of a held dataset begins, and how long it is.
type Paged struct {
	Cursor string `query:"cursor" doc:"meta.next_cursor of the page before, unchanged, with the same filters. It stays valid for at least 24 hours after newer data was published, and keeps giving pages of the data it began with, while the dataset is open."`
	Limit  int    `query:"limit" minimum:"1" default:"50" doc:"Page size. Above 200 it is lowered to 200, and meta.limit says so. Default and maximum decided here."`
}

type demandInput struct {
	InFormat
	SOC string `query:"soc" pattern:"^[0-9]{1,4}$" patternDescription:"1 to 4 digits of SOC 2020" example:"2134" doc:"Occupation code, SOC 2020; 1 to 3 digits select the unit groups of a group. Decided here."`
	Paged
}

type trendsInput struct {
	InFormat
	Digits    int    `query:"digits" enum:"1,2,3,4" default:"4" doc:"Digits of the occupations' codes. Decided here."`
	Direction string `query:"direction" enum:"growing,shrinking,steady" doc:"One direction; all of them without it. Decided here."`
	SOC       string `query:"soc" pattern:"^[0-9]{1,4}$" patternDescription:"1 to 4 digits of SOC 2020" example:"21" doc:"Beginning of an occupation code, SOC 2020. Decided here."`
	Paged
}

type outlookInput struct {
	InFormat
	Where
	SOC    string `query:"soc" pattern:"^[0-9][0-9-]{0,6}$" patternDescription:"the beginning of an occupation code, such as 21 (SOC 2020) or 15-1252 (United States)" doc:"Beginning of an occupation code. Decided here."`
	Months int    `query:"months" enum:"6,12,24,36,48,60" doc:"Months to the horizon; all of them without it. Decided here."`
	Paged
}

type reachInput struct {
	InFormat
	Ward    string `query:"ward" pattern:"^[EWSN][0-9]{8}$" patternDescription:"a national statistics code" example:"E05000128" doc:"Code of a ward. One that is not known gives an empty list. Decided here."`
	Council string `query:"council" pattern:"^[EWSN][0-9]{8}$" patternDescription:"a national statistics code" example:"E09000007" doc:"Code of a council: its wards. Decided here."`
	Within  int    `query:"within_km" enum:"5,10,20" doc:"Distance in kilometres; all of them without it. Decided here."`
	Paged
}

type signalsInput struct {
	InFormat
	Topic string `query:"topic" pattern:"^[a-z_]{1,40}$" patternDescription:"a topic such as vacancies" example:"vacancies" doc:"One topic; all of them without it. One that is not known gives an empty list. Decided here."`
	Paged
}

type prioritiesInput struct {
	InFormat
	Region string `query:"region" maxLength:"100" example:"central-london-forward" doc:"A national-statistics code, or the slug of a local skills improvement plan area; all of them without it. An unknown one is 400."`
	Kind   string `query:"kind" enum:"occupation,sector,skill" doc:"What is listed; all of it without it. Decided here."`
	Paged
}

// heldRoutes registers the held datasets. Each answers 403 until the snapshot that is
// mounted says that it is open, and like the other datasets then.
func (a *api) heldRoutes() error {
	return errors.Join(
		heldRoute(a, "demand", "Order: day descending, soc.", demand), heldRoute(a, "trends", "Order: direction, rank.", trends),
		heldRoute(a, "outlook", "Order: soc, region_code, horizon_months.", outlook), heldRoute(a, "reach", "Order: ward_code, within_km.", reach),
		heldRoute(a, "signals", "Order: published_on descending, id descending.", signals), heldRoute(a, "priorities", "Order: region_code, plan, kind, code.", priorities))
}

// heldRoute registers one held dataset.
func heldRoute[I, Row, R any](a *api, name, order string, f func(*call, *I) listing[Row, R]) error {
	d, ok := snapshots.HeldNamed(name)
	if !ok {
		return fmt.Errorf("no held dataset %s", name)
	}
	op := a.reading(endpoint{access.LabourRead, "Datasets not yet open", "/v1/labour/" + name, strings.ToUpper(name[:1]) + name[1:] + " (held)",
		fmt.Sprintf("%s. Built but not available until the operator records that its condition is met; until then every call answers 403 dataset_not_open. It waits on: %s. Paged. %s", d.Content, d.Condition, order)})
	op.Middlewares = huma.Middlewares{a.requireScope(access.LabourRead), a.requireOpen(d), a.checkParameters}
	return listedAs(a, op, enveloped, f)
}

// requireOpen refuses a call to a held dataset that the current snapshot does not have
// open, whatever its parameters. Without a snapshot nothing is known to be open.
func (a *api) requireOpen(d snapshots.Held) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		s, release, err := a.live.Acquire()
		open := false
		if err == nil {
			open = s.IsOpen(d.Name)
			release()
		}
		if !open {
			a.refuse(ctx, &problem{code: datasetNotOpen,
				message: fmt.Sprintf("The dataset %s is built but not open yet. It waits on: %s.", d.Name, d.Condition)})
			return
		}
		next(ctx)
	}
}

// heldListing is a page of a held dataset.
func heldListing[R, W any](format string, p Paged, q labourdata.HeldQuery, row func(labourdata.HeldRow[R]) W,
	ask func(labourdata.Snapshot, context.Context, labourdata.HeldQuery) (labourdata.Page[labourdata.HeldRow[R]], error),
	check func(labourdata.Snapshot, *labourdata.HeldQuery)) listing[labourdata.HeldRow[R], W] {
	var after labourdata.HeldPosition
	q.Limit = min(p.Limit, maxPaged)
	if p.Cursor != "" {
		q.After = &after
	}
	return listing[labourdata.HeldRow[R], W]{
		format: format, limit: q.Limit, from: start{p.Cursor, &after}, row: row,
		position: func(r labourdata.HeldRow[R]) any { return labourdata.HeldPosition{Position: r.Position} },
		check: func(s labourdata.Snapshot) {
			if check != nil {
				check(s, &q)
			}
		},
		ask: func(ctx context.Context, s labourdata.Snapshot) (labourdata.Page[labourdata.HeldRow[R]], error) {
			return ask(s, ctx, q)
		},
	}
}

func demand(_ *call, in *demandInput) listing[labourdata.HeldRow[snapshots.DemandRow], wire.DemandRow] {
	return heldListing(in.Format, in.Paged, labourdata.HeldQuery{SOC: in.SOC}, wire.FromDemand, labourdata.Snapshot.Demand, nil)
}

func trends(_ *call, in *trendsInput) listing[labourdata.HeldRow[snapshots.TrendsRow], wire.TrendsRow] {
	q := labourdata.HeldQuery{SOC: in.SOC, Digits: in.Digits, Direction: in.Direction}
	return heldListing(in.Format, in.Paged, q, wire.FromTrends, labourdata.Snapshot.Trends, nil)
}

func outlook(c *call, in *outlookInput) listing[labourdata.HeldRow[snapshots.OutlookRow], wire.OutlookRow] {
	q := labourdata.HeldQuery{Country: in.Country, SOC: in.SOC, Months: in.Months}
	return heldListing(in.Format, in.Paged, q, wire.FromOutlook, labourdata.Snapshot.Outlook,
		func(s labourdata.Snapshot, q *labourdata.HeldQuery) { q.Region = area(c, s, in.Where) })
}

func reach(_ *call, in *reachInput) listing[labourdata.HeldRow[snapshots.ReachRow], wire.ReachRow] {
	q := labourdata.HeldQuery{Ward: in.Ward, Council: in.Council, WithinKM: in.Within}
	return heldListing(in.Format, in.Paged, q, wire.FromReach, labourdata.Snapshot.Reach, nil)
}

func signals(_ *call, in *signalsInput) listing[labourdata.HeldRow[snapshots.SignalsRow], wire.SignalsRow] {
	return heldListing(in.Format, in.Paged, labourdata.HeldQuery{Topic: in.Topic}, wire.FromSignals, labourdata.Snapshot.Signals, nil)
}

func priorities(c *call, in *prioritiesInput) listing[labourdata.HeldRow[snapshots.PrioritiesRow], wire.PrioritiesRow] {
	return heldListing(in.Format, in.Paged, labourdata.HeldQuery{Kind: in.Kind}, wire.FromPriorities, labourdata.Snapshot.Priorities,
		func(s labourdata.Snapshot, q *labourdata.HeldQuery) {
			q.Region = area(c, s, Where{Country: "GB", Region: in.Region})
		})
}
