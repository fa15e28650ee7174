package web

import (
	"archive/zip"
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"text/template"
	"time"

	"labour/serve"
	"labour/snapshots"
)

// toFind redirects the former address of the search page to /find.
func (s *Site) toFind(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, address("/find", url.Values{"q": {r.URL.Query().Get("q")}}), http.StatusMovedPermanently)
}

// toPlaces redirects the address of the former page of official codes to /places, which now shows
// the codes.
func (s *Site) toPlaces(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	to := address("/places", url.Values{"kind": {q.Get("kind")}, "name": {q.Get("name")}})
	http.Redirect(w, r, to+"#codes", http.StatusMovedPermanently)
}

// toSnapshot redirects the address of the former page of changed rows to the page of the snapshot.
// That page links to the changed rows.
func (s *Site) toSnapshot(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, "/snapshots/"+url.PathEscape(r.PathValue("id"))+"#changed", http.StatusMovedPermanently)
}

// robots sends robots.txt. It tells search engines not to index pages with filters, because there
// are very many combinations of filters.
func (s *Site) robots(w http.ResponseWriter, r *http.Request) {
	s.writeText(w, "text/plain", "robots.txt", s.baseOf(r))
}

// security sends security.txt (RFC 9116), which has the contact for vulnerability reports. If there
// is no contact, it sends status 404.
func (s *Site) security(w http.ResponseWriter, r *http.Request) {
	contact := s.contactAddress()
	if contact == "" {
		http.NotFound(w, r)
		return
	}
	s.writeText(w, "text/plain", "security.txt",
		map[string]any{"Contact": contact, "Expires": s.Now().UTC().AddDate(0, 6, 0).Truncate(24 * time.Hour)})
}

// contactAddress returns the operator's contact as a mailto: or https:// address. It returns "" if
// there is none.
func (s *Site) contactAddress() string {
	if s.OperatorContact == "" || strings.Contains(s.OperatorContact, "/") {
		return s.OperatorContact
	}
	return "mailto:" + s.OperatorContact
}

// texts holds the templates of plain-text files, such as robots.txt.
//
//go:embed texts
var texts embed.FS

func (s *Site) writeText(w http.ResponseWriter, kind, name string, data any) {
	w.Header().Set("Content-Type", kind+"; charset=utf-8")
	w.Header().Set("Cache-Control", serve.PublicCacheControl)
	if err := fill(w, name, data); err != nil {
		s.Log.Info(name, "error", err) // the client may have disconnected
	}
}

func fill(w io.Writer, name string, data any) error {
	t, err := template.ParseFS(texts, "texts/"+name)
	if err != nil {
		return err
	}
	return t.Execute(w, data)
}

const feedEntries = 20 // largest number of entries in the Atom feed

// feed sends an Atom feed of publications. A day with several published snapshots has one entry.
// The ID and the time of an entry do not change, so a feed reader shows it only once.
func (s *Site) feed(w http.ResponseWriter, r *http.Request) {
	days, err := s.publishedDays()
	if err != nil {
		s.Log.Error("feed of the publications", "error", err)
		http.Error(w, "The list of publications cannot be read.", http.StatusInternalServerError)
		return
	}
	s.writeText(w, "application/atom+xml", "feed.xml", map[string]any{"Base": s.baseOf(r), "Days": days,
		"Now": s.Now()})
}

// publishedDays returns the newest snapshot of each date that was not withdrawn, the latest dates
// first. It returns at most feedEntries snapshots.
func (s *Site) publishedDays() (days []snapshotEntry, err error) {
	ids, err := s.publishedIDs()
	for _, id := range ids {
		if len(days) == feedEntries {
			break
		}
		if len(days) > 0 && id.Date().Equal(days[len(days)-1].ID.Date()) {
			continue
		}
		e, ok, err := s.entry(id)
		if err != nil {
			return nil, err
		}
		if ok && e.Withdrawn == nil {
			days = append(days, e)
		}
	}
	return days, err
}

// releasedFiles returns the names of the files of a snapshot that anyone may download. These are
// the public tables, and the files that describe and sign them.
func (s *Site) releasedFiles(e snapshotEntry) (names []string) {
	for _, name := range papers() {
		if _, err := os.Stat(snapshots.JoinPath(s.Store.SnapshotDir(e.ID), name)); err == nil {
			names = append(names, name)
		}
	}
	for _, t := range e.Manifest.Tables {
		if slices.Contains(downloadableTables(), t.Name) {
			names = append(names, snapshots.TableFileName(t.Name))
		}
	}
	return names
}

