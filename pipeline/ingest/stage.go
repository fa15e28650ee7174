package ingest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"labour/pipeline/coding"
	"labour/pipeline/coding/place"
	"labour/pipeline/servedplaces"
	"labour/pipeline/staging"
	"labour/snapshots/figure"
	"labour/sources"
	"labour/sources/all"
	"labour/sources/onsgeography"
	"labour/sources/platform"
)

// Emit gives a statistic the official name of its region, applies the operator's corrections to the
// record and writes it to the intermediate files. It returns an error if writing fails, or if the
// type of the record is unknown. It ignores a record that a newer fetch has.
func (s *stager) Emit(r sources.Record) error {
	if s.history.isSuperseded(r) {
		return s.writeError
	}
	s.report.AddRecord(r)
	if s.history.isPastListing() {
		s.report.PastRecords++
	}
	if n := s.report.ReceivedRecords(); n%100_000 == 0 {
		s.reader.options.OnDetail("read %s: %d records", s.info.Key, n)
	}
	s.history.collect(r)
	r = s.reader.options.Corrections.Apply(s.info.Key, s.reader.withOfficialName(r))
	if a, ok := r.(sources.Advert); ok {
		s.advert(&a)
		return s.writeError
	}
	s.flushAdverts()
	switch r := r.(type) {
	case sources.Borough:
		s.borough(r)
	case sources.Resident:
		s.resident(&r)
	case sources.Application:
		s.application(&r)
	case sources.Statistic:
		s.statistic(&r)
	case sources.Event:
		s.event(&r)
	default:
		if !s.reader.result.Records.add(r) {
			return fmt.Errorf("record of type %T has no place to go", r)
		}
	}
	return s.writeError
}

// uncountRecord takes a record that is not used out of the report's counts.
func (s *stager) uncountRecord() {
	s.report.Records--
	if s.history.isPastListing() {
		s.report.PastRecords--
	}
}

// advert submits an advert for coding, which finds its place, occupation and skills. Coded adverts
// are written to files in the order of submission.
func (s *stager) advert(a *sources.Advert) {
	if s.writeError != nil {
		return
	}
	s.reader.needCoders()
	s.reader.pool.submit(a, s.stageCoded)
}

// flushAdverts waits until the submitted adverts are coded, and writes them to the intermediate
// files. Later records are written after them.
func (s *stager) flushAdverts() {
	if pool := s.reader.pool; pool != nil {
		pool.drain(s.stageCoded)
	}
}

// stageCoded writes a coded advert, one with its place, occupation and skills, to the intermediate
// files. It also adds the advert to the report and to the deduplication. It leaves out an advert
// whose coding panicked, and reports a fault.
func (s *stager) stageCoded(c *codedAdvert) {
	a := &c.advert
	if c.panicked != nil {
		s.uncountRecord()
		s.report.AddFault(sources.Fault{Source: s.info.Key, Where: "advert " + a.ID, Code: sources.FaultBadValue,
			Detail: fmt.Sprintf("the advert cannot be coded, and is not used: %v", c.panicked)})
		return
	}
	s.report.AddAdvert(&c.coded)
	if s.history.newest {
		s.report.AddListedAdvert(&s.info, a)
	}
	if slug := c.coded.Place.UnknownBoroughSlug; slug != "" {
		s.report.AddFault(sources.Fault{Source: s.info.Key, Where: "advert " + a.ID, Code: sources.FaultUnknownReference,
			Detail: fmt.Sprintf("borough %q is not in the feed's boroughs; the advert is counted in no borough", slug)})
	}
	s.reader.result.Notes.Add(a, &c.coded)
	ordinal := int32(s.reader.deduper.AdvertCount())
	s.reader.deduper.Add(&c.fields)
	s.stageAdvert(ordinal, c)
	s.shareable(ordinal, a, &c.coded)
	s.job(ordinal, a, &c.coded)
}

// stageAdvert writes an advert, its places and its skills to the intermediate files. ordinal is the
// index of the advert among all adverts read, from 0.
func (s *stager) stageAdvert(ordinal int32, c *codedAdvert) {
	a := &c.advert
	coded := &c.coded
	posted := c.advert.Posted
	to := s.reader.files
	if posted.IsZero() { // the rules exclude it, but the column needs a date
		posted = s.reader.options.AsOf
	}
	appendRow(s, to.Adverts, staging.Advert{Ordinal: ordinal, ID: a.ID, Source: a.Source,
		Precedence:  s.reader.precedence(a.Source),
		FirstSource: s.reader.firstPosted(a), Sector: coded.Sector, SOC: coded.SOC, Employer: c.employer,
		Posted: posted.Time(), PlacePrecision: int8(coded.Place.Precision), Readable: coded.Readable})
	// Write the advert's councils, the councils in which an ambiguous place may be, and the areas
	// that count the advert although its council is not known.
	for i, code := range slices.Concat(coded.Place.Councils, coded.Place.PossibleCouncils) {
		appendRow(s, to.AdvertPlaces, staging.AdvertPlace{Ordinal: ordinal, CouncilCode: code,
			IsCertain: i < len(coded.Place.Councils)})
	}
	for _, area := range coded.Place.ServedAreas {
		appendRow(s, to.AdvertAreas, staging.AdvertArea{Ordinal: ordinal, Area: area})
	}
	for _, asked := range coded.Skills {
		appendRow(s, to.AdvertSkills, staging.AdvertSkill{Ordinal: ordinal, Skill: asked.Number, Level: int8(asked.Level)})
	}
}

