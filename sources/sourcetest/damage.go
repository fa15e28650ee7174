package sourcetest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"labour/sources"
)

// watch notes which objects are opened.
type watch struct {
	sources.Opener
	mu    sync.Mutex
	names map[string]bool
}

// Open opens and notes.
func (w *watch) Open(o sources.Object) (sources.Body, error) {
	w.mu.Lock()
	w.names[o.Name] = true
	w.mu.Unlock()
	return w.Opener.Open(o)
}

func cutInHalf(_ sources.Object, file, _ []byte) ([]byte, error) { return file[:len(file)/2], nil }

// changeLastByte files other bytes of the same length under the old name, which
// only the SHA-256 can tell.
func changeLastByte(_ sources.Object, _, body []byte) ([]byte, error) {
	if len(body) == 0 {
		return nil, errors.New("the object is empty")
	}
	changed := bytes.Clone(body)
	changed[len(changed)-1] ^= 1
	z, err := zstd.NewWriter(nil)
	if err != nil {
		return nil, err
	}
	return z.EncodeAll(changed, nil), nil
}

// damage damages one archived object, reads, and mends it.
func (b *bench) damage(x sources.Extract, o sources.Object, what string, how func(sources.Object, []byte, []byte) ([]byte, error)) {
	b.t.Helper()
	path := b.archive.Path(o.SHA256)
	file, err := os.ReadFile(path)
	if err != nil {
		b.t.Fatal(err)
	}
	bad, err := how(o, file, b.bytes(o))
	if err != nil {
		b.t.Fatalf("%s: %v", o.Name, err)
	}
	if err := os.WriteFile(path, bad, 0o600); err != nil {
		b.t.Fatal(err)
	}
	defer os.WriteFile(path, file, 0o600)
	_, faults, err := Collect(b.source, x, b.archive)
	if errors.Is(err, sources.ErrDamaged) {
		return
	}
	for _, f := range faults {
		if f.Code == sources.FaultDamaged && f.Object == o.Name {
			return
		}
	}
	b.t.Errorf("%s, %s: want ErrDamaged or a fault %s, got error %v and faults %+v",
		o.Name, what, sources.FaultDamaged, err, faults)
}

func (b *bench) bytes(o sources.Object) []byte {
	b.t.Helper()
	r, err := b.archive.Open(o)
	if err != nil {
		b.t.Fatal(err)
	}
	defer r.Close()
	all, err := io.ReadAll(r)
	if err != nil {
		b.t.Fatal(err)
	}
	return all
}

// garbage puts bytes of other kinds in the place of each object that is read: the
// connector must not panic, and what is no data at all must be named.
func (c Case) garbage(t *testing.T) {
	b := c.bench(t)
	x := b.mustFetch()
	opened := &watch{Opener: b.archive, names: map[string]bool{}}
	if _, _, err := Collect(b.source, x, opened); err != nil {
		t.Fatal(err)
	}
	for _, o := range x.Objects {
		for _, text := range []string{noData, "{}", "[]", "null", "[null]", `{"a":`, "", "\n\n", `"x"`, "-1e999"} {
			_, faults, err := Collect(b.source, x, instead{b.archive, o.Name, text})
			if opened.names[o.Name] && text == noData && err == nil && len(faults) == 0 {
				t.Errorf("object %s holds %q and nothing says so", o.Name, text)
			}
		}
	}
}

// noData is what no connector can take for data.
const noData = "\x00\xff not data"

// instead is an Opener that gives another body for one object.
type instead struct {
	sources.Opener
	name, body string
}

// Open opens the object, or gives the other body.
func (i instead) Open(o sources.Object) (sources.Body, error) {
	if o.Name == i.name {
		return io.NopCloser(strings.NewReader(i.body)), nil
	}
	return i.Opener.Open(o)
}

var (
	email = regexp.MustCompile(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+\.[A-Za-z]{2,}`)
	phone = regexp.MustCompile(`(?:\+44|\b0044|\b0)(?:[ ().-]{0,2}[0-9]){9,10}\b`)
)

// codeFields are fields that hold codes and addresses, in which digits are no telephone number.
var codeFields = map[string]bool{
	"ID": true, "Code": true, "Link": true, "ApplyURL": true, "Requisition": true, "Advert": true,
	"Resident": true, "FromCode": true, "ToCode": true, "GeoJSON": true, "Slug": true,
}

// Contacts lists what looks like an e-mail address or a United Kingdom telephone
// number in the texts of a record: the field and the kind, not the value.
func Contacts(r sources.Record) []string {
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

func walk(v reflect.Value, path, field string, visit func(path, field, text string)) {
	switch v.Kind() {
	case reflect.String:
		visit(path, field, v.String())
	case reflect.Struct:
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if v.Type().Field(i).IsExported() {
				walk(v.Field(i), path+"."+name, name, visit)
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
