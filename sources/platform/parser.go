package platform

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"labour/sources"
	"labour/sources/plaintext"
)

// maxProblems is the maximum number of problems in the error for one line.
const maxProblems = 5

// errSyntax is the error for a line that is not exactly one JSON value in UTF-8.
var errSyntax = errors.New("the line is not JSON in UTF-8; write one JSON object per line")

// parser parses lines of the feed and checks them against their JSON schemas. It is not safe for
// concurrent use.
type parser struct {
	line      strings.Reader
	json      *jsontext.Decoder            // JSON decoder that reads from the field line
	plain     []byte                       // last string read, without quotation marks and escapes
	records   map[RecordKind]reflect.Value // one reusable record of each kind, into which lines are parsed
	problems  []problem
	dropCount int                           // number of problems of the line beyond maxProblems
	removals  []problem                     // texts of the line from which characters were removed
	words     map[*schema]map[string]string // cache of valid texts with a pattern, by schema
}

// problem describes one violation of the JSON schema in a line.
type problem struct {
	where string // path from the record to the value, such as skills[2].level
	what  string
}

func newParser() *parser {
	p := &parser{words: map[*schema]map[string]string{}, records: map[RecordKind]reflect.Value{}}
	for _, k := range RecordKinds() {
		p.records[k] = reflect.New(reflect.TypeOf(records[k])).Elem()
	}
	p.json = jsontext.NewDecoder(&p.line)
	return p
}

