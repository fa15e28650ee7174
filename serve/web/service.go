package web

import (
	"archive/zip"
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
	"labour/serve/api"
	"labour/snapshots"
)

// toFind leads from the former address of the search to its present one.
func (s *Site) toFind(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, address("/find", url.Values{"q": {r.URL.Query().Get("q")}}), http.StatusMovedPermanently)
}

// robots lets search engines take the pages; each combination of filters is one, so they
// take those that the site map lists.
func (s *Site) robots(w http.ResponseWriter, r *http.Request) {
	plain(w, "text/plain; charset=utf-8")
	fmt.Fprintf(w, "User-agent: *\nDisallow: /csv/\nDisallow: /xlsx/\nDisallow: /partner\nDisallow: /v1/\nDisallow: /*?\nSitemap: %s/sitemap.xml\n", baseOf(r))
}

// security says whom to tell of a weakness, in the form of RFC 9116. Without a contact
// there is none.
func (s *Site) security(w http.ResponseWriter, r *http.Request) {
	if s.Contact == "" {
		http.NotFound(w, r)
		return
	}
	contact := s.Contact
	if !strings.Contains(contact, "/") {
		contact = "mailto:" + contact
	}
	plain(w, "text/plain; charset=utf-8")
	fmt.Fprintf(w, "Contact: %s\nExpires: %s\nPreferred-Languages: en\n", contact, s.Now().UTC().AddDate(0, 6, 0).Truncate(24*time.Hour).Format(time.RFC3339))
}

// sitemap lists the pages that do not depend on filters.
func (s *Site) sitemap(w http.ResponseWriter, r *http.Request) {
	base := baseOf(r)
	var list []string
	for _, p := range s.pages() {
		if path := strings.TrimSuffix(strings.TrimPrefix(p.pattern, "GET "), "{$}"); !strings.Contains(path, "{") {
			list = append(list, base+path)
		}
	}
	if snapshot, release, err := s.Live.Acquire(); err == nil {
		defer release()
		for _, n := range snapshot.Named(api.Places) {
			list = append(list, base+"/places/"+url.PathEscape(n.Value))
		}
		for _, n := range snapshot.Named(api.Skills) {
			list = append(list, base+"/skills/"+url.PathEscape(n.Value))
		}
	}
	s.writeXML(w, "application/xml", "sitemap.xml", list)
}

//go:embed xml
var xmlFiles embed.FS

func (s *Site) writeXML(w http.ResponseWriter, kind, name string, data any) {
	plain(w, kind+"; charset=utf-8")
	t, err := template.ParseFS(xmlFiles, "xml/"+name)
	if err == nil {
		err = t.Execute(w, data)
	}
	if err != nil {
		s.Log.Info(name, "error", err) // whoever asked may be gone
	}
}

// plain sets the headers of a small file.
func plain(w http.ResponseWriter, kind string) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", serve.PublicCache)
}

// feedEntries is how many days of publication the feed has.
const feedEntries = 20

// feed answers the publications, one for each day, however many snapshots the day has: its
// identifier and time stay the same, so that a reader shows it once.
func (s *Site) feed(w http.ResponseWriter, r *http.Request) {
	days, err := s.publishedDays()
	if err != nil {
		s.Log.Error("feed of the publications", "error", err)
		http.Error(w, "The list of publications cannot be read.", http.StatusInternalServerError)
		return
	}
	s.writeXML(w, "application/atom+xml", "feed.xml", map[string]any{"Base": baseOf(r), "Days": days, "Now": s.Now()})
}

// publishedDays returns the newest snapshot of each of the last days that have one which
// was not withdrawn.
func (s *Site) publishedDays() (days []snapshotEntry, err error) {
	ids, err := s.published()
	var last snapshots.ID
	for _, id := range ids {
		if err != nil || len(days) == feedEntries {
			break
		}
		if last != "" && id.Date().Equal(last.Date()) {
			continue
		}
		e, ok, entryErr := s.entry(id)
		if err = entryErr; ok && e.Withdrawn == nil {
			days, last = append(days, e), id
		}
	}
	return days, err
}

// releasedFiles are the names of the files of a snapshot that may be downloaded and that it
// has: what proves the tables, and the released tables.
func (s *Site) releasedFiles(e snapshotEntry) (names []string) {
	for _, name := range papers() {
		if _, err := os.Stat(snapshots.Within(s.Store.Dir(e.ID), name)); err == nil {
			names = append(names, name)
		}
	}
	for _, t := range e.Manifest.Tables {
		if slices.Contains(released(), t.Name) {
			names = append(names, snapshots.TableFileName(t.Name))
		}
	}
	return names
}

