package place

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"labour/sources"
)

// Miss is why a place was not coded to a council.
type Miss string

// The reasons.
const (
	MissedCountry Miss = "country not known"
	MissedPlace   Miss = "not placed"
	Ambiguous     Miss = "ambiguous"
)

// Missed is a wording that was not coded, with how many adverts have it.
type Missed struct {
	Adverts int
	Why     Miss
	Text    string
}

// missedKept bounds the wordings that are counted; the rest is not.
const missedKept = 50_000

// MissedPlaces counts the wordings of places that were not coded to a council. Areas and
// places abroad are coded. The zero value is ready.
type MissedPlaces struct{ counts map[Missed]int } // Adverts of the key is 0

// Add counts the place of an advert, if it was not coded.
func (m *MissedPlaces) Add(a *sources.Advert, c *Coding) {
	var why Miss
	switch {
	case c.Country == Unknown:
		why = MissedCountry
	case len(c.Either) > 0:
		why = Ambiguous
	case c.Country == InUK && c.Placed == Nowhere:
		why = MissedPlace
	default:
		return
	}
	key := Missed{Why: why, Text: wording(a)}
	if m.counts == nil {
		m.counts = map[Missed]int{}
	}
	if _, known := m.counts[key]; known || len(m.counts) < missedKept {
		m.counts[key]++
	}
}

// wording is the locations of an advert on one line.
func wording(a *sources.Advert) string {
	var texts []string
	for _, l := range a.Locations {
		if text := strings.Join(strings.Fields(cmp.Or(l.Text, l.Slug, l.Postcode)), " "); text != "" {
			texts = append(texts, strings.ToValidUTF8(text[:min(len(text), longestText)], ""))
		}
	}
	return strings.Join(texts, "; ")
}

// List returns the wordings, the commonest first.
func (m *MissedPlaces) List() []Missed {
	list := make([]Missed, 0, len(m.counts))
	for key, n := range maps.All(m.counts) {
		key.Adverts = n
		list = append(list, key)
	}
	slices.SortFunc(list, func(a, b Missed) int {
		return cmp.Or(cmp.Compare(b.Adverts, a.Adverts), cmp.Compare(a.Why, b.Why), cmp.Compare(a.Text, b.Text))
	})
	return list
}

// WriteFile writes the wordings to a file of the protected zone: they are what employers wrote.
func (m *MissedPlaces) WriteFile(path string) error {
	var b strings.Builder
	for _, x := range m.List() {
		fmt.Fprintf(&b, "%d\t%s\t%s\n", x.Adverts, x.Why, x.Text)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("write the places that were not coded: %w", err)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		return fmt.Errorf("write the places that were not coded: %w", err)
	}
	return nil
}

// ReadMissed reads what WriteFile wrote; nothing where no run has written it.
func ReadMissed(path string) ([]Missed, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the places that were not coded: %w", err)
	}
	defer f.Close()
	var list []Missed
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		columns := strings.SplitN(s.Text(), "\t", 3)
		if len(columns) != 3 {
			return nil, fmt.Errorf("read the places that were not coded: %s: want 3 columns", path)
		}
		n, err := strconv.Atoi(columns[0])
		if err != nil {
			return nil, fmt.Errorf("read the places that were not coded: %w", err)
		}
		list = append(list, Missed{n, Miss(columns[1]), columns[2]})
	}
	return list, s.Err()
}
