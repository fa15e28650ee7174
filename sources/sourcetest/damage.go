package sourcetest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"labour/sources"
)

// openRecorder is a sources.Opener that records the names of the opened objects.
type openRecorder struct {
	sources.Opener
	mu    sync.Mutex
	names map[string]bool
}

// Open opens an archived object and records its name.
func (w *openRecorder) Open(o sources.ArchivedObject) (sources.Body, error) {
	w.mu.Lock()
	w.names[o.Name] = true
	w.mu.Unlock()
	return w.Opener.Open(o)
}

// openedObjects returns the names of the archived objects that Source.Read opens.
func (b *bench) openedObjects(x sources.Extract) map[string]bool {
	b.t.Helper()
	w := &openRecorder{Opener: b.archive, names: map[string]bool{}}
	if _, _, err := ReadExtract(b.source, x, w); err != nil {
		b.t.Fatal(err)
	}
	return w.names
}

// damagedArchive damages each archived object in two ways: it cuts the file in half, or it changes
// the last byte. Reading must report both. Only the SHA-256 can show the second damage.
func (c Case) damagedArchive(t *testing.T) {
	b := c.bench(t)
	x := b.mustFetch()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	opened := b.openedObjects(x)
	for _, o := range x.Objects {
		if !opened[o.Name] {
			continue
		}
		body, err := sources.ReadWhole(b.archive, o)
		if err != nil || len(body) == 0 {
			t.Fatalf("%s has %d bytes: %v", o.Name, len(body), err)
		}
		b.damage(x, o, "cut in half", func(file []byte) []byte { return file[:len(file)/2] })
		body[len(body)-1] ^= 1
		b.damage(x, o, "changed in its last byte", func([]byte) []byte { return z.EncodeAll(body, nil) })
	}
}

// damage changes the archived file of o with the function change. It checks that reading reports
// the damage, and then restores the file. description is for failure messages.
func (b *bench) damage(x sources.Extract, o sources.ArchivedObject, description string,
	change func(file []byte) []byte) {
	b.t.Helper()
	path := b.archive.BodyPath(o.SHA256)
	file, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, change(file), 0o600)
	}
	if err != nil {
		b.t.Fatal(err)
	}
	defer os.WriteFile(path, file, 0o600)
	_, faults, err := ReadExtract(b.source, x, b.archive)
	named := func(f sources.Fault) bool { return f.Code == sources.FaultDamaged && f.Object == o.Name }
	if !errors.Is(err, sources.ErrDamaged) && !slices.ContainsFunc(faults, named) {
		b.t.Errorf("%s, %s: want ErrDamaged or a fault %s, got error %v and faults %+v",
			o.Name, description, sources.FaultDamaged, err, faults)
	}
}

// garbage replaces each archived object by texts that are not valid data. The source must never
// panic. It must report the text noData as a fault or an error.
func (c Case) garbage(t *testing.T) {
	b := c.bench(t)
	x := b.mustFetch()
	opened := b.openedObjects(x)
	for _, o := range x.Objects {
		for _, text := range []string{noData, "{}", "[]", "null", "[null]", `{"a":`, "", "\n\n", `"x"`, "-1e999"} {
			_, faults, err := ReadExtract(b.source, x, bodyReplacer{b.archive, o.Name, text})
			saysNothing := err == nil && len(faults) == 0
			if saysNothing && opened[o.Name] && text == noData {
				t.Errorf("object %s holds %q and nothing says so", o.Name, text)
			}
		}
	}
}

// noData is data that no source can read.
const noData = "\x00\xff not data"

// bodyReplacer is a sources.Opener that returns another body for one object.
type bodyReplacer struct {
	sources.Opener
	name, body string
}

// Open opens an archived object. For the object with the name i.name, it returns i.body instead of
// the archived body.
func (i bodyReplacer) Open(o sources.ArchivedObject) (sources.Body, error) {
	if o.Name == i.name {
		return io.NopCloser(strings.NewReader(i.body)), nil
	}
	return i.Opener.Open(o)
}

var (
	email = regexp.MustCompile(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+\.[A-Za-z]{2,}`)
	phone = regexp.MustCompile(`(?:\+44|\b0044|\b0)(?:[ ().-]{0,2}[0-9]){9,10}\b`)
)

// codeFields are record fields with codes and web addresses. Digits in them are not telephone
// numbers.
var codeFields = map[string]bool{
	"ID": true, "Code": true, "Link": true, "ApplyURL": true, "Requisition": true, "Advert": true,
	"Resident": true, "GeoJSON": true, "Slug": true,
}

// FindContacts returns the fields of a record that seem to contain an email address or a telephone
// number. It does not return the values.
func FindContacts(r sources.Record) []string {
	var hits []string
	walk(reflect.ValueOf(r), reflect.TypeOf(r).Name(), "", func(path, field, text string) {
		if email.MatchString(text) {
			hits = append(hits, fmt.Sprintf("%s: e-mail address", path))
		}
		if !codeFields[field] && phone.MatchString(text) {
			hits = append(hits, fmt.Sprintf("%s: telephone number", path))
		}
	})
	return hits
}

// walk calls visit for each text in a record, with the path and name of its field.
func walk(v reflect.Value, path, field string, visit func(path, field, text string)) {
	switch v.Kind() {
	case reflect.String:
		visit(path, field, v.String())
	case reflect.Struct:
		for f, inner := range v.Fields() {
			if f.IsExported() {
				walk(inner, path+"."+f.Name, f.Name, visit)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), fmt.Sprintf("%s[%d]", path, i), field, visit)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			walk(v.Elem(), path, field, visit)
		}
	}
}
