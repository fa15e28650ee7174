package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/paulmach/orb"
	"golang.org/x/text/unicode/norm"

	"labour/pipeline/cells"
	"labour/pipeline/coding/skill"
	"labour/pipeline/corrections"
	"labour/pipeline/embargoed"
	"labour/pipeline/outlines"
	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/snapshots/outline"
	"labour/snapshots/parquetio"
	"labour/sources"
	"labour/sources/platform"
)

// lists writes the tables of names and codes.
func (t *tables) lists(ctx context.Context) error {
	t.build.o.step("write lists")
	outlines, err := t.build.outlineRows()
	if err != nil {
		return err
	}
	skills, err := t.skills(ctx)
	if err != nil {
		return err
	}
	var levels []snapshots.LevelsRow
	for l := skill.Entry; l <= skill.Expert; l++ {
		levels = append(levels, snapshots.LevelsRow{Level: int8(l), Name: l.Name()})
	}
	var sectors []snapshots.SectorsRow
	for _, s := range t.build.registers.Sectors.All() {
		sectors = append(sectors, snapshots.SectorsRow{Sector: s.Slug, Name: s.Name})
	}
	var occupations []snapshots.OccupationsRow
	for _, g := range t.build.registers.Occupations.Groups() {
		occupations = append(occupations, snapshots.OccupationsRow{SOC: g.Code, Name: g.Name})
	}
	return errors.Join(write(t, "skills", skills), write(t, "levels", levels), write(t, "sectors", sectors),
		write(t, "occupations", occupations), write(t, "places", t.build.places()),
		write(t, "place_members", t.build.placeMembers()),
		write(t, "regions", t.build.regions()), write(t, "corrections", t.build.corrected()),
		write(t, "outlines", outlines))
}

// skills is the register, each skill with the level that adverts ask of it.
func (t *tables) skills(ctx context.Context) ([]snapshots.SkillsRow, error) {
	file, err := t.ask(ctx, cells.SkillLevels)
	if err != nil {
		return nil, err
	}
	type asked struct {
		Skill string `col:"skill"`
		Level int8   `col:"level"`
	}
	level := map[string]int8{}
	for row, err := range parquetio.Each[asked](file) {
		if err != nil {
			return nil, fmt.Errorf("the levels of skills: %w", err)
		}
		level[row.Skill] = row.Level
	}
	var skills []snapshots.SkillsRow
	for _, s := range t.build.registers.Skills.Skills() {
		usual := int8(s.Level)
		skills = append(skills, snapshots.SkillsRow{Skill: s.Slug, Name: s.Name, ReferenceLevel: usual,
			Level: cmp.Or(level[s.Slug], usual), Kind: string(s.Kind), Wordings: s.Wordings})
	}
	return skills, nil
}

// evidence writes the published evidence, the news of feeds whose terms permit a summary among it,
// and the forecast skills gaps.
func (t *tables) evidence(ctx context.Context) error {
	if _, err := t.ask(ctx, cells.CourseFigures); err != nil {
		return err
	}
	return errors.Join(show(ctx, t, "evidence_read", staging.EvidenceRows(t.build.in.evidence)),
		show(ctx, t, "source_listed", t.listed),
		show(ctx, t, "news", t.news()), t.answered(ctx, cells.Evidence), t.answered(ctx, cells.SkillsGaps))
}

func (t *tables) news() []snapshots.SignalsRow {
	return embargoed.Signals(t.build.in.headlines, t.publishersWith(mayShow), t.asOf())
}

// places returns the boroughs of the feed, or every council where the feed names none, and the
// served areas.
func (b *build) places() []snapshots.PlacesRow {
	var rows []snapshots.PlacesRow
	for _, p := range b.in.boroughs {
		rows = append(rows, snapshots.PlacesRow{Place: p.Slug, Name: p.Name, AreaKind: snapshots.AreaBorough,
			Code: p.Code})
	}
	if len(rows) == 0 {
		for _, c := range b.councils() {
			rows = append(rows, snapshots.PlacesRow{Place: slugOf(c.Name), Name: c.Name,
				AreaKind: snapshots.AreaBorough, Code: c.Code})
		}
	}
	for _, a := range b.o.Config.ServedAreas {
		rows = append(rows, snapshots.PlacesRow{Place: a.Slug, Name: a.Name, AreaKind: snapshots.AreaServed})
	}
	return distinct("places", rows)
}

