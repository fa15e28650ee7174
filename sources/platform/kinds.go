package platform

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"labour/sources"
)

// The tables below are the schemas in schema/, for reading. FEED.md says what every property means.

var boroughs = object[sources.Borough]{properties: []property[sources.Borough]{
	need(slug("slug", func(v *sources.Borough) *string { return &v.Slug })),
	need(text("name", 1, maxLabel, func(v *sources.Borough) *string { return &v.Name })),
	need(matching("code", "a council code like E09000007", isCouncilCode, func(v *sources.Borough) *string { return &v.Code })),
}}

var adverts = object[sources.Advert]{
	properties: []property[sources.Advert]{
		need(id("id", func(v *sources.Advert) *string { return &v.ID })),
		oneOf("imported_from", func(v *sources.Advert) *sources.Origin { return &v.Origin },
			sources.OriginPlatform, sources.OriginEmployerBoard, sources.OriginApprenticeship,
			sources.OriginJobBoard, sources.OriginAggregator),
		// Read turns "unlisted" round: an advert is open to everyone unless the feed says otherwise.
		boolean("unlisted", func(v *sources.Advert) *bool { return &v.Listed }),
		need(text("employer", 1, maxLabel, func(v *sources.Advert) *string { return &v.Employer })),
		need(text("title", 1, maxLabel, func(v *sources.Advert) *string { return &v.Title })),
		text("requisition", 1, maxID, func(v *sources.Advert) *string { return &v.Requisition }),
		link("apply_url", func(v *sources.Advert) *string { return &v.ApplyURL }),
		link("link", func(v *sources.Advert) *string { return &v.Link }),
		need(oneOf("kind", func(v *sources.Advert) *string { return &v.Kind }, "job", "apprenticeship", "training")),
		need(day("posted_on", func(v *sources.Advert) *sources.Date { return &v.Posted })),
		day("closes_on", func(v *sources.Advert) *sources.Date { return &v.Closes }),
		stringsOf("boroughs", slug("", func(s *string) *string { return s }),
			func(v *sources.Advert, s string) { v.Locations = append(v.Locations, sources.Location{Slug: s}) }),
		stringsOf("locations", text("", 1, maxLabel, func(s *string) *string { return s }),
			func(v *sources.Advert, s string) { v.Locations = append(v.Locations, sources.Location{Text: s}) }),
		boolean("nationwide", func(v *sources.Advert) *bool { return &v.Nationwide }),
		text("sector", 1, maxLabel, func(v *sources.Advert) *string { return &v.Route }),
		soc(func(v *sources.Advert) *string { return &v.SOC }),
		integer("course_level", 2, 7, func(v *sources.Advert) *int { return &v.CourseLevel }),
		text("salary_text", 1, maxLabel, func(v *sources.Advert) *string { return &v.SalaryText }),
		list("skills", &wanted, func(v *sources.Advert) *[]sources.Wanted { return &v.Wanted }),
		text("text", 0, maxText, func(v *sources.Advert) *string { return &v.Text }),
	},
	check: func(_ *parser, v *sources.Advert) {
		v.Source, v.Listed = Key, !v.Listed
		// Boroughs first, in whichever order the properties stood.
		slices.SortStableFunc(v.Locations, func(a, b sources.Location) int { return rank(a) - rank(b) })
	},
}

func rank(l sources.Location) int {
	if l.Slug != "" {
		return 0
	}
	return 1
}

var wanted = object[sources.Wanted]{properties: []property[sources.Wanted]{
	need(text("skill", 1, maxLabel, func(v *sources.Wanted) *string { return &v.Skill })),
	level("level", 1, func(v *sources.Wanted) *int { return &v.Level }),
}}

var held = object[sources.Held]{properties: []property[sources.Held]{
	need(slug("skill", func(v *sources.Held) *string { return &v.Skill })),
	need(level("level", 1, func(v *sources.Held) *int { return &v.Level })),
}}

var asked = object[sources.AskedSkill]{properties: []property[sources.AskedSkill]{
	need(slug("skill", func(v *sources.AskedSkill) *string { return &v.Skill })),
	need(level("asked_level", 1, func(v *sources.AskedSkill) *int { return &v.AskedLevel })),
	need(level("held_level", 0, func(v *sources.AskedSkill) *int { return &v.HeldLevel })),
	boolean("turned_down_for", func(v *sources.AskedSkill) *bool { return &v.TurnedDownFor }),
}}

var residents = object[sources.Resident]{properties: []property[sources.Resident]{
	need(id("id", func(v *sources.Resident) *string { return &v.ID })),
	need(slug("borough", func(v *sources.Resident) *string { return &v.Borough })),
	need(boolean("seeking_work", func(v *sources.Resident) *bool { return &v.SeekingWork })),
	slug("sector_sought", func(v *sources.Resident) *string { return &v.SectorSought }),
	list("skills", &held, func(v *sources.Resident) *[]sources.Held { return &v.Skills }),
}}

var applications = object[sources.Application]{
	properties: []property[sources.Application]{
		need(id("id", func(v *sources.Application) *string { return &v.ID })),
		need(id("resident", func(v *sources.Application) *string { return &v.Resident })),
		need(id("advert", func(v *sources.Application) *string { return &v.Advert })),
		need(instant("applied_at", func(v *sources.Application) *time.Time { return &v.AppliedAt })),
		need(outcome(func(v *sources.Application) *sources.Outcome { return &v.Outcome })),
		instant("outcome_recorded_at", func(v *sources.Application) *time.Time { return &v.RecordedAt }),
		list("skills", &asked, func(v *sources.Application) *[]sources.AskedSkill { return &v.Skills }),
	},
	check: func(p *parser, v *sources.Application) {
		if v.Outcome != sources.OutcomePending && v.RecordedAt.IsZero() {
			p.problem(`lacks the property "outcome_recorded_at", which every outcome but pending needs`)
		}
	},
}

