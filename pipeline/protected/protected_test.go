package protected

import "testing"

// The names are part of the data directories that operators have.
func TestPathsOfTheProtectedZone(t *testing.T) {
	for got, want := range map[string]string{
		Dir("/data"):                "/data/protected",
		ArchiveDir("/data"):         "/data/protected/archive",
		PastAdvertsDir("/data"):     "/data/protected/past",
		StagingDir("/data"):         "/data/protected/staging",
		TruthDir("/data"):           "/data/protected/truth",
		SpillDir("/data"):           "/data/protected/spill",
		CodingNotesFile("/data"):    "/data/protected/coding/notes.json",
		ManifestKeyFile("/data"):    "/data/protected/manifest.key",
		RoundingSecretFile("/data"): "/data/protected/people.secret",
		ClusterSessionFile("/data"): "/data/protected/cluster.json",
	} {
		if got != want {
			t.Errorf("the path is %s, want %s", got, want)
		}
	}
}
