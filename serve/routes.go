package serve

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/danielgtaylor/huma/v2/negotiation"

	"labour/serve/access"
	"labour/serve/api"
	"labour/serve/apidocs"
	"labour/serve/formats"
	"labour/snapshots"
)

// routes registers every operation. What an operation takes and gives is in its
// Go types; its words are in openapi.yaml.
func (a *handler) routes() error {
	err := errors.Join(
		listed(a, access.LabourRead, "/v1/labour/skills-unmet", withPeople, skillsUnmet), listed(a, access.LabourRead, "/v1/labour/skills-gaps", enveloped, skillsGaps),
		listed(a, access.LabourRead, "/v1/labour/course-demand", enveloped, courseDemand), listed(a, access.LabourRead, "/v1/labour/evidence", enveloped, evidence),
		listed(a, access.LabourRead, "/v1/labour/sources", enveloped, sources), listed(a, access.LabourRead, "/v1/labour/regions", enveloped, regions),
		heldRoute(a, "demand", demand), heldRoute(a, "trends", trends), heldRoute(a, "outlook", outlook),
		heldRoute(a, "reach", reach), heldRoute(a, "signals", signals), heldRoute(a, "priorities", priorities), a.platformRoutes())
	a.webhookRoutes()
	a.healthRoutes()
	for pattern, handler := range apidocs.Routes() {
		a.mux.Handle(pattern, handler)
	}
	a.readParameters()
	return err
}

// enveloped is the answer of a labour endpoint.
func enveloped[R any](_ api.Snapshot, p api.Page[R], m api.Meta) (api.Envelope[R, api.Meta], any) {
	return api.Envelope[R, api.Meta]{Data: p.Rows, Sources: p.Sources, AttributionNotice: api.AttributionNotice, Meta: m}, m
}

// withPeople is enveloped, with what the figures about people are and how
// exactly the places of adverts are known.
func withPeople[R any](s api.Snapshot, p api.Page[R], m api.Meta) (api.Envelope[R, api.PeopleMeta], any) {
	people := api.PeopleMeta{Meta: m, PeopleAsOf: api.MaybeDateOf(s.PeopleAsOf()), AdvertsPlaced: p.Placed}
	if p.People != nil {
		people.People = *p.People
	}
	return api.Envelope[R, api.PeopleMeta]{Data: p.Rows, Sources: p.Sources, AttributionNotice: api.AttributionNotice, Meta: people}, people
}

// reading is the operation of an endpoint that reads a snapshot.
func (a *handler) reading(scope access.Scope, at string) huma.Operation {
	return a.needing(scope, huma.Operation{
		Method: http.MethodGet, Path: at, OperationID: path.Base(at),
		SkipValidateParams: true, // checkParameters does it, from the same schemas
	})
}

// needing is an operation for keys with a scope, which the document names. The scope is
// checked first, and then the parameters.
func (a *handler) needing(scope access.Scope, op huma.Operation) huma.Operation {
	op.Metadata = map[string]any{"scope": scope}
	op.Middlewares = huma.Middlewares{a.requireScope(scope), a.checkParameters}
	return op
}

// listType is what a list answers, for the document.
type listType struct {
	body    reflect.Type // of JSON
	columns []snapshots.Column
}

// listed registers an endpoint of rows, in every format.
func listed[I, R, B any](a *handler, scope access.Scope, path string, body func(api.Snapshot, api.Page[R], api.Meta) (B, any), f func(*call, *I) listQuery[R]) error {
	return listedAs(a, a.reading(scope, path), body, f)
}

// listedAs is listed for an operation with a way of its own.
func listedAs[I, R, B any](a *handler, op huma.Operation, body func(api.Snapshot, api.Page[R], api.Meta) (B, any), f func(*call, *I) listQuery[R]) error {
	layout, err := formats.New[R]()
	if err != nil {
		return err
	}
	t := table[R, B]{layout, body}
	a.lists[op.OperationID] = listType{reflect.TypeFor[B](), layout.Columns}
	huma.Register(a.huma, op, func(ctx context.Context, in *I) (*sent, error) {
		c := callOf(ctx)
		out, err := answer(ctx, a, t, f(c, in))
		if err != nil {
			return nil, apiErrorOf(c, err)
		}
		return out, nil
	})
	return nil
}

// requireScope refuses a key without the scope.
func (a *handler) requireScope(s access.Scope) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		c := callOf(ctx.Context())
		if !c.key.Has(s) {
			a.refuse(ctx, &apiError{code: insufficientScope, message: fmt.Sprintf("This key lacks the scope %s. Ask the operator for it.", s)})
			return
		}
		next(ctx)
	}
}