var events = object[sources.Event]{properties: []property[sources.Event]{
	need(id("id", func(v *sources.Event) *string { return &v.ID })),
	need(oneOf("type", func(v *sources.Event) *string { return &v.Type },
		"application.created", "click.recorded", "outcome.recorded", "opportunity.published")),
	need(instant("occurred_at", func(v *sources.Event) *time.Time { return &v.OccurredAt })),
	matching("partner", "a name of 1 to 100 characters, without control characters and without a space at either end", isName,
		func(v *sources.Event) *string { return &v.Partner }),
	id("advert", func(v *sources.Event) *string { return &v.Advert }),
	slug("borough", func(v *sources.Event) *string { return &v.Borough }),
	outcome(func(v *sources.Event) *sources.Outcome { return &v.Outcome }),
}}

var pathways = object[sources.Pathway]{properties: []property[sources.Pathway]{
	need(id("id", func(v *sources.Pathway) *string { return &v.ID })),
	need(slug("slug", func(v *sources.Pathway) *string { return &v.Slug })),
	need(text("title", 1, maxLabel, func(v *sources.Pathway) *string { return &v.Title })),
	text("summary", 0, maxProse, func(v *sources.Pathway) *string { return &v.Summary }),
	need(slug("sector", func(v *sources.Pathway) *string { return &v.Sector })),
	need(list("steps", &pathwayStep, func(v *sources.Pathway) *[]sources.PathwayStep { return &v.Steps })),
	list("apprenticeship_standards", &standard, func(v *sources.Pathway) *[]sources.Standard { return &v.Standards }),
	need(day("updated_on", func(v *sources.Pathway) *sources.Date { return &v.Updated })),
}}

var pathwayStep = object[sources.PathwayStep]{properties: []property[sources.PathwayStep]{
	need(integer("order", 1, maxList, func(v *sources.PathwayStep) *int { return &v.Order })),
	need(text("title", 1, maxLabel, func(v *sources.PathwayStep) *string { return &v.Title })),
	text("description", 0, maxProse, func(v *sources.PathwayStep) *string { return &v.Description }),
	soc(func(v *sources.PathwayStep) *string { return &v.SOC }),
	integer("level", 1, 8, func(v *sources.PathwayStep) *int { return &v.Level }),
}}

var standard = object[sources.Standard]{properties: []property[sources.Standard]{
	need(id("code", func(v *sources.Standard) *string { return &v.Code })),
	need(text("title", 1, maxLabel, func(v *sources.Standard) *string { return &v.Title })),
	need(integer("level", 2, 7, func(v *sources.Standard) *int { return &v.Level })),
}}

var developments = object[sources.Development]{properties: []property[sources.Development]{
	need(id("id", func(v *sources.Development) *string { return &v.ID })),
	need(slug("borough", func(v *sources.Development) *string { return &v.Borough })),
	need(count("obligations", func(v *sources.Development) *int { return &v.Obligations })),
	need(count("jobs_created", func(v *sources.Development) *int { return &v.JobsCreated })),
	need(count("apprenticeships_started", func(v *sources.Development) *int { return &v.ApprenticeshipsStarted })),
	need(count("local_people_employed", func(v *sources.Development) *int { return &v.LocalPeopleEmployed })),
	need(count("training_places", func(v *sources.Development) *int { return &v.TrainingPlaces })),
	need(integer("contributions_gbp", 0, maxPounds, func(v *sources.Development) *int64 { return &v.ContributionsGBP })),
}}

// maxProse, maxCount and maxPounds bound descriptions, counts and sums of money.
const (
	maxProse  = 5000
	maxCount  = 1_000_000_000
	maxPounds = 1_000_000_000_000
)

// isCouncilCode is ^[EWSN][0-9]{8}$.
func isCouncilCode(s string) bool {
	return len(s) == 9 && strings.ContainsRune("EWSN", rune(s[0])) && isOf([]byte(s[1:]), digits)
}

func count[T any](name string, to func(*T) *int) property[T] { return integer(name, 0, maxCount, to) }

// level is a level from the least to 5: 1 is a beginner's, 0 is none.
func level[T any](name string, least int64, to func(*T) *int) property[T] {
	return integer(name, least, 5, to)
}

func soc[T any](to func(*T) *string) property[T] {
	is := func(s string) bool { return len(s) == 4 && s[0] != '0' && isOf([]byte(s), digits) }
	return matching("soc", "a unit group of SOC 2020, four digits", is, to)
}

func outcome[T any](to func(*T) *sources.Outcome) property[T] {
	return oneOf("outcome", to, sources.OutcomePending, sources.OutcomeHired,
		sources.OutcomeTurnedDown, sources.OutcomeWithdrawn)
}

// isName reports whether a text can be the name of a partner. The commands that make
// partners accept the same names.
func isName(s string) bool {
	control := func(r rune) bool { return r < ' ' || r == 0x7f }
	n := utf8.RuneCountInString(s)
	return n > 0 && n <= maxID && strings.Trim(s, " ") == s && strings.IndexFunc(s, control) < 0
}

// link is an http(s) address of visible ASCII characters.
func link[T any](name string, to func(*T) *string) property[T] {
	is := func(s string) bool {
		rest, ok := strings.CutPrefix(s, "https://")
		if !ok {
			rest, ok = strings.CutPrefix(s, "http://")
		}
		hidden := func(r rune) bool { return r < '!' || r > '~' }
		return ok && len(rest) > 0 && len(s) <= maxLink && strings.IndexFunc(rest, hidden) < 0
	}
	return matching(name, "an http(s) address", is, to)
}
