package serve

import (
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"labour/serve/access"
)

// heldDataset is a dataset that is "built but not available".
type heldDataset struct {
	name, title, content string
	condition            string // what it waits on, in the specification's words
}

// held lists the rows of the specification's table "Data not yet open".
// "Same as Demand" is written out.
func held() []heldDataset {
	const shareable = "Counts from shareable sources only"
	return []heldDataset{
		{"demand", "Demand", "Daily vacancy counts by occupation", shareable},
		{"trends", "Trends", "Occupations growing and shrinking", shareable},
		{"outlook", "Outlook", "Skills gap outlook, 6 months to 5 years", "Confirmation of reuse terms of the projections blended in"},
		{"reach", "Reach", "Live work reachable from each ward", shareable},
		{"signals", "Signals", "Labour market news as the service's own summaries", "Confirmation of publishers' terms"},
		{"priorities", "Priorities", "What local skills improvement plans list as in demand", "Settling how a summary and citation can be offered"},
	}
}

// heldDatasets registers them. None is ever loaded here, so nothing but the
// condition can be answered, whatever the parameters.
func (a *api) heldDatasets() {
	for _, d := range held() {
		op := &huma.Operation{
			Method: http.MethodGet, Path: "/v1/labour/" + d.name, OperationID: d.name, Tags: []string{"Datasets not yet open"},
			Summary:     d.title + " (not open)",
			Description: fmt.Sprintf("%s. Built but not available; answers 403 dataset_not_open. It waits on: %s. Scope: %s.", d.content, d.condition, access.LabourRead),
			Middlewares: huma.Middlewares{a.requireScope(access.LabourRead)},
			Responses:   responses(http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, http.StatusInternalServerError),
		}
		a.huma.OpenAPI().AddOperation(op)
		a.huma.Adapter().Handle(op, op.Middlewares.Handler(func(ctx huma.Context) {
			a.refuse(ctx, &problem{code: datasetNotOpen,
				message: fmt.Sprintf("The dataset %s is built but not open yet. It waits on: %s.", d.name, d.condition)})
		}))
	}
}
