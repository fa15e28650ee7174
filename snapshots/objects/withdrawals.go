package objects

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"labour/snapshots"
	"labour/snapshots/store"
)

// publishWithdrawals uploads the local records of withdrawn snapshots, except those that the object
// storage already has. It returns the IDs of all snapshots that are withdrawn locally, sorted.
func (r *RemoteSnapshots) publishWithdrawals(ctx context.Context, local *store.Store) (ids []snapshots.ID, err error) {
	all, err := local.Withdrawals()
	if err != nil {
		return nil, err
	}
	for id, w := range all {
		ids = append(ids, id)
		name := snapshots.WithdrawnFileName(id)
		if _, err := r.bucket.Attributes(ctx, name); gcerrors.Code(err) != gcerrors.NotFound {
			if err != nil {
				return nil, fmt.Errorf("look for %s: %w", name, err)
			}
			continue
		}
		text, err := w.Encode()
		if err == nil {
			err = r.bucket.Upload(ctx, name, bytes.NewReader(text),
				&blob.WriterOptions{ContentType: "application/json"})
		}
		if err != nil {
			return nil, fmt.Errorf("send %s: %w", name, err)
		}
	}
	slices.SortFunc(ids, snapshots.ID.Compare)
	return ids, nil
}

// withFiles returns the snapshots, of those in ids, that have files in the object storage.
func (r *RemoteSnapshots) withFiles(ctx context.Context, ids []snapshots.ID) (found []snapshots.ID, err error) {
	for _, id := range ids {
		page, _, err := r.bucket.ListPage(ctx, blob.FirstPageToken, 1, &blob.ListOptions{Prefix: key(id, "")})
		if err != nil {
			return nil, fmt.Errorf("list the files of %s: %w", id, err)
		}
		if len(page) > 0 {
			found = append(found, id)
		}
	}
	return found, nil
}

// withdrawals returns the records of all withdrawn snapshots in the object storage, by snapshot ID.
func (r *RemoteSnapshots) withdrawals(ctx context.Context) (map[snapshots.ID]store.Withdrawal, error) {
	all := map[snapshots.ID]store.Withdrawal{}
	list := r.bucket.List(&blob.ListOptions{Delimiter: "/"})
	for {
		o, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, fmt.Errorf("list the withdrawn snapshots: %w", err)
		}
		id, ok := snapshots.WithdrawnID(o.Key)
		if !ok {
			continue
		}
		text, err := r.read(ctx, o.Key)
		if err != nil {
			return nil, err
		}
		w := store.DecodeWithdrawal(text)
		if w.By == "" {
			w.By = "the publisher"
		}
		if w.At.IsZero() {
			w.At = o.ModTime
		}
		all[id] = w
	}
}

// withdraw withdraws the snapshots in the map all in the local store, and returns those that were
// not yet withdrawn there. The values of all state who withdrew each snapshot, when and why.
// withdraw ignores snapshots that the store does not have.
func withdraw(ctx context.Context, local *store.Store,
	all map[snapshots.ID]store.Withdrawal) (done []snapshots.ID, err error) {
	for id, w := range all {
		_, err := local.Withdraw(ctx, id, w)
		switch {
		case errors.Is(err, store.ErrWithdrawn), errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		default:
			done = append(done, id)
		}
	}
	slices.SortFunc(done, snapshots.ID.Compare)
	return done, nil
}
