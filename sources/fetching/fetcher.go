package fetching

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"labour/sources"
	"labour/sources/archive"
)

// ErrNothingFetched is the error if nothing of a source could be fetched in this run. The result of
// the previous fetch stays in use.
var ErrNothingFetched = errors.New("nothing could be fetched")

// Fetcher downloads and archives the data of one source in one run. It implements sources.Fetcher
// and is safe for concurrent use.
type Fetcher struct {
	o    Options
	red  redactor
	http *http.Client
	last sources.Extract // last extract of the source before this run

	mu            sync.Mutex
	objects       map[string]sources.ArchivedObject
	failures      map[string]error
	earlierBodies map[string]archive.FetchRecord // last archived body from before this run, by object name
	latest        string                         // name of the object that was requested last
	bytes         int64                          // number of bytes downloaded so far in this run
}

// New returns a Fetcher for one source. Invalid options and an unreadable archive are errors.
func New(o Options) (*Fetcher, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	last, _, err := o.Archive.LastExtract(o.SourceKey)
	if err != nil {
		return nil, err
	}
	return &Fetcher{o: o, http: o.client(), last: last, objects: map[string]sources.ArchivedObject{},
		failures:      map[string]error{},
		earlierBodies: map[string]archive.FetchRecord{}}, nil
}

// FetchSource fetches a source. It returns the extract (the list of fetched objects) and a fault
// for each failed part, such as one board. An error means that no extract was written; the faults
// then give the reasons.
func FetchSource(ctx context.Context, src sources.Source, o Options) (sources.Extract, []sources.Fault, error) {
	o.SourceKey = src.Info().Key
	f, err := New(o)
	if err != nil {
		return sources.Extract{}, nil, err
	}
	bounded, cancel := context.WithTimeout(ctx, f.o.RunTimeout)
	defer cancel()
	err = fetch(bounded, src, f)
	switch {
	case ctx.Err() != nil:
		err = errors.Join(err, fmt.Errorf("stopped before the end: %w", ctx.Err()))
	case bounded.Err() != nil:
		f.markOutOfTime()
		return f.WriteExtract()
	}
	if err != nil {
		err = f.opaque("", err)
		return sources.Extract{},
			append(f.faults(), sources.Fault{Source: o.SourceKey, Code: sources.FaultCodeOf(err), Detail: err.Error()}), err
	}
	return f.WriteExtract()
}

// fetch calls src.Fetch. It returns a panic as an error.
func fetch(ctx context.Context, src sources.Source, f sources.Fetcher) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = sources.CodedErrorf(sources.FaultWrongFormat, "the connector cannot read the response: %v", p)
		}
	}()
	return src.Fetch(ctx, f)
}

// markOutOfTime marks each part of the source that was not fetched completely within the time limit as
// failed. Incomplete parts are never used.
func (f *Fetcher) markOutOfTime() {
	err := fmt.Errorf("the source takes longer than %s in all; %w", f.o.RunTimeout, context.DeadlineExceeded)
	f.mu.Lock()
	defer f.mu.Unlock()
	var unfinished []string
	if _, had := f.objects[f.latest]; !had || listOf(f.latest) != f.latest {
		unfinished = append(unfinished, listOf(f.latest))
	}
	for _, o := range f.last.Objects {
		if _, had := f.objects[o.Name]; !had && !f.isLost(o) {
			unfinished = append(unfinished, listOf(o.Name))
		}
	}
	for _, part := range unfinished {
		f.markLost(part, err)
	}
}

// listOf returns the name of the list that is incomplete without the named object. For example,
// "a/b" is a page of the list "a", and "a/b/c" is a page of the list "a/b". archive.PartOfObject
// has a different rule: it returns "a/b" for both.
func listOf(name string) string {
	steps := strings.Split(name, "/")
	switch len(steps) {
	case 1:
		return name
	case 2:
		return steps[0]
	}
	return steps[0] + "/" + steps[1]
}

