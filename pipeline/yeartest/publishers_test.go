package yeartest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"

	"labour/sources/fakepublishers"
)

// publishers are the platform's feed, the boards, the statistics and the geography, on loopback.
// Their content is set between runs.
type publishers struct {
	*httptest.Server
	mu sync.Mutex

	feedDown      bool
	shown         *platform // what the feed exports
	completeUntil string    // what its index says; empty = nothing
	boards        map[string]boardState
	courses       *edition // nil = withdrawn
	hackney       string   // the code of that council
	former        string   // the one that it had before; empty = none
	asked         func()   // is called by the feed's index; nil = not
}

// boardState is what a board answers with.
type boardState struct {
	list   []vacancy
	status int  // 0 = 200
	half   bool // half of the list, with the number of the whole
}

func newPublishers() *publishers {
	p := &publishers{boards: map[string]boardState{}, hackney: "E09000012"}
	mux := http.NewServeMux()
	mux.HandleFunc("/feed/", p.feed)
	mux.HandleFunc("/greenhouse/v1/boards/", p.board)
	mux.HandleFunc("/ees/", p.statistics)
	mux.HandleFunc("/ons/", p.geography)
	p.Server = httptest.NewServer(mux)
	return p
}

// kinds are the files of the feed.
func (p *platform) kinds() map[string]any {
	return map[string]any{"boroughs": p.Boroughs, "adverts": p.Adverts, "residents": p.Residents,
		"applications": p.Applications,
		"events":       p.Events, "s106": p.Sites, "pathways": []borough{}}
}

