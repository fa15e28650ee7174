package webhooks

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"labour/serve/api"
	"labour/serve/state/statetest"
)

func ptr[T any](v T) *T { return &v }

func TestEndpoints(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		ctx, f := t.Context(), newFixture(t, address, nil)
		want := api.WebhookEndpoint{URL: "https://example.com/hooks",
			EventTypes: []string{ApplicationCreated, ClickRecorded}, Description: "Dashboard ☺", Enabled: true,
			CreatedAt: api.TimestampOf(f.clock.now())}
		e, secret, err := f.CreateEndpoint(ctx, "ptn_a", api.NewWebhook{URL: "https://EXAMPLE.com:443/hooks",
			EventTypes: []string{ClickRecorded, ApplicationCreated, ClickRecorded}, Description: &want.Description})
		if err != nil {
			t.Fatal(err)
		}
		want.ID = e.ID
		if diff := cmp.Diff(want, e); diff != "" || !strings.HasPrefix(e.ID, "whe_") ||
			!strings.HasPrefix(secret, "whsec_") {
			t.Errorf("made %s: %s", e.ID, diff)
		}
		got, err := f.FindEndpoint(ctx, "ptn_a", e.ID)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("read: %v %s", err, diff)
		}
		f.clock.pass(time.Second)
		all, _, err := f.CreateEndpoint(ctx, "ptn_a", api.NewWebhook{URL: "https://example.com/all"})
		if err != nil || !cmp.Equal(all.EventTypes, EventTypes()) {
			t.Errorf("without types: %+v, %v", all, err)
		}
		if list, err := f.ListEndpoints(ctx, "ptn_a"); err != nil || !cmp.Equal(list, []api.WebhookEndpoint{want, all}) {
			t.Errorf("listed: %+v, %v", list, err)
		}
		if list, err := f.ListEndpoints(ctx, "ptn_b"); err != nil || len(list) != 0 {
			t.Errorf("another partner sees %+v, %v", list, err)
		}
		changed, err := f.ChangeEndpoint(ctx, "ptn_a", e.ID, api.WebhookChange{URL: ptr("https://example.com/new"),
			EventTypes: []string{OutcomeRecorded}, Description: ptr("")})
		want.URL, want.EventTypes, want.Description = "https://example.com/new", []string{OutcomeRecorded}, ""
		if diff := cmp.Diff(want, changed); diff != "" || err != nil {
			t.Errorf("changed: %v %s", err, diff)
		}
		if off, err := f.ChangeEndpoint(ctx, "ptn_a", e.ID, api.WebhookChange{Enabled: ptr(false)}); err != nil ||
			off.Enabled ||
			*off.DisabledReason != DisabledByPartner || !off.DisabledAt.T.Equal(f.clock.now()) {
			t.Errorf("switched off: %+v, %v", off, err)
		}
		if _, err := f.SendTest(ctx, "ptn_a", e.ID); !errors.Is(err, ErrEndpointDisabled) {
			t.Errorf("test of a disabled endpoint: %v", err)
		}
		if on, err := f.ChangeEndpoint(ctx, "ptn_a", e.ID, api.WebhookChange{Enabled: ptr(true)}); err != nil ||
			!cmp.Equal(on, want) {
			t.Errorf("switched on: %+v, %v", on, err)
		}
		if err := f.DeleteEndpoint(ctx, "ptn_a", e.ID); err != nil {
			t.Error(err)
		}
		if list, err := f.ListEndpoints(ctx, "ptn_a"); err != nil || !cmp.Equal(list, []api.WebhookEndpoint{all}) {
			t.Errorf("after deleting: %+v, %v", list, err)
		}
	})
}

