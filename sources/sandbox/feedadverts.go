package sandbox

import (
	"fmt"

	"labour/sources"
)

type advertLine struct {
	ID          string      `json:"id"`
	From        string      `json:"imported_from,omitempty"`
	Unlisted    bool        `json:"unlisted,omitempty"`
	Employer    string      `json:"employer"`
	Title       string      `json:"title"`
	Requisition string      `json:"requisition,omitempty"`
	ApplyURL    string      `json:"apply_url,omitempty"`
	Link        string      `json:"link,omitempty"`
	Kind        string      `json:"kind"`
	Posted      string      `json:"posted_on"`
	Closes      string      `json:"closes_on,omitempty"`
	Boroughs    []string    `json:"boroughs,omitempty"`
	Locations   []string    `json:"locations,omitempty"`
	Nationwide  bool        `json:"nationwide,omitempty"`
	Sector      string      `json:"sector,omitempty"`
	SOC         string      `json:"soc,omitempty"`
	CourseLevel int         `json:"course_level,omitempty"`
	SalaryText  string      `json:"salary_text,omitempty"`
	Skills      []skillLine `json:"skills,omitempty"`
	Text        string      `json:"text"`
}

// writeAdverts writes the adverts of the platform by month.
func (w *World) writeAdverts(f *feed) error {
	for number := range w.adverts.own {
		v := w.vacancy(number)
		if err := f.put("adverts-"+v.posted.String()[:7]+".ndjson.zst", w.advertLine(v)); err != nil {
			return err
		}
	}
	return nil
}

// advertLine leaves out what platforms do not always know: the sector, the
// occupation, the list of skills.
func (w *World) advertLine(v *vacancy) advertLine {
	c := w.chance(streamRows + uint64(v.number))
	j := w.lists.jobs[v.job]
	line := advertLine{ID: v.id, From: string(v.origin), Unlisted: v.unlisted, Employer: w.employers[v.employer].name, Title: v.title,
		Requisition: v.requisition, ApplyURL: v.applyURL, Link: siteAddress + "/jobs/" + v.id, Kind: "job", Posted: v.posted.String(),
		Closes: v.closes.String(), Nationwide: v.nationwide, SalaryText: pay(v, j), CourseLevel: v.course, Text: plain(w.text(v))}
	if v.course > 0 || v.origin == sources.OriginApprenticeship {
		line.Kind = "apprenticeship"
	}
	if line.Kind == "job" && v.origin == sources.OriginPlatform && v.number%trainingEach == 0 {
		line.Kind, line.Title = "training", line.Title+" (training course)"
	}
	for _, b := range v.boroughs {
		line.Boroughs = append(line.Boroughs, w.borough(b).slug)
	}
	if v.place != "" {
		line.Locations = []string{v.place}
	}
	if c.one(0.85) {
		line.Sector = j.sector
	}
	if c.one(0.3) {
		line.SOC = j.soc
	}
	if c.one(0.92) {
		for _, a := range v.asked {
			s := skillLine{Skill: w.lists.skills[a.skill].slug}
			if a.stated {
				s.Level = a.level
			}
			line.Skills = append(line.Skills, s)
		}
	}
	return line
}

// trainingEach is how many of the platform's adverts there are to one that is for
// training.
const trainingEach = 20

// pathwayLine is a line of `pathways`.
type pathwayLine struct {
	ID        string         `json:"id"`
	Slug      string         `json:"slug"`
	Title     string         `json:"title"`
	Summary   string         `json:"summary"`
	Sector    string         `json:"sector"`
	Steps     []stepLine     `json:"steps"`
	Standards []standardLine `json:"apprenticeship_standards,omitempty"`
	Updated   string         `json:"updated_on"`
}

type stepLine struct {
	Order       int    `json:"order"`
	Title       string `json:"title"`
	Description string `json:"description"`
	SOC         string `json:"soc"`
	Level       int    `json:"level"`
}

type standardLine struct {
	Code  string `json:"code"`
	Title string `json:"title"`
	Level int    `json:"level"`
}

// writePathways makes one pathway per sector out of its jobs, from the lowest pay
// to the highest.
func (w *World) writePathways(f *feed) error {
	sectors, _ := w.sectors(func(job) bool { return true })
	for i, sector := range sectors {
		p := pathwayLine{ID: fmt.Sprintf("pw-%d", i+1), Slug: "into-" + sector, Title: "Into " + words(sector), Sector: sector,
			Summary: "From a first job to a senior one in " + words(sector) + ".", Updated: w.asOf.AddDays(-20 * (i + 1)).String()}
		for n, j := range w.ladder(sector) {
			p.Steps = append(p.Steps, stepLine{Order: n + 1, Title: j.titles[0], SOC: j.soc, Level: min(n+2, 7),
				Description: fmt.Sprintf("Paid from about £%s a year.", thousands(j.low*1000))})
			if j.course > 0 {
				p.Standards = append(p.Standards, standardLine{Code: fmt.Sprintf("SB%04d", 100*(i+1)+n), Title: j.titles[0], Level: j.course})
			}
		}
		if err := f.put("pathways.ndjson", p); err != nil {
			return err
		}
	}
	return nil
}

// developmentLine is a line of `s106`.
type developmentLine struct {
	ID             string `json:"id"`
	Borough        string `json:"borough"`
	Obligations    int    `json:"obligations"`
	Jobs           int    `json:"jobs_created"`
	Apprentices    int    `json:"apprenticeships_started"`
	LocalPeople    int    `json:"local_people_employed"`
	TrainingPlaces int    `json:"training_places"`
	Pounds         int    `json:"contributions_gbp"`
}

func (w *World) writeDevelopments(f *feed) error {
	c := w.chance(streamRest)
	n := 0
	for i := range w.lists.boroughs {
		for range c.between(1, 4) {
			n++
			d := developmentLine{ID: fmt.Sprintf("site-%03d", n), Borough: w.borough(i).slug, Obligations: c.between(1, 9),
				Jobs: c.between(0, 120), Apprentices: c.between(0, 18), TrainingPlaces: c.between(0, 60), Pounds: 5000 * c.between(2, 160)}
			d.LocalPeople = int(float64(d.Jobs) * c.Float64() * 0.4)
			if err := f.put("s106.ndjson", d); err != nil {
				return err
			}
		}
	}
	return nil
}
