package serve

import (
	"context"
	"fmt"
	"path"

	"labour/serve/api"
	"labour/snapshots"
)

// EmbargoedPageInput holds the query parameters that select one page of an embargoed dataset. An
// embargoed dataset is published only after the operator records that a condition is met.
type EmbargoedPageInput struct {
	Cursor string `query:"cursor" doc:"meta.next_cursor of the page before, unchanged, with the same filters. It stays valid for at least 24 hours after newer data was published, and keeps giving pages of the data it began with, while the dataset is open."`
	Limit  int    `query:"limit" minimum:"1" default:"50" doc:"Page size. Above 200 it is lowered to 200, and meta.limit says so."`
}

type demandInput struct {
	FormatInput
	SOC string `query:"soc" pattern:"^[0-9]{1,4}$" patternDescription:"1 to 4 digits of SOC 2020" example:"2134" doc:"Occupation code, SOC 2020; 1 to 3 digits select the unit groups of a group."`
	EmbargoedPageInput
}

type trendsInput struct {
	FormatInput
	SOCDigits int    `query:"digits" enum:"1,2,3,4" default:"4" doc:"Digits of the occupations' codes."`
	Direction string `query:"direction" enum:"growing,shrinking,steady" doc:"One direction; without it, all directions."`
	SOC       string `query:"soc" pattern:"^[0-9]{1,4}$" patternDescription:"1 to 4 digits of SOC 2020" example:"21" doc:"Beginning of an occupation code, SOC 2020."`
	EmbargoedPageInput
}

type outlookInput struct {
	FormatInput
	AreaInput
	SOC           string `query:"soc" pattern:"^[0-9][0-9-]{0,6}$" patternDescription:"the beginning of an occupation code, such as 21 (SOC 2020) or 15-1252 (United States)" doc:"Beginning of an occupation code."`
	HorizonMonths int    `query:"months" enum:"6,12,24,36,48,60" doc:"Months to the horizon; without it, all horizons."`
	EmbargoedPageInput
}

type reachInput struct {
	FormatInput
	Ward     string `query:"ward" pattern:"^[EWSN][0-9]{8}$" patternDescription:"a national statistics code" example:"E05000128" doc:"Code of a ward. One that is not known gives an empty list."`
	Council  string `query:"council" pattern:"^[EWSN][0-9]{8}$" patternDescription:"a national statistics code" example:"E09000007" doc:"Code of a council: its wards."`
	WithinKM int    `query:"within_km" enum:"5,10,20" doc:"Distance in kilometres; without it, all distances."`
	EmbargoedPageInput
}

type signalsInput struct {
	FormatInput
	Topic string `query:"topic" pattern:"^[a-z_]{1,40}$" patternDescription:"a topic such as vacancies" example:"vacancies" doc:"One topic; without it, all topics. One that is not known gives an empty list."`
	EmbargoedPageInput
}

type prioritiesInput struct {
	FormatInput
	Region    string `query:"region" maxLength:"100" example:"central-london-forward" doc:"A national-statistics code, or the slug of a local skills improvement plan area; without it, all regions. An unknown one is 400."`
	EntryKind string `query:"kind" enum:"occupation,sector,skill" doc:"Kind of entry; without it, all kinds."`
	EmbargoedPageInput
}

// openEmbargoed returns the snapshot for a request to an embargoed dataset: the snapshot of the
// cursor, or the current one without a cursor. It stores the cursor's position in *position. It
// returns an error if the dataset is not open in the current snapshot.
func (a *handler) openEmbargoed(c *call, p EmbargoedPageInput, position **api.EmbargoedPosition) (api.Snapshot, error) {
	d, ok := snapshots.FindEmbargoedDataset(path.Base(c.route))
	if !ok {
		return nil, fmt.Errorf("no embargoed dataset at %s", c.route)
	}
	if s, err := a.current(c); err != nil || !s.IsReleased(d.Name) {
		return nil, &apiError{code: datasetNotOpen,
			message: fmt.Sprintf("The dataset %s is built but not open yet. It waits on: %s.", d.Name, d.Condition)}
	}
	return a.open(c, "", p.Cursor, position)
}

