package embargoed

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"labour/pipeline/cells"
	"labour/pipeline/tablewriter"
	"labour/snapshots/parquetio"
	"labour/sources"
	"labour/sources/boundaries"
)

// withinKM are the distances from a ward, in kilometres, within which the dataset reach counts
// vacancies.
var withinKM = []int16{5, 10, 20}

// workplaceRow is a row of the query workplaces: one place of work of a live vacancy. A vacancy may
// have several rows.
type workplaceRow struct {
	Vacancy   int32  `col:"vacancy"`
	Employer  int32  `col:"employer"`
	SourceKey string `col:"source_key"`
	// ONS code of the council in which the work is; empty if the advert states a point
	Council   string  `col:"council"`
	Latitude  float64 `col:"latitude"`  // degrees
	Longitude float64 `col:"longitude"` // degrees
}

// nearWardRow is the number of live vacancies and employers within one distance of a ward. It is an
// input of the query reach. The query leaves out rows with too few vacancies or employers.
type nearWardRow struct {
	Ward                     string `col:"ward_code"`
	Name                     string `col:"ward_name"`
	Council                  string `col:"council_code"`
	WithinKM                 int16  `col:"within_km"`
	Vacancies                int32  `col:"vacancies"`
	VacanciesPlacedByCouncil int32  `col:"vacancies_placed_by_council"`
	Employers                int32  `col:"employers"`
	SourceKeys               string `col:"source_keys"`
}

// addNearWards counts the live vacancies near each ward. It makes the counts available to the query
// reach, as the view vacancies_near_wards. outlines are the outlines of councils.
func addNearWards(ctx context.Context, w *tablewriter.Writer, wards []sources.Ward,
	outlines []sources.Boundary) error {
	file, err := w.RunQuery(ctx, cells.QueryWorkplaces)
	if err != nil {
		return err
	}
	workplaces, err := parquetio.ReadAll[workplaceRow](file)
	if err != nil {
		return fmt.Errorf("places of work of the dataset reach: %w", err)
	}
	near := countNearWards(wards, groupByVacancy(workplaces, councilMiddles(outlines)))
	return tablewriter.AddRowsAsView(ctx, w, "vacancies_near_wards", near)
}

// councilMiddles returns the centroids of the councils by ONS code. It leaves out councils without
// a valid outline.
func councilMiddles(outlines []sources.Boundary) map[string]orb.Point {
	middles := map[string]orb.Point{}
	for _, o := range outlines {
		shape, err := boundaries.Parse(o)
		if err != nil {
			continue // a fault of the source, which the coding of places reports
		}
		if middle, area := planar.CentroidArea(shape); area != 0 {
			middles[o.Code] = middle
		}
	}
	return middles
}

// workplace is a place of work on the map: a point, or the centroid of a council.
type workplace struct {
	latitude, longitude float64 // degrees
	isCouncil           bool    // whether it is the middle of a council, because the advert states no point
}

// locatedVacancy is a live vacancy and its places of work.
type locatedVacancy struct {
	employer   int32
	sourceKey  string
	workplaces []workplace
}

// groupByVacancy returns the vacancies with their places of work. The rows must be sorted by
// vacancy. If a row has a council, the place of work is the centroid of the council. middles has
// the centroids by ONS code; a council that is not in middles is left out.
func groupByVacancy(rows []workplaceRow, middles map[string]orb.Point) []locatedVacancy {
	var vacancies []locatedVacancy
	for i, r := range rows {
		if i == 0 || r.Vacancy != rows[i-1].Vacancy {
			vacancies = append(vacancies, locatedVacancy{employer: r.Employer, sourceKey: r.SourceKey})
		}
		at := workplace{r.Latitude, r.Longitude, false}
		if r.Council != "" {
			middle, known := middles[r.Council]
			if !known {
				continue
			}
			at = workplace{middle.Lat(), middle.Lon(), true}
		}
		v := &vacancies[len(vacancies)-1]
		v.workplaces = append(v.workplaces, at)
	}
	return vacancies
}

// countNearWards counts the vacancies within each distance of each ward. It ignores a second ward
// with the same code.
func countNearWards(wards []sources.Ward, vacancies []locatedVacancy) []nearWardRow {
	var rows []nearWardRow
	met := map[string]bool{}
	for _, w := range wards {
		if !met[w.Code] {
			met[w.Code] = true
			rows = append(rows, countNearWard(w, vacancies)...)
		}
	}
	return rows
}

