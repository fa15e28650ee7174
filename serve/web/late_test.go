package web_test

import (
	"strings"
	"testing"
	"time"

	"labour/snapshots/snaptest"
)

// Where the platform's feed stopped before the day of the snapshot, each page with its adverts says since when.
// Pages without its figures do not, and nothing is said while it is received.
func TestPagesNameALateSource(t *testing.T) {
	data, c := t.TempDir(), snaptest.DefaultContent(t, "2026-11-20")
	stopped := time.Date(2026, 9, 2, 5, 0, 0, 0, time.UTC)
	for i := range c.Freshness {
		if c.Freshness[i].SourceKey == "platform" {
			c.Freshness[i].LastSuccessAt = &stopped
		}
	}
	snaptest.BuildSnapshot(t, data, "2026-11-20", c)
	late, fresh := siteOf(t, data), siteOf(t, freshData(t))
	const sentence = "The source “Roles posted on the platform” was last received on 2 September 2026; anything newer " +
		"is not in the figures."
	for _, path := range []string{"/", "/places/camden", "/places/camden/brief", "/skills?place=camden", "/skills/sql",
		"/changes"} {
		if !strings.Contains(text(late.page(t, path)), sentence) {
			t.Errorf("%s does not name the late source", path)
		}
		if strings.Contains(text(fresh.page(t, path)), "on the platform” was last received") {
			t.Errorf("%s states that the platform is late, but it is not", path)
		}
	}
	if strings.Contains(text(late.page(t, "/courses")), sentence) {
		t.Error("/courses names a source that it does not use")
	}
}

// freshData returns a data directory with a snapshot whose platform was received on its day.
func freshData(t *testing.T) string {
	t.Helper()
	data := t.TempDir()
	snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	return data
}
