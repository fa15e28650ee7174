package place

import "strings"

// Memory is the readings of texts that one gazetteer read: employers word the same
// place the same way, again and again. The zero value is ready; one Memory serves one
// goroutine at a time.
type Memory struct{ texts [2]map[string]reading } // without and with a British advert

// textsKept bounds the texts that are remembered.
const textsKept = 1 << 13

// text is g.read, once of each text.
func (m *Memory) text(g *Gazetteer, s string, british bool) reading {
	if s == "" {
		return reading{}
	}
	kept := &m.texts[0]
	if british {
		kept = &m.texts[1]
	}
	if r, known := (*kept)[s]; known {
		return r
	}
	r := g.read(s, british)
	if *kept == nil || len(*kept) == textsKept {
		*kept = map[string]reading{}
	}
	(*kept)[strings.Clone(s)] = r
	return r
}
