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

// Notes counts the texts of a run that could not be coded: places, and job titles whose occupation
// is unknown or uncertain. It also counts the skills found in each sector. It contains employers'
// texts and must not be published.
type Notes struct {
	Places  []UncodedPlace `json:"places"`
	Uncoded []UncodedTitle `json:"uncoded_titles"`
	// job titles with an uncertain occupation: coded to 3 or 2 digits, or with a confidence below
	// 0.6
	Doubted []UncodedTitle `json:"doubted_titles"`
	// counts of adverts and skills, by slug of the sector; "" = sector not known
	Sectors map[string]SectorCounts `json:"sectors"`

	places map[UncodedPlace]int
	titles map[string]*UncodedTitle
}

// UncodedPlace is a location text that could not be coded, and the reason. Adverts is the number of
// adverts with this text.
type UncodedPlace struct {
	Text    string                `json:"text"`
	Why     place.NoCouncilReason `json:"why"`
	Adverts int                   `json:"adverts"`
}

// UncodedTitle is a job title whose occupation is unknown or uncertain. Adverts is the number of
// adverts with this title.
type UncodedTitle struct {
	Title      string  `json:"title"`
	Adverts    int     `json:"adverts"`
	SOC        string  `json:"soc,omitempty"`
	Confidence float64 `json:"confidence,omitempty"`
}

// SectorCounts counts the adverts of a sector, the skills that they require and the adverts without
// a text.
type SectorCounts struct {
	Adverts int `json:"adverts"`
	Skills  int `json:"skills"`
	NoText  int `json:"no_text"`
}

// certainConfidence is the smallest confidence, 0 to 1, at which an occupation counts as certain.
const certainConfidence = 0.6

const (
	// maxNotedPlaces is the largest number of uncoded location texts that are counted.
	maxNotedPlaces = 50_000
	// maxNotedTitles is the largest number of uncoded or uncertain job titles that are counted.
	maxNotedTitles = 1 << 17
	// maxListedTitles is the largest number of uncoded job titles that WriteFile writes. The same
	// limit applies to uncertain job titles.
	maxListedTitles = 500
)

// Add adds the texts of the advert a that could not be coded to the notes. c has the codes of the
// advert. If the advert is not known to be in the United Kingdom, Add considers only its place.
func (n *Notes) Add(a *sources.Advert, c *CodedAdvert) {
	if why, wording := c.Place.WhyNoCouncil(a); why != "" {
		if n.places == nil {
			n.places = map[UncodedPlace]int{}
		}
		key := UncodedPlace{Text: wording, Why: why}
		if n.places[key] > 0 || len(n.places) < maxNotedPlaces {
			n.places[key]++
		}
	}
	if c.Place.Country != place.CountryUK {
		return
	}
	if n.Sectors == nil {
		n.Sectors, n.titles = map[string]SectorCounts{}, map[string]*UncodedTitle{}
	}
	s := n.Sectors[c.Sector]
	s.Adverts++
	s.Skills += len(c.Skills)
	if !c.Readable {
		s.NoText++
	}
	n.Sectors[c.Sector] = s
	surelyCoded := len(c.SOC) == 4 && c.Title.Confidence >= certainConfidence
	codedWithoutTitle := c.SOC != "" && c.Title.SOC == ""
	if surelyCoded || codedWithoutTitle {
		return
	}
	t := n.titles[a.Title]
	if t == nil {
		if len(n.titles) == maxNotedTitles {
			return
		}
		t = &UncodedTitle{Title: a.Title, SOC: c.SOC, Confidence: c.Title.Confidence}
		n.titles[a.Title] = t
	}
	t.Adverts++
}

// WriteFile writes the notes to a JSON file, with the most frequent texts first. The file contains
// employers' texts and must not be published.
func (n *Notes) WriteFile(path string) error {
	for p, adverts := range n.places {
		p.Adverts = adverts
		n.Places = append(n.Places, p)
	}
	slices.SortFunc(n.Places, func(a, b UncodedPlace) int {
		return cmp.Or(cmp.Compare(b.Adverts, a.Adverts), cmp.Compare(a.Why, b.Why), cmp.Compare(a.Text, b.Text))
	})
	for _, t := range n.titles {
		if t.SOC == "" {
			n.Uncoded = append(n.Uncoded, *t)
		} else {
			n.Doubted = append(n.Doubted, *t)
		}
	}
	for _, list := range []*[]UncodedTitle{&n.Uncoded, &n.Doubted} {
		slices.SortFunc(*list, func(a, b UncodedTitle) int {
			return cmp.Or(cmp.Compare(b.Adverts, a.Adverts), cmp.Compare(a.Title, b.Title))
		})
		*list = (*list)[:min(len(*list), maxListedTitles)]
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

// ReadNotes reads a file that WriteFile wrote. If the file does not exist, it returns empty notes.
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
