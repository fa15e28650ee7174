package serve

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"labour/serve/webhooks"
)

// TestTagsThatCannotBeReadAreNamed, with the parameter and the type that has them.
func TestTagsThatCannotBeReadAreNamed(t *testing.T) {
	type badPattern struct {
		X string `query:"x" pattern:"("`
	}
	for says, input := range map[string]reflect.Type{
		"parameter x of serve.badPattern: error parsing regexp: ": reflect.TypeFor[badPattern](),
		"parameter y of struct ": reflect.TypeFor[struct {
			Y string `query:"y" maxLength:"long"`
		}](),
		"parameter z of struct ": reflect.TypeFor[struct {
			Z int `query:"z" minimum:"1.5"`
		}](),
		"parameter x of serve.badPattern: ": reflect.TypeFor[struct{ badPattern }](),
	} {
		if _, err := parametersOf(input); err == nil || !strings.HasPrefix(err.Error(), says) {
			t.Errorf("%s: %v, want %q", input, err, says)
		}
	}
	all, err := parametersOf(reflect.TypeFor[struct {
		A int    `query:"a" minimum:"1" maximum:"9" default:"5"`
		B string `query:"b" maxLength:"7" enum:"x,y" means:"z=x"`
		C string
	}]())
	if err != nil || !slices.Equal(all.names(), []string{"a", "b"}) {
		t.Fatalf("%v, %v", all.names(), err)
	}
	if a := all["a"]; !a.integer || *a.low != 1 || *a.high != 9 || a.initial != "5" || a.maxLength != 0 {
		t.Errorf("%+v", a)
	}
	if b := all["b"]; b.integer || b.low != nil || b.maxLength != 7 || !slices.Equal(b.allowed, []string{"x", "y"}) ||
		b.means["z"] != "x" || !slices.Equal(b.field, []int{1}) {
		t.Errorf("%+v", b)
	}
}

// TestNumbersOutOfBoundsAreSaid with the bounds that there are.
func TestNumbersOutOfBoundsAreSaid(t *testing.T) {
	one, nine := int64(1), int64(9)
	for _, c := range []struct {
		p     parameter
		value string
		want  string
	}{
		{parameter{name: "n"}, "x", "n must be a whole number."}, {parameter{name: "n"}, "-7", ""},
		{parameter{name: "n", low: &one}, "0", "n must be a whole number of at least 1."},
		{parameter{name: "n", low: &one}, "1", ""},
		{parameter{name: "n", low: &one, high: &nine}, "10", "n must be a whole number from 1 to 9."},
		{parameter{name: "n", low: &one, high: &nine}, "9", ""},
		{parameter{name: "n", high: &nine}, "10", "n must be a whole number."},
	} {
		if got := c.p.integerFault(c.value); got != c.want {
			t.Errorf("%s: %q, want %q", c.value, got, c.want)
		}
	}
}

// TestFaultsOfAnEndpointAreListed, however deep they are in an error.
func TestFaultsOfAnEndpointAreListed(t *testing.T) {
	url := &webhooks.InvalidFieldError{Field: "url", Problem: "is not https"}
	types := &webhooks.InvalidFieldError{Field: "event_types", Problem: "has an unknown one"}
	var c call
	c.addInvalid(fmt.Errorf("make an endpoint: %w", errors.Join(url, errors.New("another"), fmt.Errorf("at last: %w",
		types))))
	c.addInvalid(nil)
	if len(c.faults) != 2 || c.faults[0].Parameter != "url" || c.faults[0].Message != "url: is not https." ||
		c.faults[0].Allowed != nil || c.faults[1].Message != "event_types: has an unknown one." ||
		!slices.Equal(c.faults[1].Allowed, webhooks.EventTypes()) {
		t.Errorf("%+v", c.faults)
	}
}

// TestFailedDatabaseIsNamedOnce: the log has the reason without the same words twice.
func TestFailedDatabaseIsNamedOnce(t *testing.T) {
	c := &call{id: "req_1"}
	apiErrorOf(c, stateError(httptest.NewRequest(http.MethodGet, "/", nil), sql.ErrConnDone))
	if n := strings.Count(c.outcome.cause.Error(), errState.Error()); n != 1 {
		t.Errorf("%q has the fault %d times", c.outcome.cause, n)
	}
}

// TestClientThatLeftIsNoFaultOfTheDatabase: its error stays as it is.
func TestClientThatLeftIsNoFaultOfTheDatabase(t *testing.T) {
	failed := errors.New("no answer")
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	if err := stateError(r, failed); !errors.Is(err, errState) || !errors.Is(err, failed) {
		t.Errorf("a database that fails: %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := stateError(r.WithContext(ctx), failed); err != failed {
		t.Errorf("a client that left: %v, want %v", err, failed)
	}
}

// TestAddressesWithoutALimit: a negative number of requests a second means any number.
func TestAddressesWithoutALimit(t *testing.T) {
	for perSecond, burst := range map[float64]int{-1: 0, 0: defaultAddressRate * burstSeconds, 0.01: 1, 2: 60} {
		a := &handler{Options: Options{RequestsPerAddress: perSecond}}
		if err := a.limitAddresses(); err != nil {
			t.Fatal(err)
		}
		if (a.addresses == nil) != (burst == 0) || (a.downloads == nil) != (burst == 0) ||
			a.addresses != nil && (a.addresses.burst != burst || a.downloads.burst != downloadsAnHour) {
			t.Errorf("%v a second: %+v, want bursts of %d", perSecond, a.addresses, burst)
		}
		c := &call{request: httptest.NewRequest(http.MethodGet, "/", nil)}
		if err := a.takeFromAddress(c); err != nil || (c.address.limiter == nil) != (burst == 0) {
			t.Errorf("%v a second: the first request: %v", perSecond, err)
		}
	}
}
