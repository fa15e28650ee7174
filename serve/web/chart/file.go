package chart

import (
	"fmt"
	"html"
	"html/template"
	"regexp"
	"strconv"
	"strings"
)

// File is a drawing as a file of its own.
type File struct {
	Title   string
	Drawing template.HTML
	Key     []KeyLine
	Lines   []string // below it, such as the statements of the sources
	Style   string   // rules of the classes of the drawing; see Style
}

// KeyLine is a class of a map and what it means.
type KeyLine struct {
	Sample template.HTML
	Words  string
}

// The file in pixels.
const (
	fileWidth, filePad = 760, 20
	fileLine           = 18
	fileLetters        = 96 // of a line of text
)

var (
	sized = regexp.MustCompile(`width="(\d+)" height="(\d+)"`)
	rule  = regexp.MustCompile(`([^{}]+)\{([^{}]*(?:fill|stroke|text-anchor)[^{}]*)\}`)
	named = regexp.MustCompile(`(--[a-z0-9-]+): ([^;]+);`)
)

// SVG writes the file.
func (f File) SVG() []byte {
	var d drawing
	y := filePad + 24
	d.part(`<text class="title" x="%d" y="%d">%s</text>`, filePad, y, html.EscapeString(f.Title))
	y += filePad
	d.at(f.Drawing, filePad, y)
	y += heightOf(f.Drawing) + filePad
	for _, k := range f.Key {
		d.at(k.Sample, filePad, y)
		d.text("line", filePad+40, float64(y+fileLine-5), k.Words)
		y += fileLine + 4
	}
	for _, line := range f.Lines {
		for _, part := range wrap(line, fileLetters) {
			y += fileLine
			d.text("line", filePad, float64(y), part)
		}
	}
	y += filePad
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d"><title>%s</title><style>%s</style><rect class="sheet" width="100%%" height="100%%"/>%s</svg>`,
		fileWidth, y, fileWidth, y, html.EscapeString(f.Title), f.Style, d.String())
}

// at puts a drawing within another one.
func (d *drawing) at(inner template.HTML, x, y int) {
	d.part(`%s`, strings.Replace(string(inner), `<svg `, fmt.Sprintf(`<svg x="%d" y="%d" `, x, y), 1))
}

func heightOf(drawing template.HTML) int {
	found := sized.FindStringSubmatch(string(drawing))
	if found == nil {
		return 0
	}
	height, err := strconv.Atoi(found[2])
	if err != nil {
		return 0
	}
	return height
}

// wrap cuts a text into lines of at most so many letters, between words.
func wrap(text string, most int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > most {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}

// Style is the rules of a stylesheet that colour drawings, for light paper. A file of its
// own has no other stylesheet, and many programs know no variables.
func Style(sheet string) string {
	root, _, _ := strings.Cut(sheet, "}")
	var values []string
	for _, n := range named.FindAllStringSubmatch(root, -1) {
		values = append(values, "var("+n[1]+")", n[2])
	}
	var out strings.Builder
	out.WriteString(`.sheet { fill: var(--paper); } .title { font: 600 19px var(--sans); fill: var(--ink); } .line { font: 400 13px var(--sans); fill: var(--ink); } `)
	for _, r := range rule.FindAllStringSubmatch(sheet, -1) {
		selector, body := strings.TrimSpace(r[1]), r[2]
		for _, of := range []string{".chart ", ".trend .", ".map path", ".map .", ".key rect"} {
			if strings.Contains(selector, of) {
				out.WriteString(selector + " {" + body + "} ")
				break
			}
		}
	}
	return strings.NewReplacer(values...).Replace(out.String())
}
