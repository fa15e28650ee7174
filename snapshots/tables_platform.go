package snapshots

// The tables of the platform's own records, for the endpoints beside the labour
// data: jobs, pathways, candidates, s106 and events.

func jobsTable() Table {
	return table("jobs", "Live adverts that may be shown as they are: of vacancies that the counting rules keep, each once, whose terms of origin permit republishing.",
		[]string{"posted_at", "id"},
		text("id", "stable id: key of the source that delivered the advert, a colon and the publisher's own id"),
		text("type", "job, apprenticeship or training"),
		text("title", "title as shown"),
		text("employer", "employer's name as shown"),
		text("boroughs", "slugs of the served boroughs where the work is, sorted, separated by commas; empty = none of them, or the whole country"),
		text("sector", "sector slug; empty = not known"),
		text("soc", "SOC 2020 unit group, 4 digits; empty = not known"),
		textNull("salary_text", "the pay, as shown; null = not stated"),
		Column{Name: "posted_at", Type: Timestamp, Doc: "when it was first posted; midnight where only the day is known"},
		Column{Name: "closes_on", Type: Day, Nullable: true, Doc: "last day to apply, on or after as_of; null = not stated"},
		textNull("link", "the advert's page; null = none"),
		text("source_key", "key of the source under whose terms it is shown"))
}

func pathwaysTable() Table {
	return table("pathways", "Published careers pathways.", []string{"slug", "id"},
		text("id", "the platform's id of the pathway"),
		text("slug", "the pathway's name in addresses"),
		text("title", "title as shown"),
		text("summary", "what it is about; may be empty"),
		text("sector", "sector slug"),
		Column{Name: "updated_on", Type: Day, Doc: "the day of the last change"})
}

func pathwayStepsTable() Table {
	return table("pathway_steps", "The steps of the pathways.", []string{"pathway", "position"},
		text("pathway", "id of the pathway"),
		Column{Name: "position", Type: Int16, Doc: "place of the step among those of the pathway, from 1 without gaps"},
		Column{Name: "step", Type: Int16, Doc: "number of the step as the platform gives it, from 1"},
		text("title", "title of the step"),
		text("description", "what the step is; may be empty"),
		textNull("soc", "SOC 2020 unit group that the step leads to; null = not stated"),
		Column{Name: "level", Type: Int8, Nullable: true, Doc: "level of the step's qualification, 1 to 8; null = none"})
}

func pathwayStandardsTable() Table {
	return table("pathway_standards", "Apprenticeship standards on the pathways.", []string{"pathway", "code"},
		text("pathway", "id of the pathway"),
		text("code", "code of the standard, such as ST0316"),
		text("title", "title of the standard"),
		Column{Name: "level", Type: Int8, Doc: "level of the standard, 2 to 7"})
}

// The values of `dimension` in the table candidates.
const (
	CandidatesAll     = "all"           // every resident; value is ""
	CandidatesBorough = "borough"       // value is a place slug
	CandidatesLevel   = "level"         // value is 1 to 5
	CandidatesSector  = "sector_sought" // value is a sector slug
	CandidatesSeeking = "seeking_work"  // value is ""

)

func candidatesTable() Table {
	return table("candidates", "Printed counts of residents: the total, and what it is broken down by. Rebuilt at quarter ends.",
		[]string{"dimension", "value"},
		text("dimension", "all, borough, level (the highest on record), sector_sought or seeking_work"),
		text("value", "place slug, level from 1 to 5 or sector slug; empty for all and seeking_work"),
		wholeNull("residents", "residents under the small-number rule; 0 or at least 5"),
		text("residents_status", "number, under_5 (a count from 1 to 4), or empty (not published)"))
}

func s106Table() Table {
	amount := func(name, doc string) Column { return Column{Name: name, Type: Int64, Doc: doc} }
	return table("s106", "Headline counts of section 106 obligations, for the whole platform and for each place.", []string{"place"},
		text("place", "place slug; empty = the whole platform"),
		amount("developments", "sites with obligations"),
		amount("obligations", "obligations of the sites"),
		amount("jobs_created", "jobs created; jobs are not people"),
		amount("apprenticeships_started", "apprenticeships started; starts are not people"),
		Column{Name: "local_people_employed", Type: Int64, Nullable: true, Doc: "local people employed; 0 or at least 5"},
		text("local_people_employed_status", "number, under_5 (a count from 1 to 4), or empty (not published)"),
		amount("training_places", "training places"),
		amount("contributions_gbp", "contributions in whole pounds"))
}

func eventsTable() Table {
	return table("events", "What partners are told of. No event names a person or a pseudonym.", []string{"occurred_at", "id"},
		text("id", "the platform's id of the event"),
		text("type", "application.created, click.recorded, outcome.recorded or opportunity.published"),
		Column{Name: "occurred_at", Type: Timestamp, Doc: "when it happened"},
		text("partner", "the partner that it belongs to, and nobody else may see it; empty = every partner"),
		textNull("advert", "the platform's id of the advert that it concerns; null = none"),
		textNull("borough", "slug of the borough that it concerns; null = none"),
		textNull("outcome", "pending, hired, turned_down or withdrawn; null = it is no outcome"))
}