func (b *build) servedBoroughs() []snapshots.PlacesRow {
	return slices.DeleteFunc(b.places(),
		func(p snapshots.PlacesRow) bool { return p.AreaKind != snapshots.AreaBorough })
}

// checkAreas names, once, each borough of a served area that is not served. An area with the
// slug of a borough is an error: an address could mean either.
func (b *build) checkAreas(boroughs []snapshots.PlacesRow) error {
	served := map[string]bool{}
	for _, r := range boroughs {
		served[r.Place] = true
	}
	for _, a := range b.o.Config.ServedAreas {
		if served[a.Slug] {
			return fmt.Errorf("served area %q has the slug of a borough; give it another one in served_areas", a.Slug)
		}
		for _, borough := range a.Boroughs {
			if !served[borough] {
				b.report.source(platform.Key).fault(sources.Fault{Source: platform.Key, Where: "served area " + a.Slug,
					Code: sources.FaultPlace,
					Detail: fmt.Sprintf("borough %q of the served area is not served; the area counts the others",
						borough)})
			}
		}
	}
	return nil
}

// placeMembers returns the boroughs of the served areas that are served.
func (b *build) placeMembers() []snapshots.PlaceMembersRow {
	var rows []snapshots.PlaceMembersRow
	served := map[string]bool{}
	for _, r := range b.servedBoroughs() {
		served[r.Place] = true
	}
	for _, a := range b.o.Config.ServedAreas {
		for _, borough := range a.Boroughs {
			if served[borough] { // adverts of another are not counted, nor are its residents
				rows = append(rows, snapshots.PlaceMembersRow{Area: a.Slug, Borough: borough})
			}
		}
	}
	return distinct("place_members", rows)
}

// regions returns the official areas, of each code and kind the newest edition.
func (b *build) regions() []snapshots.RegionsRow {
	areas := slices.Clone(b.in.areas)
	slices.SortStableFunc(areas, func(x, y sources.Area) int {
		return cmp.Or(strings.Compare(x.Kind, y.Kind), strings.Compare(x.Code, y.Code),
			strings.Compare(y.Edition, x.Edition))
	})
	areas = slices.CompactFunc(areas, func(x, y sources.Area) bool { return x.Kind == y.Kind && x.Code == y.Code })
	rows := make([]snapshots.RegionsRow, 0, len(areas))
	for _, a := range areas {
		rows = append(rows, snapshots.RegionsRow{Code: a.Code, Name: a.Name, Kind: a.Kind, SourceKey: a.Source,
			NameWelsh: orNull(a.NameWelsh), NationCode: orNull(a.NationCode), Slug: orNull(a.Slug),
			FormerCodes: orNull(strings.Join(b.in.history.Former(a.Code), ","))})
	}
	return rows
}

// distinct returns the rows of a table in its order; of those with one key the first is kept.
func distinct[T any](name string, rows []T) []T {
	table, _ := snapshots.TableNamed(name)
	return snapshots.Distinct(table, rows)
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

var notPlain = regexp.MustCompile(`[^a-z0-9]+`)

// slugOf makes a slug of a name: "Bristol, City of" is bristol-city-of.
func slugOf(name string) string {
	letters := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) || r == '\'' || r == '’' {
			return -1
		}
		return r
	}, norm.NFKD.String(name))
	return strings.Trim(notPlain.ReplaceAllString(strings.ToLower(letters), "-"), "-")
}

