package web

import (
	"net/url"
	"slices"
	"strconv"

	"labour/serve/api"
)

const prioritiesPath = labourPath + "priorities"

// planView is what the local plans of an area list as in demand.
type planView struct {
	Area string
	Rows []api.PrioritiesRow
}

// placePriorities asks what the plans of the place list; where it has none of its own, those of
// the areas around are shown, each under its name, since no source says which boroughs an
// area has.
func placePriorities(v *request, _ filter, d *placeView) {
	if !v.snapshot.IsOpen("priorities") {
		return
	}
	p := ask(v, api.Snapshot.Priorities, api.HeldQuery{Limit: mostAsked})
	if len(p.Rows) == 0 {
		return
	}
	own := func(r api.PrioritiesRow) bool { return r.RegionCode == d.Place.Code }
	if slices.ContainsFunc(p.Rows, own) {
		p.Rows = slices.DeleteFunc(p.Rows, func(r api.PrioritiesRow) bool { return !own(r) })
	}
	v.calls("What local plans list as in demand", prioritiesPath, url.Values{"limit": {strconv.Itoa(mostCalled)}})
	for _, r := range p.Rows {
		area := r.RegionCode
		if region, ok := v.snapshot.ResolveRegion("GB", area); ok {
			area = region.Name
		}
		i := slices.IndexFunc(d.Priorities, func(p planView) bool { return p.Area == area })
		if i < 0 {
			d.Priorities, i = append(d.Priorities, planView{Area: area}), len(d.Priorities)
		}
		if plan := &d.Priorities[i]; len(plan.Rows) < topSkills {
			plan.Rows = append(plan.Rows, r)
		}
	}
}