func (p *publishers) feed(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	asked := p.asked
	p.mu.Unlock()
	if asked != nil && strings.HasSuffix(r.URL.Path, "/index.json") {
		asked()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.feedDown || p.shown == nil {
		http.Error(w, "down", http.StatusServiceUnavailable)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/feed/")
	if name == "index.json" {
		p.index(w)
		return
	}
	kind, _, _ := strings.Cut(name, ".")
	list, ok := p.shown.kinds()[kind]
	if !ok {
		http.NotFound(w, r)
		return
	}
	var raw []json.RawMessage
	b, err := json.Marshal(list)
	if err == nil {
		err = json.Unmarshal(b, &raw)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	var lines bytes.Buffer
	for _, line := range raw {
		lines.Write(line)
		lines.WriteByte('\n')
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Write(lines.Bytes()) // the client may be gone
}

func (p *publishers) index(w http.ResponseWriter) {
	var files []string
	for _, kind := range []string{"adverts", "applications", "boroughs", "events", "pathways", "residents", "s106"} {
		files = append(files, kind+".ndjson")
	}
	document := map[string]any{"files": files}
	if p.completeUntil != "" {
		document["complete_until"] = p.completeUntil
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(document) // the client may be gone
}

func (p *publishers) board(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/greenhouse/v1/boards/"), "/")
	state, known := p.boards[parts[0]]
	switch {
	case !known || state.status == http.StatusNotFound:
		w.WriteHeader(http.StatusNotFound)
		return
	case state.status != 0:
		w.Header().Set("Retry-After", "1")
		http.Error(w, "later", state.status)
		return
	}
	rows := []json.RawMessage{}
	for _, v := range state.list {
		rows = append(rows, greenhouse(v))
	}
	if state.half {
		b, _ := json.Marshal(rows[:len(rows)/2]) // of raw messages that were made here
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jobs":%s,"meta":{"total":%d}}`, b, len(rows))
		return
	}
	fakepublishers.NewGreenhouse(map[string][]json.RawMessage{parts[0]: rows}).ServeHTTP(w, r)
}

// greenhouse writes a vacancy as the vendor's public list has it.
func greenhouse(v vacancy) json.RawMessage {
	var asks strings.Builder
	for _, a := range v.Skills {
		fmt.Fprintf(&asks, "<p>You have %s skills.</p>", wordingOf(a.Skill))
	}
	row := map[string]any{"id": v.ID, "internal_job_id": json.Number(v.Number), "title": v.Title,
		"requisition_id": v.Number,
		"updated_at":     v.Posted.Format(time.RFC3339), "first_published": v.Posted.Format(time.RFC3339),
		"location": map[string]any{"name": v.Place}, "absolute_url": v.address(), "language": "en",
		"company_name": v.Employer, "metadata": nil, "data_compliance": []any{}, "application_deadline": nil,
		"content": html.EscapeString(asks.String()), "departments": []any{}, "offices": []any{}}
	b, err := json.Marshal(row)
	if err != nil {
		panic(err)
	}
	return b
}

func wordingOf(slug string) string {
	for _, s := range append(register, laterSkill) {
		if s.slug == slug {
			return s.wording
		}
	}
	panic("no skill " + slug)
}

// edition is one of the statistic: starts by council code, subject and year in which it ends.
type edition struct {
	version   string
	published time.Time
	years     []int
	starts    map[string]string // "code subject year" to what the file prints
}

const dataSet = "5a0db0c5-0000-4000-8000-000000000001"

func (p *publishers) statistics(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	e := p.courses
	p.mu.Unlock()
	if e == nil {
		http.NotFound(w, r)
		return
	}
	fakepublishers.NewEducationStatistics(fakepublishers.EducationDataSet{ID: dataSet,
		Title:   "Apprenticeship starts by geography and subject",
		Summary: "Made-up figures for full academic years.", Version: e.version, Published: e.published,
		Indicators: []string{"Starts"},
		Filters:    []string{"Sector subject area", "Apprenticeship level", "Age group"}, CSV: e.file()}).ServeHTTP(w,
		r)
}

var subjects = []string{"Construction", "Digital", "Total"}

// file is the edition as the publisher's statisticians upload it, with the councils' codes of its day.
func (e *edition) file() []byte {
	var b bytes.Buffer
	b.WriteString("time_period,time_identifier,geographic_level,country_code,country_name,region_code,region_name," +
		"lad_code,lad_name,ssa_tier_1,apprenticeship_level,age_group,starts\n")
	for _, year := range e.years {
		for _, subject := range subjects {
			prefix := fmt.Sprintf("%d%02d,Academic year", year-1, year%100)
			fmt.Fprintf(&b, "%s,National,E92000001,England,,,,,%s,Total,Total,%s\n", prefix, subject,
				e.starts[key("E92000001", subject, year)])
			for _, c := range boroughsAtFirst {
				fmt.Fprintf(&b,
					"%s,Local authority district,E92000001,England,E12000007,London,%s,%s,%s,Total,Total,%s\n", prefix,
					c.Code, c.Name,
					subject, e.starts[key(c.Code, subject, year)])
			}
		}
	}
	return b.Bytes()
}

func key(parts ...any) string { return strings.TrimSuffix(fmt.Sprintln(parts...), "\n") }

func (p *publishers) geography(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	hackney, former := p.hackney, p.former
	p.mu.Unlock()
	var councils, regions, changes []map[string]any
	for _, c := range append(boroughsAtFirst[:3:3], haringey) {
		code := c.Code
		if c.Slug == "hackney" {
			code = hackney
		}
		councils = append(councils, map[string]any{"LAD25CD": code, "LAD25NM": c.Name, "LAD25NMW": ""})
		regions = append(regions, map[string]any{"LAD25CD": code, "LAD25NM": c.Name, "RGN25CD": "E12000007",
			"RGN25NM": "London"})
	}
	changes = append(changes, map[string]any{"LAD22CD": "E07000163", "LAD23CD": "E06000065"})
	if former != "" {
		changes = append(changes, map[string]any{"LAD22CD": former, "LAD23CD": hackney})
	}
	fakepublishers.NewArcGIS(map[string]fakepublishers.ArcGISTable{
		"CTRY":    {Rows: []map[string]any{{"CTRY25CD": "E92000001", "CTRY25NM": "England", "CTRY25NMW": "Lloegr"}}},
		"LAD":     {Rows: councils},
		"RGN":     {Rows: regions},
		"CHANGES": {Rows: changes},
	}).ServeHTTP(w, r)
}

// haringey is the council that comes to the platform during the year.
var haringey = borough{"haringey", "Haringey", "E09000014"}

// board is an employer's own board.
type board struct{ token, employer, place, borough string }

var boards = []board{{"alpha", "Birch Care", "Camden, London", "camden"},
	{"beta", "Dale Works", "Islington, London", "islington"}, redatingBoard}

// redatingBoard gives its adverts new dates of posting and keeps their ids.
var redatingBoard = board{"gamma", "Hazel Group", "Islington, London", "islington"}
