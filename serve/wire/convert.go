package wire

import (
	"time"

	"labour/serve/labourdata"
)

// FromSource is an entry of the envelope's sources.
func FromSource(s labourdata.Source) Source { return Source(s) }

// FromSkillsUnmet is a row of skills not met.
func FromSkillsUnmet(r labourdata.SkillsUnmetRow) SkillsUnmetRow {
	return SkillsUnmetRow{
		Rank: r.Rank, Skill: r.Skill, SkillName: r.SkillName, Level: r.Level, LevelName: r.LevelName,
		SourceKey: r.SourceKey, AdvertsSharePct: Share{r.AdvertsShare}, PeopleBelowSharePct: Percent{r.PeopleBelow},
		PeopleTurnedDown: Count{r.TurnedDown}, HiredWithSkillPct: Percent{r.HiredWith},
		TurnedDownWithSkill: Percent{r.TurnedDownWith}, DifferencePctPoints: Percent{r.Difference},
		Score: Score{r.Score}, Bucket: r.Bucket, BucketName: r.BucketName,
	}
}

// FromCourseDemand is a row of course demand.
func FromCourseDemand(r labourdata.CourseDemandRow) CourseDemandRow {
	return CourseDemandRow{
		SourceKey: r.SourceKey, Metric: r.Metric, RegionCode: r.RegionCode, RegionName: r.RegionName,
		SubjectArea: r.SubjectArea, PeriodEnd: DateOf(r.PeriodEnd), Value: Count{r.Value},
		YearOnYear: YearOnYear{PreviousValue: Count{r.PreviousValue}, ChangePct: Percent{r.Change}},
	}
}

// FromSkillsGaps is a row of skills gaps.
func FromSkillsGaps(r labourdata.SkillsGapsRow) SkillsGapsRow {
	pointing := r.PointingSources
	if pointing == nil {
		pointing = []string{}
	}
	return SkillsGapsRow{
		SOC: r.SOC, Occupation: r.Occupation, Classification: r.Classification, Country: r.Country,
		RegionCode: r.RegionCode, SourcesAgreeing: r.SourcesAgreeing, PointingSources: pointing,
		BaseYear: r.BaseYear, HorizonYear: r.HorizonYear, ProjectedChangePct: Percent{r.ProjectedChange},
		ProjectedOpenings: r.ProjectedOpenings, SourceKey: r.SourceKey,
	}
}

// FromEvidence is a row of evidence.
func FromEvidence(r labourdata.EvidenceRow) EvidenceRow {
	return EvidenceRow{
		ID: r.ID, PublishedOn: DateOf(r.PublishedOn), Title: r.Title, Statement: r.Statement, Kind: r.Kind,
		Signal: r.Signal, SOC: r.SOC, RegionCode: r.RegionCode, Country: r.Country, SourceKey: r.SourceKey,
		Licence: r.Licence, Link: r.Link,
	}
}

// FromSources is a row of sources, stale or not at the time of the call.
func FromSources(r labourdata.SourcesRow, now time.Time) SourcesRow {
	return SourcesRow{
		Key: r.Key, SourceKey: r.Key, Publisher: r.Publisher, Title: r.Title, Kind: r.Kind, Licence: r.Licence,
		Link: r.Link, AttributionStatement: r.AttributionStatement, Cadence: string(r.Cadence),
		LastSuccessAt: MaybeTimestamp{r.LastSuccessAt}, Stale: r.Stale(now), AdvertsCounted: r.AdvertsCounted, Rows: r.Rows,
	}
}

// FromRegions is a row of regions.
func FromRegions(r labourdata.RegionsRow) RegionsRow { return RegionsRow(r) }
