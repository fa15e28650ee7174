package disclosure

import (
	"fmt"
	"math/rand/v2"
)

// made is a made-up skill of one month: its adverts, and people who applied to them.
type made struct {
	rules *Rules
	skill *Skill
	areas []Area
}

// world makes a skill with a number of boroughs, occupations, adverts and people. Every
// person applied to an advert.
func world(seed uint64, boroughs, socs, adverts, people int) made {
	r := rand.New(rand.NewPCG(seed, 7))
	var slugs []string
	for b := range boroughs {
		slugs = append(slugs, fmt.Sprintf("borough-%02d", b))
	}
	var areas []Area
	if boroughs >= 3 {
		areas = []Area{{"north", slugs[:boroughs/2]}, {"centre", slugs[boroughs/3 : boroughs*2/3+1]}}
	}
	s := &Skill{Names: Names{Sectors: []string{"", "care", "digital", "build", "retail", "science"}, Sources: []string{"", "platform", "boards"}}, Month: MonthOf(2026, 10)}
	for range adverts {
		soc := 1111 + r.IntN(socs)*17
		c := Combination{Borough: uint16(r.IntN(boroughs + 1)), Sector: uint16(1 + soc%5), SOC: ParseSOC(fmt.Sprint(soc)), Level: uint8(1 + r.IntN(5)), Source: 1}
		if r.IntN(8) == 0 {
			c.Sector = uint16(r.IntN(6))
		}
		if r.IntN(10) == 0 {
			c.SOC = c.SOC.group()
		}
		s.Asked = append(s.Asked, c)
	}
	for i := range people {
		at := r.Float64()
		s.People = append(s.People, Person{Combination: s.Asked[int(at*at*float64(adverts))], Kind: Kind(r.IntN(3)), Had: r.IntN(2) == 0,
			Age: uint8(r.IntN(24)), Employer: uint32(i % 7)})
	}
	return made{&Rules{Protection: Rounded, Places: NewPlaces(slugs, areas)}, s, areas}
}