// checkParameters notes the faults of the parameters in the call and lets the
// handler see only what is sound, so that it can add its own and all are
// reported at once.
func (a *handler) checkParameters(ctx huma.Context, next func(huma.Context)) {
	c, u := callOf(ctx.Context()), ctx.URL()
	p := a.parameters[ctx.Operation().OperationID]
	p.check(c, u.RawQuery)
	if _, takes := p.rules["format"]; takes {
		ctx.AppendHeader("Vary", "Accept")
		accepted := negotiation.SelectQValue(strings.ToLower(ctx.Header("Accept")), []string{typeJSON, "text/csv", typeParquet})
		if format := map[string]string{"text/csv": inCSV, typeParquet: inParquet}[accepted]; format != "" && !u.Query().Has("format") {
			c.query.Set("format", format)
		}
	}
	if c.taken.Format != "" {
		c.query.Set("format", c.taken.Format)
	}
	next(checked{ctx, c.query})
}

// refuseFaults refuses a call whose parameters have faults, where the handler has
// none of its own to add.
func (a *handler) refuseFaults(ctx huma.Context, next func(huma.Context)) {
	c := callOf(ctx.Context())
	if err := c.refused(); err != nil {
		a.refuse(ctx, apiErrorOf(c, err))
		return
	}
	next(ctx)
}

// refuse sends a problem from a middleware.
func (a *handler) refuse(ctx huma.Context, p *apiError) {
	r, w := humago.Unwrap(ctx)
	a.send(w, callOf(r.Context()), p)
}

// readParameters reads the rules of the parameters of every operation.
func (a *handler) readParameters() {
	for _, item := range a.huma.OpenAPI().Paths {
		for _, op := range operations(item) {
			a.parameters[op.OperationID] = newParameters(op)
		}
	}
}

// operations are those of a path, whatever their methods.
func operations(item *huma.PathItem) []*huma.Operation {
	all := []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete}
	return slices.DeleteFunc(all, func(op *huma.Operation) bool { return op == nil })
}

// The parameters of the embargoed datasets.

// Paged is where a page of an embargoed dataset begins, and how long it is.
type Paged struct {
	Cursor string `query:"cursor" doc:"meta.next_cursor of the page before, unchanged, with the same filters. It stays valid for at least 24 hours after newer data was published, and keeps giving pages of the data it began with, while the dataset is open."`
	Limit  int    `query:"limit" minimum:"1" default:"50" doc:"Page size. Above 200 it is lowered to 200, and meta.limit says so."`
}

type demandInput struct {
	InFormat
	SOC string `query:"soc" pattern:"^[0-9]{1,4}$" patternDescription:"1 to 4 digits of SOC 2020" example:"2134" doc:"Occupation code, SOC 2020; 1 to 3 digits select the unit groups of a group."`
	Paged
}

type trendsInput struct {
	InFormat
	Digits    int    `query:"digits" enum:"1,2,3,4" default:"4" doc:"Digits of the occupations' codes."`
	Direction string `query:"direction" enum:"growing,shrinking,steady" doc:"One direction; all of them without it."`
	SOC       string `query:"soc" pattern:"^[0-9]{1,4}$" patternDescription:"1 to 4 digits of SOC 2020" example:"21" doc:"Beginning of an occupation code, SOC 2020."`
	Paged
}

type outlookInput struct {
	InFormat
	Where
	SOC    string `query:"soc" pattern:"^[0-9][0-9-]{0,6}$" patternDescription:"the beginning of an occupation code, such as 21 (SOC 2020) or 15-1252 (United States)" doc:"Beginning of an occupation code."`
	Months int    `query:"months" enum:"6,12,24,36,48,60" doc:"Months to the horizon; all of them without it."`
	Paged
}

type reachInput struct {
	InFormat
	Ward    string `query:"ward" pattern:"^[EWSN][0-9]{8}$" patternDescription:"a national statistics code" example:"E05000128" doc:"Code of a ward. One that is not known gives an empty list."`
	Council string `query:"council" pattern:"^[EWSN][0-9]{8}$" patternDescription:"a national statistics code" example:"E09000007" doc:"Code of a council: its wards."`
	Within  int    `query:"within_km" enum:"5,10,20" doc:"Distance in kilometres; all of them without it."`
	Paged
}

type signalsInput struct {
	InFormat
	Topic string `query:"topic" pattern:"^[a-z_]{1,40}$" patternDescription:"a topic such as vacancies" example:"vacancies" doc:"One topic; all of them without it. One that is not known gives an empty list."`
	Paged
}

type prioritiesInput struct {
	InFormat
	Region string `query:"region" maxLength:"100" example:"central-london-forward" doc:"A national-statistics code, or the slug of a local skills improvement plan area; all of them without it. An unknown one is 400."`
	Kind   string `query:"kind" enum:"occupation,sector,skill" doc:"What is listed; all of it without it."`
	Paged
}

// heldRoute registers one embargoed dataset. It answers 403 until the snapshot that is mounted
// says that it is open, and like the other datasets then.
func heldRoute[I, R any](a *handler, name string, f func(*call, *I) listQuery[R]) error {
	d, ok := snapshots.HeldNamed(name)
	if !ok {
		return fmt.Errorf("no embargoed dataset %s", name)
	}
	op := a.reading(access.LabourRead, "/v1/labour/"+name)
	op.Middlewares = slices.Insert(op.Middlewares, 1, a.requireOpen(d)) // behind the scope
	return listedAs(a, op, enveloped, f)
}