// sendEmbargoed sends one page of an embargoed dataset, which is published only after the operator
// records that a condition is met. run is the method of the snapshot s that returns the rows for
// the query q.
func sendEmbargoed[R interface{ CursorPosition() api.EmbargoedPosition }](
	a *handler, c *call, in FormatInput, s api.Snapshot, p EmbargoedPageInput, q api.EmbargoedQuery,
	run func(context.Context, api.EmbargoedQuery) (api.Page[R], error)) error {
	if err := c.inputError(); err != nil {
		return err
	}
	q.Limit = min(p.Limit, MaxPageRows)
	format := c.formatOf(in)
	if c.sendUnchanged(s, q.Limit) {
		return nil
	}
	page, err := runQuery(a, c, run, q)
	if err != nil {
		return err
	}
	next, err := nextCursor(a, c, s, page)
	if err != nil {
		return err
	}
	return sendLabour(c, format, page, c.metaOfPage(s, len(page.Rows), q.Limit, next))
}

func (a *handler) demand(c *call, in *demandInput) error {
	q := api.EmbargoedQuery{SOC: in.SOC}
	s, err := a.openEmbargoed(c, in.EmbargoedPageInput, &q.After)
	if err != nil {
		return err
	}
	return sendEmbargoed(a, c, in.FormatInput, s, in.EmbargoedPageInput, q, s.Demand)
}

func (a *handler) trends(c *call, in *trendsInput) error {
	q := api.EmbargoedQuery{SOC: in.SOC, Digits: in.SOCDigits, Direction: in.Direction}
	s, err := a.openEmbargoed(c, in.EmbargoedPageInput, &q.After)
	if err != nil {
		return err
	}
	return sendEmbargoed(a, c, in.FormatInput, s, in.EmbargoedPageInput, q, s.Trends)
}

func (a *handler) outlook(c *call, in *outlookInput) error {
	q := api.EmbargoedQuery{Country: in.AreaInput.Country, SOC: in.SOC, Months: in.HorizonMonths}
	s, err := a.openEmbargoed(c, in.EmbargoedPageInput, &q.After)
	if err != nil {
		return err
	}
	q.Region = c.area(s, in.AreaInput)
	return sendEmbargoed(a, c, in.FormatInput, s, in.EmbargoedPageInput, q, s.Outlook)
}

func (a *handler) reach(c *call, in *reachInput) error {
	q := api.EmbargoedQuery{Ward: in.Ward, Council: in.Council, WithinKM: in.WithinKM}
	s, err := a.openEmbargoed(c, in.EmbargoedPageInput, &q.After)
	if err != nil {
		return err
	}
	return sendEmbargoed(a, c, in.FormatInput, s, in.EmbargoedPageInput, q, s.VacanciesNearWards)
}

func (a *handler) signals(c *call, in *signalsInput) error {
	q := api.EmbargoedQuery{Topic: in.Topic}
	s, err := a.openEmbargoed(c, in.EmbargoedPageInput, &q.After)
	if err != nil {
		return err
	}
	return sendEmbargoed(a, c, in.FormatInput, s, in.EmbargoedPageInput, q, s.NewsSignals)
}

func (a *handler) priorities(c *call, in *prioritiesInput) error {
	q := api.EmbargoedQuery{Kind: in.EntryKind}
	s, err := a.openEmbargoed(c, in.EmbargoedPageInput, &q.After)
	if err != nil {
		return err
	}
	q.Region = c.area(s, AreaInput{Country: "GB", Region: in.Region})
	return sendEmbargoed(a, c, in.FormatInput, s, in.EmbargoedPageInput, q, s.PlanPriorities)
}
