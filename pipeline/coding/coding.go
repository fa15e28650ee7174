// Package coding turns an advert's wording into codes: where the work is, its occupation and
// sector, and the skills that it asks for with their levels. An advert that cannot be coded stays
// unknown, and the share of unknowns is reported per source.
//
// The parts are packages of their own: place, occupation, sector and skill. A publisher's own code
// is used if it is valid; only otherwise is the wording read.
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
	"labour/sources"
)

// Registers are the lists that adverts are coded against.
type Registers struct {
	Skills      *skill.Register
	Occupations *occupation.Register
	Sectors     *sector.Register
}

// The registers that the program carries never change, so each is read once.
var (
	ownSkills      = sync.OnceValues(skill.Load)
	ownOccupations = sync.OnceValues(occupation.Load)
	ownSectors     = sync.OnceValue(sector.Load)
)

// LoadRegisters reads the registers that are embedded in the program, in parallel. A non-nil skills
// is the operator's own register of skills and replaces the embedded one.
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

// Coder codes adverts against the registers and one edition of the geography. It is
// not for use by several goroutines.
type Coder struct {
	Registers
	Places *place.Gazetteer

	titles  map[string]occupation.Coding // of titles that are enough by themselves
	places  place.Memory
	scratch skill.Scratch
	found   []skill.Found
	asked   []SkillLevel
}

// titlesKept bounds the titles whose occupation is remembered: employers word the
// same post the same way, again and again.
const titlesKept = 1 << 15

// SkillLevel is one skill that an advert asks for, with its level.
type SkillLevel struct {
	Skill  string
	Number int16       // of the skill, as skill.Register.Number
	Level  skill.Level // stated, 1 to 5; 0 = not stated, and of every licence
}

// Advert is the result of coding one advert.
type Advert struct {
	Place  place.Coding
	SOC    string // group of SOC 2020 of 4, 3 or 2 digits; "" = not known
	Sector string // slug; "" = not known
	Skills []SkillLevel
	// Readable reports whether the advert has a text or a list of skills. Another one has no
	// information about skills: it is no part of their shares.
	Readable bool
	// Title is how the title was coded; nothing where the publisher states the occupation.
	Title occupation.Coding
}

// Code codes one advert.
func (c *Coder) Code(a *sources.Advert) Advert {
	out := Advert{Place: c.Places.Code(a, &c.places), Readable: strings.TrimSpace(a.Text) != "" || len(a.Wanted) > 0}
	if out.SOC = a.SOC; len(a.SOC) != 4 || !c.Occupations.Valid(a.SOC) {
		out.Title = c.occupation(a)
		out.SOC = out.Title.SOC
	}
	out.Sector = c.sector(a, out.SOC)
	if out.Readable {
		out.Skills = c.skills(a)
	}
	return out
}

// occupation codes the title, and reads the rest of the advert if the title is not enough.
func (c *Coder) occupation(a *sources.Advert) occupation.Coding {
	coding, known := c.titles[a.Title]
	if !known {
		coding = c.Occupations.Code(a.Title)
		if c.titles == nil || len(c.titles) == titlesKept {
			c.titles = map[string]occupation.Coding{}
		}
		c.titles[strings.Clone(a.Title)] = coding
	}
	if coding.MatchedBy == occupation.ByWords || coding.SOC == "" {
		return c.Occupations.CodeIn(a.Title, occupation.Context{Text: a.Text, Department: a.Department,
			Employer: a.Employer})
	}
	return coding
}

// sector returns the sector of the route that the publisher states, otherwise of the occupation's
// route.
func (c *Coder) sector(a *sources.Advert, soc string) string {
	if slug, ok := c.Sectors.ByRoute(a.Route); ok {
		return slug
	}
	slug, _ := c.Sectors.BySOC(soc)
	return slug
}

// skills merges the skills that the publisher lists with those that the text asks for; the highest
// stated level counts. The level of an apprenticeship is what is learnt in it and not what is asked
// for.
func (c *Coder) skills(a *sources.Advert) []SkillLevel {
	c.found = c.Skills.RecogniseInto(c.found[:0], &c.scratch, a.Title, a.Text)
	c.asked = c.asked[:0]
	for i := range a.Wanted {
		if n, ok := c.Skills.Number(a.Wanted[i].Skill); ok {
			c.asked = append(c.asked, SkillLevel{c.Skills.Slug(n), int16(n), c.statedLevel(n, a.Wanted[i].Level)})
		}
	}
	for _, f := range c.found {
		c.asked = append(c.asked, SkillLevel{f.Skill, int16(f.Number), f.Level})
	}
	slices.SortFunc(c.asked,
		func(x, y SkillLevel) int { return cmp.Or(int(x.Number)-int(y.Number), int(y.Level)-int(x.Level)) })
	distinct := slices.CompactFunc(c.asked, func(x, y SkillLevel) bool { return x.Number == y.Number })
	return append([]SkillLevel{}, distinct...)
}

// statedLevel returns the level that a publisher states with a skill. For a licence it is "held",
// whatever is stated.
func (c *Coder) statedLevel(number, level int) skill.Level {
	if level < 1 || level > 5 || c.Skills.IsLicence(number) {
		return skill.Unknown
	}
	return skill.Level(level)
}

// Explain returns the skills that the title and text of an advert ask for, each with the wording
// that matched.
func (c *Coder) Explain(a *sources.Advert) []skill.Found {
	return c.Skills.RecogniseInto(nil, &skill.Scratch{}, a.Title, a.Text)
}
