// Package coding assigns codes to job adverts: place of work, occupation, sector, and required
// skills with their levels. If the publisher states a valid code, that is used. Otherwise the words
// of the advert decide. An advert that cannot be coded stays unknown.
//
// The subpackages place, occupation, sector and skill do the work.
package coding

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"labour/pipeline/coding/occupation"
	"labour/pipeline/coding/place"
	"labour/pipeline/coding/sector"
	"labour/pipeline/coding/skill"
	"labour/snapshots/figure"
	"labour/sources"
)

// Registers holds the lists of skills, occupations and sectors whose codes adverts are given.
type Registers struct {
	Skills      *skill.Register
	Occupations *occupation.Register
	Sectors     *sector.Register
}

var (
	// ownSkills returns the built-in list of skills. The first call reads it.
	ownSkills = sync.OnceValues(skill.Load)
	// ownOccupations returns the built-in list of occupations. The first call reads it.
	ownOccupations = sync.OnceValues(occupation.Load)
	// ownSectors returns the built-in list of sectors. The first call reads it.
	ownSectors = sync.OnceValue(sector.Load)
)

// ErrorRates returns the error rates of recognising skills in adverts, 0 to 1. They were measured
// on adverts that people had labelled.
func ErrorRates() *figure.CodingErrors {
	return &figure.CodingErrors{RandomError: skill.RandomErrorRate, SystematicError: skill.SystematicErrorRate}
}

// LoadRegisters returns the built-in lists of skills, occupations and sectors. If skills is not
// nil, it is used instead of the built-in list of skills.
func LoadRegisters(skills *skill.Register) (Registers, error) {
	r := Registers{Skills: skills}
	var errs [2]error
	var reading sync.WaitGroup
	if skills == nil {
		reading.Go(func() { r.Skills, errs[0] = ownSkills() })
	}
	reading.Go(func() { r.Occupations, errs[1] = ownOccupations() })
	reading.Go(func() { r.Sectors = ownSectors() })
	reading.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		return Registers{}, fmt.Errorf("load registers: %w", err)
	}
	return r, nil
}

// Coder assigns a place, occupation, sector and skills to adverts. Only one goroutine at a time may
// use it.
type Coder struct {
	Registers
	Gazetteer *place.Gazetteer

	// cache of the occupations that were found by the job title alone, by title
	titles      map[string]occupation.Coding
	places      place.LocationCache
	scratch     skill.MatchBuffers
	foundSkills []skill.FoundSkill
	skillLevels []SkillLevel
}

// maxCachedTitles is the largest number of job titles in the cache of occupations. The cache helps
// because many adverts have the same title.
const maxCachedTitles = 1 << 15

// SkillLevel is a skill that an advert requires, and the required level.
type SkillLevel struct {
	Skill string
	// index of the skill in the list of skills, as skill.Register.FindIndexByLabel returns it
	Number int16
	// level that the advert states, 1 to 5; 0 = not stated, or the skill is a licence
	Level skill.Level
}

// CodedAdvert holds the codes of one advert: its place, occupation, sector and skills.
type CodedAdvert struct {
	Place  place.Coding
	SOC    string // SOC 2020 code of 4, 3 or 2 digits; "" = not known
	Sector string // slug of the sector, such as digital; "" = not known
	Skills []SkillLevel
	// Readable is true if the advert has a text or a list of skills. Other adverts are not counted
	// in shares of skills.
	Readable bool
	// Title is the occupation that was found by the job title and, if the title is ambiguous, by
	// other texts of the advert. It is zero if the publisher states the occupation.
	Title occupation.Coding
}

// CodeAdvert assigns a place, occupation, sector and skills to one advert.
func (c *Coder) CodeAdvert(a *sources.Advert) CodedAdvert {
	out := CodedAdvert{Place: c.Gazetteer.CodeAdvert(a, &c.places), Readable: strings.TrimSpace(a.Text) != "" ||
		len(a.Wanted) > 0}
	if out.SOC = a.SOC; len(a.SOC) != 4 || !c.Occupations.IsGroup(a.SOC) {
		out.Title = c.occupation(a)
		out.SOC = out.Title.SOC
	}
	out.Sector = c.sector(a, out.SOC)
	if out.Readable {
		out.Skills = c.skills(a)
	}
	return out
}

// occupation returns the occupation of an advert. It uses the title. If the title is ambiguous, it
// also uses the text, the department and the employer.
func (c *Coder) occupation(a *sources.Advert) occupation.Coding {
	coding, known := c.titles[a.Title]
	if !known {
		coding = c.Occupations.CodeTitle(a.Title)
		if c.titles == nil || len(c.titles) == maxCachedTitles {
			c.titles = map[string]occupation.Coding{}
		}
		c.titles[strings.Clone(a.Title)] = coding
	}
	if coding.MatchedBy == occupation.MatchWordScores || coding.SOC == "" {
		return c.Occupations.CodeTitleInContext(a.Title, occupation.AdvertContext{Text: a.Text, Department: a.Department,
			Employer: a.Employer})
	}
	return coding
}

// sector returns the slug of the advert's sector, or "" if it is unknown. Sectors are the fifteen
// apprenticeship routes. A known route that the publisher states takes precedence over the route of
// the occupation code soc.
func (c *Coder) sector(a *sources.Advert, soc string) string {
	if slug, ok := c.Sectors.SlugOfRoute(a.Route); ok {
		return slug
	}
	slug, _ := c.Sectors.SlugOfSOC(soc)
	return slug
}

// skills returns the skills that the publisher lists or the text requires, in the order of the
// register. Each has the highest level that is stated for it.
func (c *Coder) skills(a *sources.Advert) []SkillLevel {
	c.foundSkills = c.Skills.AppendRequiredSkills(c.foundSkills[:0], &c.scratch, a.Title, a.Text)
	c.skillLevels = c.skillLevels[:0]
	for i := range a.Wanted {
		if n, ok := c.Skills.FindIndexByLabel(a.Wanted[i].Skill); ok {
			c.skillLevels = append(c.skillLevels, SkillLevel{c.Skills.Slug(n), int16(n), c.statedLevel(n, a.Wanted[i].Level)})
		}
	}
	for _, f := range c.foundSkills {
		c.skillLevels = append(c.skillLevels, SkillLevel{f.Skill, int16(f.Index), f.Level})
	}
	slices.SortFunc(c.skillLevels,
		func(x, y SkillLevel) int { return cmp.Or(int(x.Number)-int(y.Number), int(y.Level)-int(x.Level)) })
	distinct := slices.CompactFunc(c.skillLevels, func(x, y SkillLevel) bool { return x.Number == y.Number })
	return append([]SkillLevel{}, distinct...)
}

// statedLevel returns level, a number from a publisher, as the level of the skill with the index
// number in the list of skills. It returns LevelUnknown if the level is not 1 to 5. It also returns
// LevelUnknown for a licence, because licences have no levels.
func (c *Coder) statedLevel(number, level int) skill.Level {
	if level < 1 || level > 5 || c.Skills.IsLicence(number) {
		return skill.LevelUnknown
	}
	return skill.Level(level)
}

// ExplainSkills returns the skills that an advert's title and text require. Each comes with the
// words that matched.
func (c *Coder) ExplainSkills(a *sources.Advert) []skill.FoundSkill {
	return c.Skills.AppendRequiredSkills(nil, &skill.MatchBuffers{}, a.Title, a.Text)
}
