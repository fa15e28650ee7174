package serve

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"

	"labour/serve/api"
	"labour/serve/apidocs"
	"labour/serve/partners/access"
)

// endpoints returns all operations of the API, with their paths, scopes and handlers.
func (a *handler) endpoints() []endpoint {
	type envelope = api.Envelope[api.SkillsUnmetRow, api.PeopleMeta]
	all := []endpoint{
		list[api.SkillsUnmetRow, envelope](access.ScopeLabourRead, LabourPath+"skills-unmet", a.skillsUnmet),
		labour[api.SkillsGapsRow]("skills-gaps", a.skillsGaps),
		labour[api.CourseDemandRow]("course-demand", a.courseDemand),
		labour[api.EvidenceRow]("evidence", a.evidence),
		labour[api.SourcesRow]("sources", a.sources),
		labour[api.RegionsRow]("regions", a.regions),
		labour[api.PlacesRow]("places", a.places),
		labour[api.SectorsRow]("sectors", a.sectors),
		labour[api.SkillsRow]("skills", a.skills),
		labour[api.OccupationsRow]("occupations", a.occupations),
		labour[api.DemandRow]("demand", a.demand),
		labour[api.TrendsRow]("trends", a.trends),
		labour[api.OutlookRow]("outlook", a.outlook),
		labour[api.ReachRow]("reach", a.reach),
		labour[api.SignalsRow]("signals", a.signals),
		labour[api.PrioritiesRow]("priorities", a.priorities),
		list[api.JobsRow, api.ListResponse[api.JobsRow, api.Meta]](access.ScopeJobsRead, "/v1/jobs", a.jobs),
		object[api.ListResponse[api.PathwaysRow, api.CountMeta]](access.ScopePathwaysRead, "/v1/pathways", a.pathways),
		object[api.ObjectResponse[api.Candidates, api.ResidentsMeta]](access.ScopeCandidatesRead, "/v1/candidates",
			a.candidates),
		object[api.ObjectResponse[api.S106, api.ResidentsMeta]](access.ScopeS106Read, "/v1/s106", a.s106),
		object[api.ListResponse[api.EventsRow, api.EventsMeta]](access.ScopeEventsRead, "/v1/events", a.events),
		open[api.Health]("/healthz", "health", a.health),
		open[api.Readiness]("/readyz", "readiness", a.readiness),
		open[any](openAPIPath, "openapi", a.document),
	}
	export := in(http.MethodPost, "/v1/compliance-export", "compliance-export", a.complianceExport)
	export.scope, export.answer = access.ScopeDeveloper, reflect.TypeFor[api.ComplianceExport]()
	return append(append(all, export), a.webhookEndpoints()...)
}

// routes registers all endpoints with the ServeMux. The server uses the ServeMux only to find the
// endpoint of a request.
func (a *handler) routes() error {
	var faults []error
	for _, e := range a.endpoints() {
		var err error
		if e.parameters, err = parametersOf(e.input); err != nil {
			faults = append(faults, fmt.Errorf("%s %s: %w", e.method, e.path, err))
		}
		a.mux.Handle(e.method+" "+e.path, &e)
		a.byID[e.id] = &e
	}
	for pattern, page := range apidocs.Routes() {
		a.mux.Handle(pattern, &endpoint{handle: func(c *call) error {
			page.ServeHTTP(c.response, c.request)
			return nil
		}})
	}
	return errors.Join(faults...)
}
