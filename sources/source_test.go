package sources

import (
	"errors"
	"fmt"
	"testing"
)

// faultList keeps the faults of a reading.
type faultList struct{ got []Fault }

func (*faultList) Emit(Record) error { return nil }
func (l *faultList) Fault(f Fault)   { l.got = append(l.got, f) }

// TestDataFaults: what is wrong with the data of an object is a fault of it and reading goes on; any
// other error ends the reading.
func TestDataFaults(t *testing.T) {
	full := errors.New("disk full")
	for name, c := range map[string]struct {
		err  error
		code FaultCode // empty = no fault
		ends error
	}{
		"nothing":     {nil, "", nil},
		"the disk":    {full, "", full},
		"damaged":     {fmt.Errorf("read: %w", ErrDamaged), FaultDamaged, nil},
		"missing":     {fmt.Errorf("read: %w", ErrNotFound), FaultDamaged, nil},
		"no JSON":     {CodedErrorf(FaultNotJSON, "line %d", 3), FaultNotJSON, nil},
		"unavailable": {WithFaultCode(FaultUnavailable, full), FaultUnavailable, nil},
	} {
		var out faultList
		if err := ReportDataFault(&out, "jobs", "jobs/1", c.err); err != c.ends {
			t.Errorf("%s ends the reading with %v, not with %v", name, err, c.ends)
		}
		switch {
		case c.code == "" && len(out.got) > 0, c.code != "" && len(out.got) != 1:
			t.Errorf("%s: faults %+v", name, out.got)
		case c.code != "" && out.got[0] != Fault{Source: "jobs", Object: "jobs/1", Code: c.code, Detail: c.err.Error()}:
			t.Errorf("%s: %+v", name, out.got[0])
		}
	}
}

// TestErrorsNameTheirPart once, and the error of a source is that of its first part.
func TestErrorsNameTheirPart(t *testing.T) {
	one, two := errors.New("ashby/acme: gone"), errors.New("slow")
	for err, want := range map[error]string{one: "ashby/acme: gone", two: "ashby/acme: slow"} {
		if got := PartError("ashby/acme", err); got.Error() != want || !errors.Is(got, err) {
			t.Errorf("%v, want %s", got, want)
		}
	}
	for want, errs := range map[string][]error{"nothing to fetch is configured": nil, "slow": {two},
		"2 parts failed; the first: slow": {two, one}, "3 parts failed; the first: ashby/acme: gone": {one, two, two}} {
		if got := AllFailedError(errs); got.Error() != want || len(errs) > 0 && !errors.Is(got, errs[0]) {
			t.Errorf("%v, want %s", got, want)
		}
	}
}

// TestPartsOfAnExtract: an object belongs to the part that it is named after, and to no other part
// whose name begins alike.
func TestPartsOfAnExtract(t *testing.T) {
	x := Extract{Objects: []ArchivedObject{{Name: "ashby/acme/1"}, {Name: "ashby/acme2/1"}, {Name: "ashby/acme"}}}
	for name, want := range map[string]bool{"ashby/acme/1": true, "ashby/acme": true, "ashby/acme2/1": false} {
		o, ok := x.Object(name)
		if !ok || o.Name != name || o.BelongsTo("ashby/acme") != want {
			t.Errorf("%s: found %t, in the part %t", name, ok, o.BelongsTo("ashby/acme"))
		}
	}
	if o, ok := x.Object("ashby"); ok || o.Name != "" {
		t.Errorf("%+v is found", o)
	}
}