// firstPosted returns the key of the source where an advert was first posted. For an advert that
// the platform imported, this is the employer's board or the apprenticeship service. If that source
// is not configured, firstPosted adds it to the list of imported sources, so that it is credited.
func (r *reader) firstPosted(a *sources.Advert) string {
	kind, known := kindOf[a.Origin]
	if !known || a.Origin == sources.OriginPlatform {
		return a.Source
	}
	ofKind := func(i sources.Info) bool { return i.Kind == kind }
	for _, infos := range [][]sources.Info{r.options.SourceInfos, r.result.ImportedSources} {
		if i := slices.IndexFunc(infos, ofKind); i >= 0 {
			return infos[i].Key
		}
	}
	importable := all.ImportableSources()
	info := importable[slices.IndexFunc(importable, ofKind)]
	r.result.ImportedSources = append(r.result.ImportedSources, info)
	return info.Key
}

// needCoders creates the pool that codes adverts, unless it exists. If the feed lists no boroughs,
// every council counts as a borough. Boroughs, councils and boundaries that cannot be used are
// reported as faults and left out.
func (r *reader) needCoders() {
	if r.pool != nil {
		return
	}
	in := &r.result
	served := servedplaces.NewPlaces(in.Boroughs, in.Areas, r.options.ServedAreas)
	gazetteer, faults := place.NewGazetteer(servedplaces.OnlyCouncils(in.Areas), in.Boundaries, in.Boroughs,
		served.Areas()...)
	r.reports.AddFaults(faults)
	registers := in.Registers
	r.pool = newCodingPool(r.options.Threads,
		func() *coding.Coder { return &coding.Coder{Registers: registers, Gazetteer: gazetteer} })
}

// borough keeps a borough of the platform's feed, with the current code of its council. It reports
// a fault if the council was merged or split. The operator must then state the right council.
func (s *stager) borough(r sources.Borough) {
	r.Code = s.reader.result.AreaHistory.CurrentCodeIfRecoded(r.Code)
	if today := s.reader.result.AreaHistory.CurrentCodes(r.Code); !slices.Contains(today, r.Code) {
		s.Fault(sources.Fault{Source: s.info.Key, Where: "borough " + r.Slug, Code: sources.FaultUnknownPlace,
			Detail: fmt.Sprintf("borough %q: council %s is %s today; correct the feed's boroughs", r.Slug, r.Code,
				strings.Join(today, " and "))})
	}
	s.reader.result.Boroughs = append(s.reader.result.Boroughs, r)
}

// resident writes a resident from the platform's feed, and the resident's skills, to the
// intermediate files.
func (s *stager) resident(r *sources.Resident) {
	ordinal := s.reader.result.Residents
	appendRow(s, s.reader.files.Residents, staging.Resident{Ordinal: ordinal, ID: r.ID, Borough: r.Borough,
		SeekingWork: r.SeekingWork, SectorSought: r.SectorSought})
	for _, held := range s.residentSkills(ordinal, r.Skills) {
		appendRow(s, s.reader.files.ResidentSkills, held)
	}
	s.reader.result.Residents++
}

// residentSkills returns the recorded skills of a resident, each once with its highest level.
// resident is the ordinal of the resident. Unknown skills are left out and counted in the report.
// The next call overwrites the returned slice.
func (s *stager) residentSkills(resident int32, skills []sources.SkillLevel) []staging.ResidentSkill {
	out := s.residentRows[:0]
	for _, h := range skills {
		if number, ok := s.skillNumber(h.Skill); ok {
			out = append(out, staging.ResidentSkill{Resident: resident, Skill: number, Level: int8(h.Level)})
		}
	}
	s.residentRows = out
	s.report.AddSkills(platform.KindResidents, len(skills), len(skills)-len(out))
	slices.SortFunc(out, func(a, b staging.ResidentSkill) int {
		return cmp.Or(cmp.Compare(a.Skill, b.Skill), cmp.Compare(b.Level, a.Level))
	})
	return slices.CompactFunc(out, func(a, b staging.ResidentSkill) bool { return a.Skill == b.Skill })
}

// skillNumber returns the index of a skill in the register. name is the skill's name in the
// platform's feed. ok is false if the register does not have the skill.
func (s *stager) skillNumber(name string) (number int16, ok bool) {
	n, ok := s.reader.result.Registers.Skills.FindIndexByLabel(name)
	return int16(n), ok
}

