package web

import (
	"fmt"
	"net/http"
	"net/url"

	"labour/serve/labourdata"
	"labour/serve/words"
)

// skillsPath is the call of the interface that the pages of skills not met show.
const skillsPath = labourPath + "skills-unmet"

// rowsPerPage keeps a page of skills far below 100 KB.
const rowsPerPage = 25

func (s *Site) explorerPages() []page {
	return []page{
		{"GET /{$}", true, s.home},
		{"GET /skills", true, s.skills},
		{"GET /skills/find", true, s.findSkill},
		{"GET /skills/{skill}", true, s.skill},
	}
}

// skillsView is the data of the list of skills not met.
type skillsView struct {
	Where    string
	Form     form
	Rows     []labourdata.SkillsUnmetRow
	Next     string
	First    string // the first page of the list, on a later one
	Withheld bool
	Filter   url.Values
}

// home is the first page: choose a place, and the head of the list.
func (s *Site) home(v *visit) (view, error) {
	f := filter{Window: defaultWindow}
	q := f.query()
	q.Limit = 5
	p, err := v.snapshot.SkillsUnmet(v.ctx, q)
	if err != nil {
		return view{}, err
	}
	took(v, p)
	v.stamp.People = true
	v.calls("The five skills above", skillsPath, url.Values{"limit": {"5"}})
	return view{template: "home", title: "Which skills do adverts ask for that residents do not have?", data: skillsView{
		Where: f.where(v.snapshot), Form: formOf(v, f, "/skills"), Rows: p.Rows}}, nil
}

// skills is the ranked list.
func (s *Site) skills(v *visit) (view, error) {
	f, err := filterOf(v)
	if err != nil {
		return view{}, err
	}
	q := f.query()
	q.Limit = rowsPerPage
	if q.After, err = s.position(v); err != nil {
		return view{}, err
	}
	p, err := v.snapshot.SkillsUnmet(v.ctx, q)
	if err != nil {
		return view{}, err
	}
	d := skillsView{Where: f.where(v.snapshot), Form: formOf(v, f, "/skills"), Rows: p.Rows, Withheld: withheld(p.Rows), Filter: f.values()}
	if d.Next, err = s.nextSkills(v, p); err != nil {
		return view{}, err
	}
	if q.After != nil {
		d.First = v.with("cursor", "")
	}
	took(v, p)
	v.stamp.People = true
	call := f.values()
	call.Set("limit", fmt.Sprint(rowsPerPage))
	if token := v.URL.Query().Get("cursor"); token != "" {
		call.Set("cursor", token)
	}
	v.calls("This page of the list", skillsPath, call)
	whole := f.values()
	whole.Set("limit", "200")
	v.calls("The first 200 of the list", skillsPath, whole)
	return view{template: "skills", title: "Skills not met: " + d.Where, section: "/skills", data: d}, nil
}

// position is where the page of a list begins; nil at its beginning.
func (s *Site) position(v *visit) (*labourdata.SkillsUnmetPosition, error) {
	token := v.URL.Query().Get("cursor")
	if token == "" {
		return nil, nil
	}
	var after labourdata.SkillsUnmetPosition
	_, err := s.Cursors.Open(token, skillsPath, &after)
	return &after, err
}

// nextSkills is the address of the next page; empty on the last one.
func (s *Site) nextSkills(v *visit, p labourdata.Page[labourdata.SkillsUnmetRow]) (string, error) {
	if !p.More || len(p.Rows) == 0 {
		return "", nil
	}
	token, err := s.Cursors.Seal(skillsPath, v.snapshot.ID(), p.Rows[len(p.Rows)-1].Position())
	return v.with("cursor", token), err
}

// findSkill lists the skills whose names hold the words, and goes straight to the
// only one.
func (s *Site) findSkill(v *visit) (view, error) {
	asked := v.URL.Query().Get("q")
	search := words.SearchOf(asked)
	var found []labourdata.Named
	for _, n := range byName(v.snapshot.Named(labourdata.Skills)) {
		if search.Finds(words.NameOf(n.Name)) {
			found = append(found, n)
		}
	}
	status := 0
	if len(found) == 0 {
		status = http.StatusNotFound
	}
	return view{template: "find", title: "Find a skill", section: "/skills", status: status, data: map[string]any{"Words": clip(asked), "Found": found}}, nil
}