// Get downloads one object and archives it. A name can be fetched only once per run, unless
// DiscardPart or MarkFailed removes the object. The error contains no secrets, and
// sources.FaultCodeOf returns its code.
func (f *Fetcher) Get(ctx context.Context, r sources.Request) (sources.ArchivedObject, error) {
	f.mu.Lock()
	_, twice := f.objects[r.Name]
	f.latest = r.Name
	f.mu.Unlock()
	if r.Name == "" || twice {
		return sources.ArchivedObject{}, fmt.Errorf("get %q: an object needs a name that is used once per run", r.Name)
	}
	defer f.progress()
	for _, v := range r.Header {
		f.red.add(v)
	}
	f.red.addFromURL(r.URL)
	old, had, err := f.o.Archive.LastFetchWithBody(f.o.SourceKey, r.Name)
	if err != nil {
		return sources.ArchivedObject{}, err
	}
	f.noteBefore(old, had)
	rec, err := f.download(ctx, r, old)
	if err != nil {
		return sources.ArchivedObject{}, f.recordFailure(rec, err)
	}
	if err := f.o.Archive.AppendFetchRecord(rec); err != nil {
		return sources.ArchivedObject{}, err
	}
	f.o.Log.Info("fetched", "source", rec.Source, "object", rec.ObjectName, "outcome", string(rec.Outcome), "bytes",
		rec.Bytes)
	o := object(rec)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.objects[r.Name] = o
	if rec.Outcome != archive.OutcomeNotModified {
		f.bytes += rec.Bytes
	}
	delete(f.failures, r.Name)
	return o, nil
}

// noteBefore stores old, the last download of an object from before this run, for EarlierBody. had
// reports whether there is such a download. A second call for the same object does nothing.
func (f *Fetcher) noteBefore(old archive.FetchRecord, had bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, noted := f.earlierBodies[old.ObjectName]; had && !noted {
		f.earlierBodies[old.ObjectName] = old
	}
}

// EarlierBody returns an object's last archived body from before this run. ok is false if there is
// no such body, or if it was downloaded earlier on the day of this run.
func (f *Fetcher) EarlierBody(name string) (o sources.ArchivedObject, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	old, ok := f.earlierBodies[name]
	return object(old), ok && sources.DateOf(old.EndedAt).Before(sources.DateOf(f.now()))
}

// object returns the archived object for the record of a download.
func object(rec archive.FetchRecord) sources.ArchivedObject {
	return sources.ArchivedObject{Name: rec.ObjectName, URL: rec.URL, SHA256: rec.SHA256, Bytes: rec.Bytes,
		FetchedAt: rec.ReceivedAt}
}

func (f *Fetcher) progress() {
	if f.o.OnProgress == nil {
		return
	}
	f.mu.Lock()
	objects := len(f.objects) + len(f.failures)
	f.mu.Unlock()
	f.o.OnProgress(objects, len(f.last.Objects))
}

// recordFailure records a failed download in the journal. It returns err without secrets.
func (f *Fetcher) recordFailure(rec archive.FetchRecord, err error) error {
	err = f.opaque(rec.ObjectName+": ", err)
	rec.Outcome, rec.Detail = archive.OutcomeFailed, err.Error()
	f.o.Log.Warn("not fetched", "source", rec.Source, "object", rec.ObjectName, "url", rec.URL, "error", rec.Detail)
	f.mu.Lock()
	f.failures[rec.ObjectName] = err
	f.mu.Unlock()
	return errors.Join(err, f.o.Archive.AppendFetchRecord(rec))
}

// ObjectsOfLastExtract returns the objects of a part of the source (such as a board) from the last
// successful fetch. They are sorted by name.
func (f *Fetcher) ObjectsOfLastExtract(part string) []sources.ArchivedObject {
	return slices.DeleteFunc(slices.Clone(f.last.Objects), func(o sources.ArchivedObject) bool {
		return !o.BelongsTo(part)
	})
}

// KeepLast takes over an object from the last successful fetch, without a request. It returns false
// if that fetch did not contain the object.
func (f *Fetcher) KeepLast(name string) bool {
	o, ok := f.last.Object(name)
	if ok {
		f.mu.Lock()
		defer f.mu.Unlock()
		o.Kept = true
		f.objects[name] = o
	}
	return ok
}