// application writes an application to the intermediate files, with the skills that the job
// required. The applicant was hired or turned down. application ignores outcomes that were recorded
// after the date of the data, and applications without a known skill.
func (s *stager) application(a *sources.Application) {
	recorded := sources.LocalDateOf(a.RecordedAt)
	ended := a.Outcome == sources.OutcomeHired || a.Outcome == sources.OutcomeTurnedDown
	if !ended || s.reader.options.AsOf.Before(recorded) {
		return
	}
	ordinal := s.reader.result.Outcomes
	var buffer [16]int16
	skills, unknown := buffer[:0], 0
	for _, k := range a.Skills {
		number, ok := s.skillNumber(k.Skill)
		if !ok {
			unknown++
		}
		if !ok || slices.Contains(skills, number) { // there are only a few
			continue
		}
		skills = append(skills, number)
		asked, held := s.levelsOf(number, k)
		appendRow(s, s.reader.files.OutcomeSkills, staging.OutcomeSkill{Outcome: ordinal, Skill: number,
			RequiredLevel: asked, RecordedLevel: held, TurnedDownFor: k.TurnedDownFor})
	}
	s.report.AddSkills(platform.KindApplications, len(a.Skills), unknown)
	if len(skills) > 0 {
		appendRow(s, s.reader.files.Outcomes, staging.ApplicationOutcome{Ordinal: ordinal, ApplicationID: a.ID,
			ResidentID: a.Resident, AdvertID: a.Advert,
			Hired: a.Outcome == sources.OutcomeHired, RecordedMicros: a.RecordedAt.UnixMicro(),
			Day: recorded.Time()})
		s.reader.result.Outcomes++
	}
}

// levelsOf returns the level of a skill that the advert required, and the level that the applicant
// had. number is the index of the skill in the register. For a licence, the required level is
// always 1, and the applicant's level is 0 or 1.
func (s *stager) levelsOf(number int16, k sources.RequiredSkill) (requiredLevel, applicantLevel int8) {
	if s.reader.result.Registers.Skills.IsLicence(int(number)) {
		return 1, int8(min(k.HeldLevel, 1))
	}
	return int8(k.AskedLevel), int8(k.HeldLevel)
}

// statistic writes one official figure, such as a number of apprenticeship starts, to an
// intermediate file. A figure from 1 to 4 becomes "<5". A figure is left out, and reported as a
// fault, if its council is unknown or if isContradicted is true for it.
func (s *stager) statistic(t *sources.Statistic) {
	if t.RegionKind == onsgeography.KindCouncil && s.reader.isUnknownCouncil(t.RegionCode) {
		s.uncountRecord()
		s.Fault(sources.Fault{Source: s.info.Key, Where: t.SubjectArea + " to " + t.PeriodEnd.String(),
			Code: sources.FaultUnknownPlace, Detail: s.reader.unknownCouncilDetail(t.RegionCode)})
		return
	}
	count := figure.Count{}
	switch t.Symbol {
	case sources.SymbolNone:
		count = figure.CountOf(t.Value)
	case sources.SymbolUnderFive:
		count = figure.CountOf(1)
	}
	published := t.Published
	if published.IsZero() { // neither the publisher nor the connector states it
		published = sources.DateOf(s.fetchTime)
	}
	// Figures of a council that was only recoded are one series under today's code.
	region := s.reader.result.AreaHistory.CurrentCodeIfRecoded(t.RegionCode)
	if s.isContradicted(t, region, count) {
		s.uncountRecord()
		return
	}
	s.reader.statistics++
	appendRow(s, s.reader.files.Statistics, staging.Statistic{Ordinal: s.reader.statistics, Source: t.Source,
		Metric:  t.Metric,
		Country: t.Country, RegionCode: region, RegionName: t.RegionName, RegionKind: t.RegionKind,
		SubjectArea: t.SubjectArea,
		PeriodEnd:   t.PeriodEnd.Time(), Series: t.Series, Value: count.Value(), Status: string(count.Status()),
		Published: published.Time()})
}

// isUnknownCouncil reports whether no council has, or had, the given code. It returns false if the
// list of councils or the list of code changes was not read, because the code may then be of a
// former council.
func (r *reader) isUnknownCouncil(code string) bool {
	if len(r.councils) == 0 || len(r.result.changes) == 0 {
		return false
	}
	return !r.councils[code] && !r.result.AreaHistory.HasChange(code)
}

// unknownCouncilDetail returns the message of the fault for a figure whose council is unknown. code
// is the code of that council, for which isUnknownCouncil is true.
func (r *reader) unknownCouncilDetail(code string) string {
	list := "the list of councils"
	if r.councilsEdition != "" {
		list += " of " + r.councilsEdition
	}
	return fmt.Sprintf("council %s is neither in %s nor in the changes of their codes; the figure is not used; "+
		"update sources.%s if the council is new", code, list, onsgeography.Key)
}