// requireOpen refuses a call to an embargoed dataset that the current snapshot does not have
// open, whatever its parameters, and pins the call to that snapshot. Without a snapshot
// nothing is known to be open.
func (a *handler) requireOpen(d snapshots.Held) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		s, release, err := a.Live.Acquire()
		if err == nil {
			defer release()
		}
		if err != nil || !s.IsOpen(d.Name) {
			a.refuse(ctx, &apiError{code: datasetNotOpen,
				message: fmt.Sprintf("The dataset %s is built but not open yet. It waits on: %s.", d.Name, d.Condition)})
			return
		}
		callOf(ctx.Context()).pinned = s
		next(ctx)
	}
}

// heldListing is a page of an embargoed dataset. The questions of two need a region.
func heldListing[R any](c *call, format string, p Paged, q api.HeldQuery, where *Where, at func(R) api.HeldPosition,
	ask func(api.Snapshot, context.Context, api.HeldQuery) (api.Page[R], error)) listQuery[R] {
	q.Limit = min(p.Limit, maxPaged)
	l := rowsOf(InFormat{format}, InSnapshot{}, q.Limit, &q, ask)
	if l.position = func(r R) any { return at(r) }; p.Cursor != "" {
		q.After = &api.HeldPosition{}
		l.from.cursor, l.from.position = p.Cursor, q.After
	}
	if where != nil {
		l.check = func(s api.Snapshot) { q.Region = area(c, s, *where) }
	}
	return l
}

func demand(c *call, in *demandInput) listQuery[api.DemandRow] {
	return heldListing(c, in.Format, in.Paged, api.HeldQuery{SOC: in.SOC}, nil, func(r api.DemandRow) api.HeldPosition { return r.At }, api.Snapshot.Demand)
}

func trends(c *call, in *trendsInput) listQuery[api.TrendsRow] {
	return heldListing(c, in.Format, in.Paged, api.HeldQuery{SOC: in.SOC, Digits: in.Digits, Direction: in.Direction}, nil, func(r api.TrendsRow) api.HeldPosition { return r.At }, api.Snapshot.Trends)
}

func outlook(c *call, in *outlookInput) listQuery[api.OutlookRow] {
	return heldListing(c, in.Format, in.Paged, api.HeldQuery{Country: in.Country, SOC: in.SOC, Months: in.Months}, &in.Where, func(r api.OutlookRow) api.HeldPosition { return r.At }, api.Snapshot.Outlook)
}

func reach(c *call, in *reachInput) listQuery[api.ReachRow] {
	return heldListing(c, in.Format, in.Paged, api.HeldQuery{Ward: in.Ward, Council: in.Council, WithinKM: in.Within}, nil, func(r api.ReachRow) api.HeldPosition { return r.At }, api.Snapshot.Reach)
}

func signals(c *call, in *signalsInput) listQuery[api.SignalsRow] {
	return heldListing(c, in.Format, in.Paged, api.HeldQuery{Topic: in.Topic}, nil, func(r api.SignalsRow) api.HeldPosition { return r.At }, api.Snapshot.Signals)
}

func priorities(c *call, in *prioritiesInput) listQuery[api.PrioritiesRow] {
	return heldListing(c, in.Format, in.Paged, api.HeldQuery{Kind: in.Kind}, &Where{Country: "GB", Region: in.Region}, func(r api.PrioritiesRow) api.HeldPosition { return r.At }, api.Snapshot.Priorities)
}

// interfaceVersion is the version of the OpenAPI document. A change that a
// partner can see raises it and is written down in CHANGES.md.
const interfaceVersion = "1.3.0"

// document is what /v1/openapi.json answers. A test makes the file of the operations, of
// their Go types, which decode and encode, and of openapi.yaml: see Document. Run it with
// -update after a change.
//
//go:embed openapi.json
var document []byte

//go:embed CHANGES.md
var changes string

// Changes is what partners can see of each version of the interface, in Markdown.
func Changes() string { return changes }

// documentRoute registers the document itself.
func (a *handler) documentRoute() {
	op := &huma.Operation{Method: http.MethodGet, Path: openAPIPath, OperationID: "openapi", Middlewares: huma.Middlewares{a.checkParameters, a.refuseFaults}}
	sum := sha256.Sum256(document)
	tag := `W/"` + hex.EncodeToString(sum[:12]) + `"`
	a.huma.OpenAPI().AddOperation(op)
	a.huma.Adapter().Handle(op, op.Middlewares.Handler(func(ctx huma.Context) {
		r, w := humago.Unwrap(ctx)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("ETag", tag)
		w.Header().Set("Cache-Control", "public, max-age=300")
		if matches(callOf(r.Context()).match, tag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Write(document) // the recorder never fails
	}))
}

// metaHeader is the header that says what a field of the metadata says.
func metaHeader(field string) string {
	words := strings.Split(field, "_")
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return "X-" + strings.Join(words, "-")
}