// record parses a line with a record of type k. id is the record's id. The error is errSyntax or
// lists the violations of the JSON schema.
func (p *parser) record(k RecordKind, line string) (r sources.Record, id string, err error) {
	v, schema := p.records[k], schemas()[k]
	v.SetZero()
	p.problems = p.problems[:0]
	p.dropCount = 0
	p.removals = p.removals[:0]
	if !utf8.ValidString(line) {
		return nil, "", errSyntax
	}
	p.line.Reset(line)
	// Duplicate properties are reported with the name of the property; an unpaired surrogate
	// becomes U+FFFD.
	p.json.Reset(&p.line, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err := schema.object(p, v); err != nil || !p.atEnd() {
		return nil, "", errSyntax
	}
	if len(p.problems) == 0 {
		p.complete(v.Addr().Interface())
	}
	if len(p.problems) > 0 {
		return nil, "", p.refusal()
	}
	return v.Interface().(sources.Record), v.Field(schema.id).String(), nil
}

// complete sets fields of a record that the feed does not contain, such as Source. It also checks
// rules that the JSON schema cannot express.
func (p *parser) complete(record any) {
	switch r := record.(type) {
	case *sources.Advert:
		// An advert is open to everyone unless the feed marks it as unlisted.
		r.Source, r.Listed = Key, !r.Listed
		// Locations in boroughs come first, whatever the order of the line's properties.
		slices.SortStableFunc(r.Locations, func(a, b sources.Location) int { return rank(a) - rank(b) })
		if r.Link != "" && plaintext.URLHasContacts(r.Link) {
			r.Link = ""
			p.addRemoval("link", contactDetails)
		}
	case *sources.Event:
		r.OccurredAt = r.OccurredAt.UTC()
	case *sources.Application:
		r.AppliedAt = r.AppliedAt.UTC()
		if r.Outcome != sources.OutcomePending && r.RecordedAt.IsZero() {
			p.problem(`lacks the property "outcome_recorded_at", which every outcome but pending needs`)
		}
	}
}

func rank(l sources.Location) int {
	if l.Slug != "" {
		return 0
	}
	return 1
}

// refusal returns an error that lists the problems of the current line.
func (p *parser) refusal() error {
	var b strings.Builder
	for i, x := range p.problems {
		if i > 0 {
			b.WriteString("; ")
		}
		if x.where != "" {
			b.WriteString(x.where + " ")
		}
		b.WriteString(x.what)
	}
	if p.dropCount > 0 {
		fmt.Fprintf(&b, "; and %d more", p.dropCount)
	}
	return errors.New(b.String())
}

// problem records a violation of the JSON schema. The message must not quote the value, because it
// may be personal data.
func (p *parser) problem(format string, args ...any) {
	if len(p.problems) == maxProblems {
		p.dropCount++
		return
	}
	p.problems = append(p.problems, problem{what: fmt.Sprintf(format, args...)})
}

// prefixPaths adds step before the path of each problem from index first on. step is a property
// name, or a list index such as [2].
func (p *parser) prefixPaths(step string, first int) {
	for i := first; i < len(p.problems); i++ {
		where := &p.problems[i].where
		if *where != "" && (*where)[0] != '[' {
			*where = "." + *where
		}
		*where = step + *where
	}
}

// hasType reports whether the next JSON value has the type want. If not, it skips the value and
// records a problem. word is the type's name in the problem's message. The error is a JSON syntax
// error.
func (p *parser) hasType(want jsontext.Kind, word string) (bool, error) {
	switch p.json.PeekKind() {
	case want:
		return true, nil
	case 'n':
		p.problem("is null; leave the property out instead")
	default:
		p.problem("must be %s", word)
	}
	return false, p.json.SkipValue()
}

// begins reports whether the next JSON value has the type want, an object or a list, and reads its
// opening bracket. If it has another type, begins skips it and records a problem. word is the type's
// name in the problem's message. The error is a JSON syntax error.
func (p *parser) begins(want jsontext.Kind, word string) (bool, error) {
	ok, err := p.hasType(want, word)
	if ok {
		_, err = p.json.ReadToken()
	}
	return ok, err
}

// ends reads the closing bracket of an object or list.
func (p *parser) ends() error {
	_, err := p.json.ReadToken()
	return err
}

// text reads a JSON string. The result is valid until the next call.
func (p *parser) text() ([]byte, error) {
	raw, err := p.json.ReadValue()
	if err != nil || len(raw) < 2 {
		return nil, errSyntax
	}
	if inner := raw[1 : len(raw)-1]; bytes.IndexByte(inner, '\\') < 0 {
		p.plain = append(p.plain[:0], inner...)
		return p.plain, nil
	}
	// the only possible error is an unpaired surrogate, which became U+FFFD
	p.plain, _ = jsontext.AppendUnquote(p.plain[:0], raw)
	return p.plain, nil
}

// noteRemoval records which characters have to be removed from text, such as control characters. It
// records nothing for a plain text. s is the schema of the text's property.
func (p *parser) noteRemoval(s *schema, text string) {
	if wrong := plaintext.FindProblem(text); wrong != "" {
		p.addRemoval(s.name, wrong)
	}
}

// contactDetails is what a text must not have.
const contactDetails = "an e-mail address or a telephone number"

// addRemoval records that something has to be removed from the property with the given name.
func (p *parser) addRemoval(property, what string) {
	if len(p.removals) < maxProblems {
		p.removals = append(p.removals, problem{property, what})
	}
}

// withoutContacts returns text with email addresses and telephone numbers masked, and records that
// they have to be removed. It returns a text without any unchanged. s is the schema of the text's
// property.
func (p *parser) withoutContacts(s *schema, text string) string {
	plain := plaintext.DecodeEntities(text)
	masked := plaintext.MaskContacts(plain)
	if masked == plain {
		return text
	}
	p.addRemoval(s.name, contactDetails)
	return masked
}

// remark returns a message that names the texts of the line from which characters are removed, at
// most maxProblems of them. It returns "" if there are none.
func (p *parser) remark() string {
	var all []string
	for _, m := range p.removals {
		all = append(all, fmt.Sprintf("%s holds %s", m.where, m.what))
	}
	if len(all) == 0 {
		return ""
	}
	return strings.Join(all, "; ") + ": the line is read without them; export plain text"
}

// cacheText caches word, a valid text of the property with the schema s. The text's pattern is then
// not checked again. The cache is for slugs and codes, which occur often.
func (p *parser) cacheText(s *schema, word string) {
	if p.words[s] == nil {
		p.words[s] = map[string]string{}
	}
	if len(p.words[s]) < 1<<10 {
		p.words[s][word] = word
	}
}

// unknown records a problem for a property that is not in the JSON schema. The message quotes the
// name without email addresses and telephone numbers, because it is published in the report.
func (p *parser) unknown(name string) {
	shown := plaintext.MaskContacts(name)
	if r := []rune(shown); len(r) > 40 {
		shown = string(r[:40]) + "…"
	}
	if personal.MatchString(name) {
		p.problem("has the property %q, which looks like personal data: take it out of the feed", shown)
		return
	}
	p.problem("has the unknown property %q: take it out, or correct its name", shown)
}

// personal matches property names that suggest personal data, such as "phone". It matches short
// names such as "age" only as whole words.
var personal = regexp.MustCompile(
	`(?i)name|mail|phone|mobile|contact|address|postcode|birth|gender|ethnic|religio|disab|health|` +
		`nationality|nino|national_insurance|photo|resume|linkedin|recruiter|(^|[-_ .])(dob|age|sex|cv|ip)([-_ .]|$)`)

// atEnd reports whether the parser is at the end of the line.
func (p *parser) atEnd() bool {
	_, err := p.json.ReadToken()
	return err == io.EOF
}
