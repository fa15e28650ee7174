package sources_test

import (
	"bytes"
	"errors"
	"sync"
	"testing"

	"labour/sources"
)

// lent opens objects whose bytes are their names, again and again.
type lent struct{}

func (lent) Open(o sources.Object) (sources.Body, error) {
	if o.Name == "" {
		return nil, sources.ErrNotFound
	}
	return lentBody{bytes.NewReader(bytes.Repeat([]byte(o.Name), 5000))}, nil
}

type lentBody struct{ *bytes.Reader }

func (lentBody) Close() error { return nil }

// TestUseWholeGivesWhatReadWholeGives reads objects of the right, a wrong and an
// impossible size, many at the same time and within each other.
func TestUseWholeGivesWhatReadWholeGives(t *testing.T) {
	var all sync.WaitGroup
	for _, name := range []string{"a", "some object", "another"} {
		for _, size := range []int64{0, 5000 * int64(len(name)), 7, -1, 1 << 50} {
			all.Go(func() {
				o := sources.Object{Name: name, Bytes: size}
				want, err := sources.ReadWhole(lent{}, o)
				if err != nil {
					t.Error(err)
				}
				err = sources.UseWhole(lent{}, o, func(outer []byte) error {
					return sources.UseWhole(lent{}, sources.Object{Name: "inner"}, func([]byte) error {
						if !bytes.Equal(outer, want) {
							t.Errorf("%s of %d bytes: other bytes than ReadWhole gives", name, size)
						}
						return sources.ErrDamaged
					})
				})
				if !errors.Is(err, sources.ErrDamaged) {
					t.Errorf("error %v, want that of use", err)
				}
			})
		}
	}
	all.Wait()
	if err := sources.UseWhole(lent{}, sources.Object{}, func([]byte) error { return nil }); !errors.Is(err, sources.ErrNotFound) {
		t.Errorf("error %v for an object that is not there", err)
	}
}
