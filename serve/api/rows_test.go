package api

import (
	"testing"
	"time"

	"labour/snapshots"
)

// A cursor has each value by which the rows are sorted.
func TestACursorHasThePositionOfItsRow(t *testing.T) {
	early, late := time.Date(2026, 11, 19, 8, 0, 0, 1, time.UTC), time.Date(2026, 11, 20, 9, 0, 0, 2, time.UTC)
	score, bucket := int64(135975), "camden"
	unmet := SkillsUnmetRow{Rank: 3, Score: Score{&score}, AdvertsShare: Share{512}, Skill: "sql"}
	want := SkillsUnmetPosition{Rank: 3, Score: &score, AdvertsShare: 512, Skill: "sql"}
	if got := unmet.CursorPosition(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	unmet.Bucket, want.Bucket = &bucket, "camden"
	if got := unmet.CursorPosition(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	evidence := EvidenceRow{PublishedOn: DateOf(early), ID: "e1"}
	if got, want := evidence.CursorPosition(), (EvidencePosition{PublishedOn: early, ID: "e1"}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	job := JobsRow{PostedAt: TimestampOf(early), FirstSeenAt: TimestampOf(late), ID: "j1"}
	if got, want := job.CursorPosition(), (JobsPosition{PostedAt: early, FirstSeen: late, ID: "j1"}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	at := EmbargoedPosition{41}
	for i, got := range []EmbargoedPosition{DemandRow{At: at}.CursorPosition(), TrendsRow{At: at}.CursorPosition(),
		OutlookRow{At: at}.CursorPosition(), ReachRow{At: at}.CursorPosition(), SignalsRow{At: at}.CursorPosition(),
		PrioritiesRow{At: at}.CursorPosition()} {
		if got != at {
			t.Errorf("embargoed dataset %d: %v, want %v", i, got, at)
		}
	}
}

// A daily source is stale once half of its parts were received more than two days ago or never.
func TestFreshnessOfASource(t *testing.T) {
	now := time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
	limit := now.AddDate(0, 0, -2)
	late := limit.Add(-time.Second)
	fresh, stale, never := snapshots.FreshnessRow{LastSuccessAt: &limit}, snapshots.FreshnessRow{LastSuccessAt: &late},
		snapshots.FreshnessRow{}
	for _, c := range []struct {
		parts      []snapshots.FreshnessRow
		last       *time.Time
		stale      bool
		partsStale int
	}{
		{[]snapshots.FreshnessRow{stale, fresh, fresh}, &limit, false, 1},
		{[]snapshots.FreshnessRow{stale, never, fresh, fresh}, &limit, true, 2},
		{[]snapshots.FreshnessRow{never, stale}, &late, true, 2},
		{[]snapshots.FreshnessRow{never}, nil, true, 1},
	} {
		r := SourcesRow{Cadence: Daily}
		r.SetFreshness(c.parts, now)
		if r.LastSuccessAt.T != c.last || r.Stale != c.stale || r.Parts != len(c.parts) || r.PartsStale != c.partsStale {
			t.Errorf("%+v, want %+v", r, c)
		}
	}
}

func TestAComplianceExportIsAFixedPreview(t *testing.T) {
	day := func(d int) Date { return DateOf(time.Date(2026, 11, d, 0, 0, 0, 0, time.UTC)) }
	got := encode(t, NewCompliancePreview(ComplianceRequest{Scheme: "social-value-2026", PeriodStart: day(1),
		PeriodEnd: day(30)},
		TimestampOf(time.Date(2026, 12, 1, 6, 0, 0, 0, time.UTC))))
	want := `{"preview":true,"notice":"These are fixed preview figures for building against. They are not live and ` +
		`describe ` +
		`no place, employer or person.","data":{"scheme":"social-value-2026","period_start":"2026-11-01",` +
		`"period_end":"2026-11-30","developments":12,"obligations":48,"jobs_created":320,"apprenticeships_started":45,` +
		`"local_people_employed":210,"training_places":160,"contributions_gbp":1250000},` +
		`"meta":{"generated":"2026-12-01T06:00:00Z"}}`
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
