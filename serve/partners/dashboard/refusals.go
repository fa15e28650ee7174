package dashboard

import (
	"errors"
	"net/http"

	"labour/serve/partners/access"
	"labour/serve/partners/signin"
	"labour/serve/web/words"
	"labour/serve/webhooks"
)

var (
	errNoPage   = errors.New("there is no such page")
	errForeign  = errors.New("a request from another site")
	errForm     = errors.New("a form that cannot be read")
	errNoHooks  = errors.New("webhooks are not granted")
	errGrace    = errors.New("no grace is chosen")
	errKeySure  = errors.New("the revocation of a key was not confirmed")
	errHookSure = errors.New("the removal of an endpoint was not confirmed")
)

// errNoTypes is the error for a form in which no event type is ticked. Without this error, such a form
// would create an endpoint for all event types, because event_types is optional in the API.
var errNoTypes = &webhooks.InvalidFieldError{Field: "event_types", Problem: "tick at least one"}

// refusal describes how an error is shown to the partner: HTTP status, title and message. err is
// nil for an internal error.
type refusal struct {
	err    error
	status int
	title  string // title of an error page; empty = the message is shown on the page with the form
	words  string
}

// refusalOf returns the status, title and message with which err is shown to the partner. All
// internal errors have the same general message.
func refusalOf(err error) refusal {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return refusal{err, http.StatusRequestEntityTooLarge, "Too much at once",
			"The form holds more than can be taken."}
	}
	var invalid *webhooks.InvalidFieldError
	if errors.As(err, &invalid) {
		sentence := words.DisplayName("field", invalid.Field) + ": " + invalid.Problem + "."
		return refusal{err, http.StatusBadRequest, "", sentence}
	}
	var conflict *webhooks.ConflictError
	if errors.As(err, &conflict) {
		return refusal{err, http.StatusConflict, "", conflict.Message}
	}
	const missing, noPage = "There is no such page", "The address may be mistyped, or the page was deleted."
	for _, r := range []refusal{
		{errNoPage, http.StatusNotFound, missing, noPage},
		{access.ErrNoKey, http.StatusNotFound, missing, noPage},
		{webhooks.ErrNotFound, http.StatusNotFound, missing, noPage},
		{errForeign, http.StatusForbidden, "Refused",
			"This request came from another site, so nothing was done. Go back to your pages and try there."},
		{errNoHooks, http.StatusForbidden, "Webhooks are not granted yet",
			"Ask the operator for the scope webhooks:manage. Once it is granted, your endpoints are set up here."},
		{errForm, http.StatusBadRequest, "Not understood", "The form could not be read. Go back and send it again."},
		{signin.ErrInvalidLink, http.StatusGone, "This link is not valid any more",
			"A sign-in link works once and for a limited time. Ask for a new one where you got it."},
		{signin.ErrInvalidAddress, http.StatusBadRequest, "", "Give an e-mail address such as name@example.org."},
		{access.ErrNotGranted, http.StatusForbidden, "",
			"This plan or scope is not granted to you. Ask the operator for it."},
		{access.ErrTooManyKeys, http.StatusConflict, "",
			"You have as many keys this month as were granted. Rotate one to give it a new secret, or ask the operator for " +
				"more."},
		{access.ErrInvalidLabel, http.StatusBadRequest, "", "Give a name of at most 80 characters, on one line."},
		{access.ErrKeyExpired, http.StatusConflict, "", "An expired key has no new secret. Make another key."},
		{access.ErrKeyRevoked, http.StatusConflict, "", "A revoked key has no new secret. Make another key."},
		{errGrace, http.StatusBadRequest, "", "Choose when the old secret expires."},
		{errKeySure, http.StatusBadRequest, "", "Tick the box first: a revoked key cannot be made valid again."},
		{errHookSure, http.StatusBadRequest, "",
			"Tick the box first: a deleted endpoint and its deliveries cannot be brought back."},
	} {
		if errors.Is(err, r.err) {
			return r
		}
	}
	return refusal{nil, http.StatusInternalServerError, "Something went wrong",
		"This could not be done. Please try again; if it stays so, tell the operator when it happened."}
}
