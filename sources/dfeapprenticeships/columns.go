package dfeapprenticeships

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"labour/sources"
)

// rollUp is the value of a filter that stands for all its other values.
const rollUp = "Total"

// The spellings of the columns, which differ from release to release. All are
// compared in lower case.
var (
	subjectColumns = []string{"ssa_t1_desc", "ssa_tier_1", "ssa_t1", "sector_subject_area_t1", "sector_subject_area",
		"sector_subject_area_tier_1"}

	// bootcampSubjects is the subject of the bootcamp files, which know no sector subject area.
	bootcampSubjects = []string{"sector", "sector_name"}

	valueColumns = map[string][]string{
		MetricApprenticeships:  {"starts", "start_count"},
		MetricFurtherEducation: {"e_and_t_aims_enrolments", "enrolments", "enrolment_count"},
		MetricBootcamps:        {"start_total", "starts", "start_count"},
	}

	// knownFilters are the columns that break a figure down.
	knownFilters = set(
		"apps_level", "apprenticeship_level", "apps_level_detailed", "level", "level_or_type", "notional_nvq_level",
		"provision_type", "apprenticeships_or_further_education", "age_group", "age_summary", "age_youth_adult",
		"age_grouped", "age_detailed", "age_summary_with_unknowns", "start_age", "sex", "gender", "ethnicity",
		"ethnicity_group", "ethnicity_major", "ethnicity_minor", "minority_ethnic", "lldd",
		"learning_difficulty_disability", "learner_home_depriv", "funding_type", "levy_status", "provider_type",
		"std_fwk_flag", "std_fwk_name", "st_fwk_flag", "start_month", "ssa_t2_desc", "ssa_tier_2", "ssa_t2",
		"sector_subject_area_t2", "sector_subject_area_tier_2", "delivery_phase", "delivery_region",
		"learner_home_region", "prior_attainment_group", "employment_status", "subject_level", "qualification_type",
		"learning_aim_title", "route", "sector", "sector_name",
	)

	// knownFigures are the columns that hold figures.
	knownFigures = set(
		"starts", "start_count", "starts_percent", "starts_rate_per_100000_population", "participation",
		"participation_count", "participation_percent", "participation_rate_per_100000_population", "achievements",
		"achievement_count", "achievements_percent", "achievements_rate_per_100000_population", "learner_count",
		"learner_percent", "achiever_count", "enrolments", "enrolment_count", "enrolment_percent",
		"e_and_t_aims_enrolments", "e_and_t_aims_ach", "start_total", "comp_total", "completion_rate", "out_total",
		"outcome_rate_starts", "outcome_rate_comp",
	)

	// knownPlaces are the columns that say where; most files have only some.
	knownPlaces = set(
		"country_code", "country_name", "region_code", "region_name", "lad_code", "lad_name", "lsip_code", "lsip_name",
		"new_la_code", "old_la_code", "la_name", "rsc_region_lead_name", "pcon_code", "pcon_name",
		"local_enterprise_partnership_code", "local_enterprise_partnership_name", "english_devolved_area_code",
		"english_devolved_area_name", "mayoral_combined_authority_code", "mayoral_combined_authority_name",
		"opportunity_area_code", "opportunity_area_name", "ward_code", "ward_name", "trust_id", "trust_name",
		"sponsor_id", "sponsor_name", "school_urn", "school_laestab", "school_name", "provider_ukprn", "provider_name",
		"institution_id", "institution_name", "planning_area_code", "planning_area_name", "pfa_code", "pfa_name",
	)
)

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

// wanted is one filter: only rows with this value in this column are taken.
type wanted struct {
	column int
	value  string
}

// plan says where in a row of one file everything stands. Absent columns are -1.
type plan struct {
	width                     int
	period, identifier, level int
	subject, value            int
	filters                   []wanted
	places                    map[string][2]int // geographic_level -> columns of code and name
	basis                     string            // what is counted, for the series
	narrowed                  string            // filters on something else than all, for the series
}

// columnFault is one reason why a file is refused.
type columnFault struct {
	code   sources.FaultCode
	column string
	detail string
}

