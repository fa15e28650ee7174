package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"labour/serve/webhooks"
)

// The sizes of a page of deliveries. The service hands out one more than the
// largest, which says whether another page follows.
const (
	initialDeliveries = 25
	maxDeliveries     = 50
)

// pageSize is a checked limit, or the initial one when it was left out.
func pageSize(limit string) int {
	n, err := strconv.Atoi(limit)
	if err != nil {
		return initialDeliveries
	}
	return min(n, maxDeliveries)
}

// webhookBody reads what a partner says of a new endpoint, or of a change. All
// faults are reported at once: of the parameters, of the form and of the content.
func (a *handler) webhookBody(q *asked, fresh bool) (webhooks.Change, error) {
	known := []string{"url", "event_types", "description"}
	if !fresh {
		known = append(known, "enabled")
	}
	fields, err := readBody(q.huma, q.call, known...)
	if err != nil {
		return webhooks.Change{}, err
	}
	change := webhooks.Change{
		URL:         bodyValue[string](q.call, fields, "url", "a text"),
		Description: bodyValue[string](q.call, fields, "description", "a text"),
		Enabled:     bodyValue[bool](q.call, fields, "enabled", "true or false"),
	}
	if types := bodyValue[[]webhooks.EventType](q.call, fields, "event_types", "a list of texts"); types != nil {
		change.EventTypes = *types
	}
	if _, given := fields["url"]; fresh && !given {
		q.add(invalidParameter, "url", "url is missing.")
	}
	addInvalid(q.call, a.Webhooks.Check(change))
	return change, q.refused()
}

// bodyValue is a field of the body when it is there and of its type; else nil,
// with a fault noted when it is there.
func bodyValue[T any](c *call, fields map[string]json.RawMessage, name, words string) *T {
	raw, given := fields[name]
	if !given {
		return nil
	}
	var value *T
	if err := json.Unmarshal(raw, &value); err != nil || value == nil {
		c.add(invalidParameter, name, fmt.Sprintf("%s must be %s.", name, words))
		return nil
	}
	return value
}

// graceOf reads the body of a rotation, which may be left out.
func graceOf(q *asked) (time.Duration, error) {
	grace := webhooks.DefaultGrace
	if q.request.ContentLength != 0 {
		fields, err := readBody(q.huma, q.call, "grace_seconds")
		if err != nil {
			return 0, err
		}
		const longest = int64(webhooks.MaxGrace / time.Second)
		words := fmt.Sprintf("a whole number from 0 to %d", longest)
		seconds := bodyValue[int64](q.call, fields, "grace_seconds", words)
		switch {
		case seconds == nil:
		case *seconds < 0 || *seconds > longest:
			q.add(invalidParameter, "grace_seconds", "grace_seconds must be "+words+".")
		default:
			grace = time.Duration(*seconds) * time.Second
		}
	}
	return grace, q.refused()
}

// addInvalid notes each value that the service cannot accept.
func addInvalid(c *call, err error) {
	switch e := err.(type) { //nolint:errorlint // it walks the tree itself
	case nil:
	case *webhooks.InvalidError:
		c.add(invalidParameter, e.Field, e.Field+": "+e.Problem+".")
		if e.Field == "event_types" {
			for _, t := range webhooks.EventTypes() {
				last := &c.faults[len(c.faults)-1]
				last.Allowed = append(last.Allowed, string(t))
			}
		}
	case interface{ Unwrap() []error }:
		for _, one := range e.Unwrap() {
			addInvalid(c, one)
		}
	case interface{ Unwrap() error }:
		addInvalid(c, e.Unwrap())
	}
}

// webhookProblem says what a partner may see of an error of the service.
func webhookProblem(c *call, err error) error {
	var invalid *webhooks.InvalidError
	switch {
	case errors.Is(err, webhooks.ErrNotFound):
		return &apiError{code: notFound, message: "There is no such endpoint or delivery. GET " + endpointsPath + " lists the endpoints."}
	case errors.Is(err, webhooks.ErrConflict):
		return &apiError{code: conflict, message: "An endpoint with this URL exists. Change that one, or give another URL."}
	case errors.Is(err, webhooks.ErrTooMany):
		return &apiError{code: conflict, message: "There are 20 endpoints already, which is the most. Delete one first."}
	case errors.Is(err, webhooks.ErrTooManyTests):
		return &apiError{code: conflict, message: "This endpoint was sent 60 test messages in the last hour, which is the most. Wait before the next one."}
	case errors.Is(err, webhooks.ErrDisabled):
		return &apiError{code: conflict, message: "The endpoint is disabled. Enable it first, with PATCH and enabled true."}
	case errors.As(err, &invalid):
		addInvalid(c, err)
		return c.refused()
	}
	return err
}