// nearbyVacancies counts the vacancies in one ring around a ward. The ring is between one distance
// and the next shorter one.
type nearbyVacancies struct {
	vacancies, placedByCouncil int32
	employers                  map[int32]bool
	sourceKeys                 map[string]bool
}

// countNearWard counts the vacancies within each distance of a ward. A vacancy in several places
// counts once, at its nearest place.
func countNearWard(w sources.Ward, vacancies []locatedVacancy) []nearWardRow {
	rings := make([]nearbyVacancies, len(withinKM))
	for i := range rings {
		rings[i] = nearbyVacancies{employers: map[int32]bool{}, sourceKeys: map[string]bool{w.Source: true}}
	}
	for _, v := range vacancies {
		millimetres, isCouncil := v.nearest(w)
		ring := slices.IndexFunc(withinKM, func(km int16) bool { return millimetres <= int64(km)*1_000_000 })
		if ring < 0 {
			continue
		}
		r := &rings[ring]
		r.vacancies++
		if isCouncil {
			r.placedByCouncil++
		}
		r.employers[v.employer] = true
		r.sourceKeys[v.sourceKey] = true
	}
	return sumRings(w, rings)
}

// sumRings returns the numbers of vacancies and employers within each distance of a ward. Each
// element of rings has the vacancies between one distance and the next shorter one. A result is the
// sum of all rings up to its distance.
func sumRings(w sources.Ward, rings []nearbyVacancies) []nearWardRow {
	var rows []nearWardRow
	within := rings[0]
	for i, r := range rings {
		if i > 0 {
			within.vacancies += r.vacancies
			within.placedByCouncil += r.placedByCouncil
			maps.Copy(within.employers, r.employers)
			maps.Copy(within.sourceKeys, r.sourceKeys)
		}
		rows = append(rows, nearWardRow{Ward: w.Code, Name: w.Name, Council: w.Council, WithinKM: withinKM[i],
			Vacancies: within.vacancies, VacanciesPlacedByCouncil: within.placedByCouncil,
			Employers:  int32(len(within.employers)),
			SourceKeys: strings.Join(slices.Sorted(maps.Keys(within.sourceKeys)), ",")})
	}
	return rows
}

// nearest returns the distance from a ward's centre to the vacancy's nearest place of work, in
// millimetres. isCouncil is true if that place is the centroid of a council. The distance is
// math.MaxInt64 if every place is too far away to count.
func (v *locatedVacancy) nearest(w sources.Ward) (millimetres int64, isCouncil bool) {
	millimetres = math.MaxInt64
	for _, p := range v.workplaces {
		if mayReach(w, p) {
			d := distance(w, p)
			if d < millimetres || d == millimetres && !p.isCouncil {
				millimetres, isCouncil = d, p.isCouncil
			}
		}
	}
	return millimetres, isCouncil
}

// degreesLatitude is the longest counted distance, 20 km, in degrees of latitude. It is rounded up:
// a degree is more than 110 km.
const degreesLatitude = 20. / 110

// mayReach reports whether a place of work may be within 20 km of a ward. It compares only degrees,
// which is much faster than computing the distance.
func mayReach(w sources.Ward, p workplace) bool {
	if math.Abs(p.latitude-w.Latitude) > degreesLatitude {
		return false
	}
	farthestFromEquator := math.Abs(w.Latitude) + degreesLatitude
	return math.Abs(p.longitude-w.Longitude)*math.Cos(radians(farthestFromEquator)) <= degreesLatitude
}

// distance returns the great-circle distance between a ward's centre and a place of work, in
// millimetres. It uses the haversine formula on a sphere with a radius of 6,378.137 km, with an
// error of at most 0.6 per cent. Whole millimetres make comparisons exact.
func distance(w sources.Ward, p workplace) int64 {
	latitudes := math.Sin(radians(p.latitude-w.Latitude) / 2)
	longitudes := math.Sin(radians(p.longitude-w.Longitude) / 2)
	haversine := latitudes*latitudes +
		math.Cos(radians(p.latitude))*math.Cos(radians(w.Latitude))*longitudes*longitudes
	return int64(math.Round(2 * orb.EarthRadius * 1000 * math.Atan2(math.Sqrt(haversine), math.Sqrt(1-haversine))))
}

func radians(degrees float64) float64 { return degrees * math.Pi / 180 }