// sourceRows describe every configured source. The platform is always there, with a feed or without:
// the service's own figures are its. A source that is not configured is there if the feed has adverts
// of it.
func (b *build) sourceRows() []snapshots.SourcesRow {
	var rows []snapshots.SourcesRow
	own := platform.New(b.o.Config.Platform).Info()
	infos := b.infos
	if !slices.ContainsFunc(infos, func(i sources.Info) bool { return i.Key == own.Key }) {
		infos = append(slices.Clone(infos), own)
	}
	for n, i := range slices.Concat(infos, b.reading.imported) {
		records := int64(0)
		if n < len(infos) {
			records = b.report.source(i.Key).Records
		}
		rows = append(rows, snapshots.SourcesRow{Key: i.Key, Publisher: i.Publisher, Title: i.Title,
			Kind:    string(i.Kind),
			Licence: i.Licence, Link: i.Link, AttributionStatement: i.Statement.For(b.o.Config.Platform.Name, b.o.AsOf),
			Cadence: string(i.Cadence), AdvertsCounted: i.Adverts && i.Terms.Count, Rows: records})
	}
	return distinct("sources", rows)
}

// corrected names each correction that was not applied, so that somebody looks at it again, and
// gives the rows of the table corrections. Values of a source that may not be shown are not shown
// here either.
func (b *build) corrected() []snapshots.CorrectionsRow {
	b.corrections.Outcomes(func(c corrections.Correction, o corrections.Outcome) {
		if o != corrections.Applied {
			b.report.source(c.Source).fault(sources.Fault{Source: c.Source, Where: c.Kind + " " + c.Record,
				Code: sources.FaultCorrection,
				Detail: fmt.Sprintf(
					"the correction of %s is not applied (%s); look at it again and change or remove it", c.Field, o)})
		}
	})
	return b.correctionRows()
}

func (b *build) correctionRows() []snapshots.CorrectionsRow {
	var rows []snapshots.CorrectionsRow
	b.corrections.Outcomes(func(c corrections.Correction, o corrections.Outcome) {
		row := snapshots.CorrectionsRow{SourceKey: c.Source, Kind: c.Kind, Record: c.Record, Field: c.Field,
			Reason: c.Reason, DecidedBy: c.By, DecidedOn: day(c.Decided()), Outcome: string(o)}
		if slices.ContainsFunc(b.infos, func(i sources.Info) bool { return i.Key == c.Source && i.Terms.Republish }) {
			row.Old, row.New = &c.Old, &c.New
		}
		rows = append(rows, row)
	})
	return distinct("corrections", rows)
}

// mapPixels is the longer side of the map for which outlines are simplified.
const mapPixels = 600

// outlineRows returns the boroughs of the snapshot that have an outline from a source that may be
// republished.
func (b *build) outlineRows() ([]snapshots.OutlinesRow, error) {
	given := b.boundariesByCode()
	var rows []snapshots.OutlinesRow
	var shapes []orb.MultiPolygon
	for _, p := range b.servedBoroughs() {
		boundary, ok := given[p.Code]
		if !ok {
			continue
		}
		shape, err := outlines.Polygons(boundary)
		if err != nil {
			return nil, err
		}
		rows = append(rows, snapshots.OutlinesRow{Place: p.Place, Code: p.Code, SourceKey: boundary.Source})
		shapes = append(shapes, shape)
	}
	for i, simple := range outlines.Simplify(shapes, mapPixels) {
		if len(simple) > 0 { // else it has no area
			rows[i].Outline = outline.Text(simple)
		}
	}
	return slices.DeleteFunc(rows, func(r snapshots.OutlinesRow) bool { return r.Outline == "" }), nil
}

// boundariesByCode returns the boundaries that may be shown, by today's code of their area; of
// several of one area the first, which is that of the newest extract.
func (b *build) boundariesByCode() map[string]sources.Boundary {
	given := map[string]sources.Boundary{}
	for _, boundary := range b.in.boundaries {
		code := b.in.history.Same(boundary.Code)
		_, twice := given[code]
		open := slices.ContainsFunc(b.infos,
			func(i sources.Info) bool { return i.Key == boundary.Source && i.Terms.Republish })
		if open && !twice {
			given[code] = boundary
		}
	}
	return given
}