func TestWhatIsRefused(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		ctx, f := t.Context(), newFixture(t, address, func(o *Options) { o.AllowLoopback = false })
		e, _ := f.endpoint("https://example.com/1")
		other, _ := f.endpoint("https://example.com/2")
		d, err := f.SendTest(ctx, "ptn_a", e.ID)
		if err != nil {
			t.Fatal(err)
		}
		create := func(partner string, n api.NewWebhook) error {
			_, _, err := f.CreateEndpoint(ctx, partner, n)
			return err
		}
		patch := func(partner, id string, c api.WebhookChange) error {
			_, err := f.ChangeEndpoint(ctx, partner, id, c)
			return err
		}
		second := func(_ any, err error) error { return err }
		for name, tt := range map[string]struct{ got, want error }{
			"same URL":           {create("ptn_a", api.NewWebhook{URL: "https://EXAMPLE.com:443/1"}), ErrDuplicateURL},
			"of another partner": {create("ptn_b", api.NewWebhook{URL: "https://example.com/1"}), nil},
			"changed to same URL": {patch("ptn_a", other.ID, api.WebhookChange{URL: ptr("https://example.com/1")}),
				ErrDuplicateURL},
			"changed to own URL":   {patch("ptn_a", e.ID, api.WebhookChange{URL: ptr("https://example.com/1")}), nil},
			"get another's":        {second(f.FindEndpoint(ctx, "ptn_b", e.ID)), ErrNotFound},
			"patch another's":      {patch("ptn_b", e.ID, api.WebhookChange{Enabled: ptr(false)}), ErrNotFound},
			"delete another's":     {f.DeleteEndpoint(ctx, "ptn_b", e.ID), ErrNotFound},
			"rotate another's":     {second(f.RotateSecret(ctx, "ptn_b", e.ID, 0)), ErrNotFound},
			"test another's":       {second(f.SendTest(ctx, "ptn_b", e.ID)), ErrNotFound},
			"log of another's":     {second(f.ListDeliveries(ctx, "ptn_b", e.ID, "", 1)), ErrNotFound},
			"redeliver another's":  {second(f.Redeliver(ctx, "ptn_b", e.ID, d.ID)), ErrNotFound},
			"redeliver elsewhere":  {second(f.Redeliver(ctx, "ptn_a", other.ID, d.ID)), ErrNotFound},
			"redeliver nothing":    {second(f.Redeliver(ctx, "ptn_a", e.ID, "whd_0")), ErrNotFound},
			"partner that is none": {second(f.ListEndpoints(ctx, "ptn_none")), nil},
		} {
			if !errors.Is(tt.got, tt.want) {
				t.Errorf("%s: %v, want %v", name, tt.got, tt.want)
			}
		}
		if err := create("ptn_none", api.NewWebhook{URL: "https://example.com/1"}); err == nil {
			t.Error("made for a partner that does not exist")
		}
		for field, err := range map[string]error{
			"url":         create("ptn_a", api.NewWebhook{URL: "http://example.com"}),
			"event_types": create("ptn_a", api.NewWebhook{URL: "https://example.com/3", EventTypes: []string{TestEventType}}),
			"description": create("ptn_a", api.NewWebhook{URL: "https://example.com/3",
				Description: ptr(strings.Repeat("ä", maxDescription+1))}),
			"grace": second(f.RotateSecret(ctx, "ptn_a", e.ID, MaxSigningGracePeriod+1)),
		} {
			var invalid *InvalidFieldError
			if !errors.As(err, &invalid) || invalid.Field != field || invalid.Problem == "" {
				t.Errorf("%s: %v", field, err)
			}
		}
		if err := patch("ptn_a", e.ID, api.WebhookChange{EventTypes: []string{}}); err == nil {
			t.Error("an endpoint without types")
		}
		err = create("ptn_a", api.NewWebhook{URL: "https://10.0.0.1", EventTypes: []string{"x"},
			Description: ptr("\x00")})
		for _, want := range []string{"url:", "event_types:", "description:"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v does not name %s", err, want)
			}
		}
	})
}

// Many at once when there is room for one.
func TestEndpointsAtOnce(t *testing.T) {
	stores.RunOnEach(t, func(t *testing.T, address string) {
		f := newFixture(t, address, nil)
		for i := range maxEndpoints - 1 {
			f.endpoint(fmt.Sprintf("https://example.com/%d", i))
		}
		faults := make([]error, 16)
		var wg sync.WaitGroup
		connected, begin := make(chan struct{}, len(faults)), make(chan struct{})
		// Connections that are open already, so that the calls really meet.
		for range faults {
			wg.Go(func() {
				if _, err := f.db.Exec(`SELECT COUNT(*) FROM webhook_endpoints`); err != nil {
					t.Error(err)
				}
				connected <- struct{}{}
			})
		}
		for range faults {
			<-connected
		}
		for i := range faults {
			wg.Go(func() {
				<-begin
				_, _, faults[i] = f.CreateEndpoint(t.Context(), "ptn_a",
					api.NewWebhook{URL: fmt.Sprintf("https://example.com/more/%d", i)})
			})
		}
		close(begin)
		wg.Wait()
		made := 0
		for _, err := range faults {
			if err == nil {
				made++
			} else if !errors.Is(err, ErrTooManyEndpoints) {
				t.Error(err)
			}
		}
		if list, err := f.ListEndpoints(t.Context(), "ptn_a"); err != nil || len(list) != maxEndpoints || made != 1 {
			t.Errorf("%d endpoints, %d made at last, %v", len(list), made, err)
		}
	})
}

func TestPagesOfTheLog(t *testing.T) {
	f := newFixture(t, statetest.SQLitePath(t), nil)
	e, _ := f.endpoint("https://example.com/")
	for range 7 {
		if _, err := f.SendTest(t.Context(), "ptn_a", e.ID); err != nil {
			t.Fatal(err)
		}
		f.clock.pass(time.Second)
	}
	var walked []api.WebhookDelivery
	for before := ""; ; {
		page, err := f.ListDeliveries(t.Context(), "ptn_a", e.ID, before, 3)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		walked = append(walked, page...)
		before = page[len(page)-1].ID
	}
	if diff := cmp.Diff(f.deliveries(e.ID), walked); diff != "" || len(walked) != 7 ||
		!walked[0].CreatedAt.Time().After(walked[6].CreatedAt.Time()) {
		t.Errorf("%d walked: %s", len(walked), diff)
	}
}