// downloadableFiles returns the files that anyone may download from the snapshot in the request's
// path. If name is not empty, it returns only the file with that name. It returns none if the
// snapshot is unknown or was withdrawn, or if a file cannot be read or verified.
func (s *Site) downloadableFiles(r *http.Request, name string) (e snapshotEntry, names []string) {
	err := s.Backend.RunQuery(r.Context(), func(context.Context) (err error) {
		var ok bool
		if e, ok, err = s.find(r.PathValue("id")); err != nil || !ok || e.Withdrawn != nil {
			return err
		}
		names = slices.DeleteFunc(s.releasedFiles(e), func(one string) bool { return name != "" && one != name })
		for _, one := range names {
			if err := s.checkFile(e.ID, one); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		s.Log.Error("file of a snapshot", "error", err)
		return e, nil
	}
	return e, names
}

// serveFile sends one file of a snapshot. It sends status 404 if the file may not be downloaded.
func (s *Site) serveFile(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	e, names := s.downloadableFiles(r, name)
	if name == "" || len(names) == 0 {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "no-cache") // the snapshot may be withdrawn later
	if strings.HasSuffix(name, ".parquet") {
		// Programs read parts of it by their position in the file, so it is sent uncompressed.
		w.Header().Set("Content-Type", parquet)
		w.Header().Set(serve.NoCompressionHeader, "true")
	}
	if f, ok := e.Manifest.FileSum(name); ok {
		w.Header().Set("ETag", `"`+f.SHA256+`"`)
	}
	serve.StreamResponse(w)
	http.ServeFile(w, r, snapshots.JoinPath(s.Store.SnapshotDir(e.ID), name))
}

// releasedZip sends all downloadable files of a snapshot as one ZIP archive. The archive is not
// compressed, because the tables already are.
func (s *Site) releasedZip(w http.ResponseWriter, r *http.Request) {
	e, names := s.downloadableFiles(r, "")
	if len(names) == 0 {
		http.NotFound(w, r)
		return
	}
	folder := "labour-" + string(e.ID)
	w.Header().Set("Content-Type", "application/zip")
	w.Header().Set("Content-Disposition", `attachment; filename="`+folder+`.zip"`)
	w.Header().Set("Cache-Control", "no-cache") // the snapshot may be withdrawn later
	serve.StreamResponse(w)
	z := zip.NewWriter(w)
	add := func(name string, from io.Reader) error {
		part, err := z.CreateHeader(&zip.FileHeader{Name: folder + "/" + name, Method: zip.Store,
			Modified: e.Manifest.CreatedAt})
		if err == nil {
			_, err = io.Copy(part, from)
		}
		return err
	}
	err := s.addReleased(e, names, add)
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		s.Log.Info("archive of a snapshot", "error", err)
		panic(http.ErrAbortHandler) // a partial archive must not look complete
	}
}

func (s *Site) addReleased(e snapshotEntry, names []string, add func(name string, from io.Reader) error) error {
	note, err := s.readme(e)
	if err == nil {
		err = add("README.txt", note)
	}
	for _, name := range names {
		if err != nil {
			return err
		}
		var f *os.File
		if f, err = os.Open(snapshots.JoinPath(s.Store.SnapshotDir(e.ID), name)); err == nil {
			err = add(name, f)
			f.Close()
		}
	}
	return err
}

// readme returns the README for the ZIP archive of a snapshot. It lists the files, and the
// attribution statements that must be shown with the data.
func (s *Site) readme(e snapshotEntry) (io.Reader, error) {
	text, err := os.ReadFile(snapshots.JoinPath(s.Store.SnapshotDir(e.ID), snapshots.DataPackageFileName))
	if err != nil {
		return nil, err
	}
	data := struct {
		snapshotEntry `json:"-"`
		Package, Sums string `json:"-"`
		Sources       []struct {
			Key         string `json:"key"`
			Attribution string `json:"attribution_statement"`
		} `json:"sources"`
	}{snapshotEntry: e, Package: snapshots.DataPackageFileName, Sums: snapshots.SumsFileName}
	if err := json.Unmarshal(text, &data); err != nil {
		return nil, fmt.Errorf("%s of %s: %w", snapshots.DataPackageFileName, e.ID, err)
	}
	var b bytes.Buffer
	return &b, fill(&b, "README.txt", data)
}

// checkFile returns an error if a file of a snapshot has a wrong checksum, or if the signature of
// the checksums is invalid. It checks nothing if Options.CheckSignature is nil.
func (s *Site) checkFile(id snapshots.ID, name string) error {
	if s.CheckSignature == nil {
		return nil
	}
	if err := s.CheckSignature(id); err != nil || name == snapshots.SumsFileName || name == snapshots.SignatureFileName {
		return err
	}
	sums, err := os.ReadFile(snapshots.JoinPath(s.Store.SnapshotDir(id), snapshots.SumsFileName))
	if err != nil {
		return err
	}
	f, err := snapshots.HashFile(snapshots.JoinPath(s.Store.SnapshotDir(id), name))
	if err == nil && !slices.Contains(strings.Split(string(sums), "\n"), f.SHA256+"  "+name) {
		err = fmt.Errorf("%s of %s is not what was sealed", name, id)
	}
	return err
}
