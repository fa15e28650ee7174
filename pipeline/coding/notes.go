package coding

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"labour/pipeline/coding/place"
	"labour/sources"
)

// Notes counts what a run could not code well: places without a council, titles without an
// occupation, and titles with an uncertain occupation. It also counts the skills in the adverts of
// each sector. The wordings are the employers' and stay in the protected zone.
type Notes struct {
	Places  []PlaceNote           `json:"places"`
	Uncoded []TitleNote           `json:"uncoded_titles"`
	Doubted []TitleNote           `json:"doubted_titles"` // coded to 3 or 2 digits, or with a confidence below surely
	Sectors map[string]SectorNote `json:"sectors"`        // by slug; "" = not known

	places map[PlaceNote]int
	titles map[string]*TitleNote
}

// PlaceNote is a wording of a place that was not coded, with the reason and the number of adverts
// that have it.
type PlaceNote struct {
	Text    string     `json:"text"`
	Why     place.Miss `json:"why"`
	Adverts int        `json:"adverts"`
}

// TitleNote is a title that was not coded well, with the number of adverts that have it.
type TitleNote struct {
	Title      string  `json:"title"`
	Adverts    int     `json:"adverts"`
	SOC        string  `json:"soc,omitempty"`
	Confidence float64 `json:"confidence,omitempty"`
}

// SectorNote is the number of skills that were found in the adverts of a sector.
type SectorNote struct {
	Adverts int `json:"adverts"`
	Skills  int `json:"skills"`
	NoText  int `json:"no_text"`
}

// surely is the confidence from which an occupation does not count as uncertain.
const surely = 0.6

// placesNoted and titlesNoted limit the different wordings and titles that are counted.
// titlesListed limits the titles of each kind that are kept.
const (
	placesNoted  = 50_000
	titlesNoted  = 1 << 17
	titlesListed = 500
)

// Add records one coded advert: always its place, and the rest only for an advert in the United
// Kingdom.
func (n *Notes) Add(a *sources.Advert, c *Advert) {
	if why, wording := c.Place.Missed(a); why != "" {
		if n.places == nil {
			n.places = map[PlaceNote]int{}
		}
		key := PlaceNote{Text: wording, Why: why}
		if n.places[key] > 0 || len(n.places) < placesNoted {
			n.places[key]++
		}
	}
	if c.Place.Country != place.InUK {
		return
	}
	if n.Sectors == nil {
		n.Sectors, n.titles = map[string]SectorNote{}, map[string]*TitleNote{}
	}
	s := n.Sectors[c.Sector]
	s.Adverts++
	s.Skills += len(c.Skills)
	if !c.Readable {
		s.NoText++
	}
	n.Sectors[c.Sector] = s
	if c.SOC != "" && (c.Title.SOC == "" || len(c.SOC) == 4 && c.Title.Confidence >= surely) {
		return
	}
	t := n.titles[a.Title]
	if t == nil {
		if len(n.titles) == titlesNoted {
			return
		}
		t = &TitleNote{Title: a.Title, SOC: c.SOC, Confidence: c.Title.Confidence}
		n.titles[a.Title] = t
	}
	t.Adverts++
}

// WriteFile writes the notes to a file of the protected zone, the most frequent first.
func (n *Notes) WriteFile(path string) error {
	for p, adverts := range n.places {
		p.Adverts = adverts
		n.Places = append(n.Places, p)
	}
	slices.SortFunc(n.Places, func(a, b PlaceNote) int {
		return cmp.Or(cmp.Compare(b.Adverts, a.Adverts), cmp.Compare(a.Why, b.Why), cmp.Compare(a.Text, b.Text))
	})
	for _, t := range n.titles {
		if t.SOC == "" {
			n.Uncoded = append(n.Uncoded, *t)
		} else {
			n.Doubted = append(n.Doubted, *t)
		}
	}
	for _, list := range []*[]TitleNote{&n.Uncoded, &n.Doubted} {
		slices.SortFunc(*list, func(a, b TitleNote) int {
			return cmp.Or(cmp.Compare(b.Adverts, a.Adverts), cmp.Compare(a.Title, b.Title))
		})
		*list = (*list)[:min(len(*list), titlesListed)]
	}
	b, err := json.MarshalIndent(n, "", "  ")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o700)
	}
	if err == nil {
		err = os.WriteFile(path, append(b, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("write the notes on coding: %w", err)
	}
	return nil
}

// ReadNotes reads the file of WriteFile. The result is empty if no run has written it.
func ReadNotes(path string) (*Notes, error) {
	var n Notes
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &n, nil
	}
	if err == nil {
		err = json.Unmarshal(b, &n)
	}
	if err != nil {
		return nil, fmt.Errorf("read the notes on coding: %w", err)
	}
	return &n, nil
}