// planFor reads the header of a file. Every fault refuses the file: an unknown
// column may be a filter, and an overlooked filter counts learners twice.
func planFor(header []string, d DataSet) (plan, []columnFault) {
	index := make(map[string]int, len(header))
	var faults []columnFault
	for i, h := range header {
		h = columnName(h)
		if _, twice := index[h]; twice {
			faults = append(faults, columnFault{sources.FaultSchema, h, fmt.Sprintf("column %q stands twice in the header", h)})
		}
		index[h] = i
	}
	p := plan{width: len(header), period: at(index, "time_period"), identifier: at(index, "time_identifier"),
		level: at(index, "geographic_level"), subject: first(index, subjectColumns)}
	if p.subject < 0 && d.Metric == MetricBootcamps {
		p.subject = first(index, bootcampSubjects)
	}
	candidates := valueColumns[d.Metric]
	if d.Column != "" {
		candidates = []string{columnName(d.Column)}
	}
	p.value = first(index, candidates)
	p.places = map[string][2]int{}
	for _, k := range placeKinds {
		if c := at(index, k.code); c >= 0 {
			p.places[k.level] = [2]int{c, at(index, k.name)}
		}
	}
	faults = append(faults, p.missing(candidates)...)
	faults = append(faults, p.sort(header, d)...)
	if p.value >= 0 {
		p.basis = basisOf(columnName(header[p.value]), d.Metric)
	}
	return p, faults
}

// missing names the columns without which no row can be read.
func (p plan) missing(candidates []string) []columnFault {
	var out []columnFault
	need := func(i int, name string) {
		if i < 0 {
			out = append(out, columnFault{sources.FaultColumnMissing, name,
				fmt.Sprintf("the file has no column %s; set `column` or take another data set", name)})
		}
	}
	need(p.period, "time_period")
	need(p.identifier, "time_identifier")
	need(p.level, "geographic_level")
	need(p.value, strings.Join(candidates, " or "))
	if len(p.places) == 0 {
		need(-1, "country_code, region_code, lad_code or lsip_code")
	}
	return out
}

// sort tells the filters from the figures and names the columns that are neither.
func (p *plan) sort(header []string, d DataSet) []columnFault {
	given := make(map[string]string, len(d.Filters))
	for k, v := range d.Filters {
		given[columnName(k)] = v
	}
	ignored := map[string]bool{}
	for _, c := range d.IgnoreColumns {
		ignored[columnName(c)] = true
	}
	var faults []columnFault
	var narrowed []string
	for i, h := range header {
		name := columnName(h)
		v, chosen := given[name]
		delete(given, name)
		switch {
		case chosen:
			p.filters = append(p.filters, wanted{i, v})
			if v != rollUp {
				narrowed = append(narrowed, name+"="+v)
			}
		case i == p.period, i == p.identifier, i == p.level, i == p.subject, i == p.value, ignored[name],
			knownFigures[name], knownPlaces[name]:
		case knownFilters[name]:
			p.filters = append(p.filters, wanted{i, rollUp})
		default:
			faults = append(faults, columnFault{sources.FaultColumnUnknown, name, fmt.Sprintf("column %q is unknown and may be a "+
				"breakdown, so the file is not used; name it under `filters` with the value that stands for all, or under "+
				"`ignore_columns` when it holds figures", name)})
		}
	}
	for _, c := range slices.Sorted(maps.Keys(given)) {
		faults = append(faults, columnFault{sources.FaultColumnMissing, c, fmt.Sprintf("the file has no column %q, which `filters` names", c)})
	}
	slices.Sort(narrowed)
	p.narrowed = strings.Join(narrowed, ", ")
	return faults
}

// basisOf says in words what the figures of a column count. Enrolments on aims,
// enrolments and learners are not the same thing and are never compared.
func basisOf(column, metric string) string {
	switch column {
	case "e_and_t_aims_enrolments":
		return "education and training aim enrolments"
	case "participation", "participation_count", "learner_count":
		return "learners participating"
	case "enrolments", "enrolment_count":
		return "enrolments"
	case "starts", "start_count", "start_total":
		if metric == MetricBootcamps {
			return "skills bootcamp starts"
		}
		return "starts"
	}
	return column
}

func columnName(s string) string {
	return strings.ToLower(strings.TrimSpace(strings.TrimPrefix(s, "\ufeff")))
}

func at(index map[string]int, name string) int {
	if i, ok := index[name]; ok {
		return i
	}
	return -1
}

func first(index map[string]int, names []string) int {
	for _, n := range names {
		if i, ok := index[n]; ok {
			return i
		}
	}
	return -1
}