// given returns the files of a published snapshot that may be given away: all that are
// released, or the one of a name. There are none of a snapshot that was withdrawn, or of
// which one is not as it was sealed.
func (s *Site) given(r *http.Request, name string) (e snapshotEntry, names []string) {
	err := s.Inside.Ask(r.Context(), func(context.Context) (err error) {
		var ok bool
		if e, ok, err = s.find(r.PathValue("id")); err != nil || !ok || e.Withdrawn != nil {
			return err
		}
		for _, one := range s.releasedFiles(e) {
			if name != "" && one != name {
				continue
			}
			if err := s.checkFile(e.ID, one); err != nil {
				return err
			}
			names = append(names, one)
		}
		return nil
	})
	if err != nil {
		s.Log.Error("file of a snapshot", "error", err)
		return e, nil
	}
	return e, names
}

// serveFile gives a released file of a snapshot. Anything else does not exist.
func (s *Site) serveFile(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	e, names := s.given(r, name)
	if name == "" || len(names) == 0 {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "no-cache") // it may be withdrawn
	serve.Stream(w)
	http.ServeFile(w, r, snapshots.Within(s.Store.Dir(e.ID), name))
}

// releasedZip gives all released files of a snapshot in one archive. The tables are
// compressed already.
func (s *Site) releasedZip(w http.ResponseWriter, r *http.Request) {
	e, names := s.given(r, "")
	if len(names) == 0 {
		http.NotFound(w, r)
		return
	}
	folder := "labour-" + string(e.ID)
	w.Header().Set("Content-Type", "application/zip")
	w.Header().Set("Content-Disposition", `attachment; filename="`+folder+`.zip"`)
	w.Header().Set("Cache-Control", "no-cache") // it may be withdrawn
	serve.Stream(w)
	z := zip.NewWriter(w)
	add := func(name string, from io.Reader) error {
		part, err := z.CreateHeader(&zip.FileHeader{Name: folder + "/" + name, Method: zip.Store, Modified: e.Manifest.CreatedAt})
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
		panic(http.ErrAbortHandler) // half an archive must not look like a whole one
	}
}

func (s *Site) addReleased(e snapshotEntry, names []string, add func(name string, from io.Reader) error) error {
	note, err := s.readme(e)
	if err == nil {
		err = add("README.txt", strings.NewReader(note))
	}
	for _, name := range names {
		if err != nil {
			return err
		}
		var f *os.File
		if f, err = os.Open(snapshots.Within(s.Store.Dir(e.ID), name)); err == nil {
			err = add(name, f)
			f.Close()
		}
	}
	return err
}

// readme says what an archive holds and which statements to show with it.
func (s *Site) readme(e snapshotEntry) (string, error) {
	text, err := os.ReadFile(snapshots.Within(s.Store.Dir(e.ID), snapshots.PackageName))
	if err != nil {
		return "", err
	}
	var described struct {
		Sources []struct {
			Key         string `json:"key"`
			Attribution string `json:"attribution_statement"`
		} `json:"sources"`
	}
	if err := json.Unmarshal(text, &described); err != nil {
		return "", fmt.Errorf("%s of %s: %w", snapshots.PackageName, e.ID, err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Labour market data of %s, %s, snapshot %s: the tables that are released.\n\n", e.Manifest.PlatformName, e.Manifest.AsOf, e.ID)
	fmt.Fprintf(&b, "%s describes every table of the snapshot, those that are not released too.\n", snapshots.PackageName)
	fmt.Fprintf(&b, "To check the files: sha256sum --check --ignore-missing %s\n\n", snapshots.SumsName)
	b.WriteString("Show the statements of the sources that you use, word for word. The column source_key names them.\n\n")
	for _, source := range described.Sources {
		fmt.Fprintf(&b, "%s: %s\n", source.Key, source.Attribution)
	}
	return b.String(), nil
}

// checkFile reports what is wrong with a file of a snapshot, where signatures are asked
// for: the signature of the sums, or the sum of the file.
func (s *Site) checkFile(id snapshots.ID, name string) error {
	if s.Verify == nil {
		return nil
	}
	if err := s.Verify(id); err != nil || name == snapshots.SumsName || name == snapshots.SignatureName {
		return err
	}
	sums, err := os.ReadFile(snapshots.Within(s.Store.Dir(id), snapshots.SumsName))
	if err != nil {
		return err
	}
	f, err := snapshots.HashFile(snapshots.Within(s.Store.Dir(id), name))
	if err == nil && !slices.Contains(strings.Split(string(sums), "\n"), f.SHA256+"  "+name) {
		err = fmt.Errorf("%s of %s is not what was sealed", name, id)
	}
	return err
}