// Open opens an archived object for reading.
func (f *Fetcher) Open(o sources.ArchivedObject) (sources.Body, error) { return f.o.Archive.Open(o) }

// MarkFailed marks a part of the source, such as a board, as failed because of err. Objects of the
// part that this run fetched stay in the archive but are not used.
func (f *Fetcher) MarkFailed(part string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.markLost(part, cmp.Or(err, errors.New("the connector gave no reason")))
}

// markLost marks a part of the source, such as a board, as failed because of err. It removes the part's
// objects from the result of the run. Callers must hold f.mu.
func (f *Fetcher) markLost(part string, err error) {
	maps.DeleteFunc(f.objects, func(_ string, o sources.ArchivedObject) bool { return o.BelongsTo(part) })
	maps.DeleteFunc(f.failures, func(name string, _ error) bool {
		return sources.ArchivedObject{Name: name}.BelongsTo(part)
	})
	f.failures[part] = err
}

// DiscardPart removes the objects of a part of the source, such as a board, from this run. The part
// can then be fetched again.
func (f *Fetcher) DiscardPart(part string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	maps.DeleteFunc(f.objects, func(_ string, o sources.ArchivedObject) bool { return o.BelongsTo(part) })
}

// Secret returns a secret, such as an API key, by its name in the configuration. The second result is
// false if it is not set. Later logs and errors of the Fetcher do not contain the secret.
func (f *Fetcher) Secret(name string) (string, bool) {
	v, ok := f.o.FindSecret(name)
	if ok {
		f.red.add(v)
	}
	return v, ok
}

// WriteExtract writes the result of this run (the extract) to the archive. It also returns a fault
// for each failed part of the source. For these parts, the extract has the last good objects.
//
// If nothing was fetched, it writes no extract and the error is ErrNothingFetched.
func (f *Fetcher) WriteExtract() (sources.Extract, []sources.Fault, error) {
	faults := f.faults()
	f.mu.Lock()
	x := sources.Extract{Source: f.o.SourceKey, FetchedAt: f.now(), Objects: slices.Collect(maps.Values(f.objects))}
	had := len(x.Objects) > 0
	for _, o := range f.last.Objects {
		if f.isLost(o) {
			o.Carried, o.Kept = true, false
			x.Objects = append(x.Objects, o)
		}
	}
	f.mu.Unlock()
	if !had {
		return sources.Extract{}, faults, fmt.Errorf("%w; %s", ErrNothingFetched, summary(faults))
	}
	slices.SortFunc(x.Objects, func(a, b sources.ArchivedObject) int { return strings.Compare(a.Name, b.Name) })
	return x, faults, f.o.Archive.AppendExtract(x)
}

// isLost reports whether an object belongs to a part of the source that failed. Callers must hold
// f.mu.
func (f *Fetcher) isLost(o sources.ArchivedObject) bool {
	for part := range f.failures {
		if o.BelongsTo(part) {
			return true
		}
	}
	return false
}

// faults returns one fault for each failed part of the source, sorted by name.
func (f *Fetcher) faults() []sources.Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	var faults []sources.Fault
	for _, part := range slices.Sorted(maps.Keys(f.failures)) {
		err, instead := f.failures[part], "; there is no earlier object to use instead"
		if last := f.ObjectsOfLastExtract(part); len(last) > 0 {
			instead = "; the object of " + last[0].FetchedAt.Format(time.RFC3339) + " is used instead"
		}
		faults = append(faults, sources.Fault{Source: f.o.SourceKey, Object: part, Code: sources.FaultCodeOf(err),
			Detail: f.red.text(err.Error()) + instead})
	}
	return faults
}

func summary(faults []sources.Fault) string {
	if len(faults) == 0 {
		return "no part was asked for"
	}
	if len(faults) == 1 {
		return faults[0].Detail
	}
	return fmt.Sprintf("%d parts failed; the first: %s", len(faults), faults[0].Detail)
}

func (f *Fetcher) now() time.Time { return f.o.Now().UTC().Truncate(time.Second) }
