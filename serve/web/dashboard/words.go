package dashboard

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"labour/serve/access"
	"labour/serve/webhooks"
)

var planNames = map[access.Plan]string{access.Evaluation: "Evaluation", access.Standard: "Standard", access.Partner: "Partner"}

// grouped writes a number with commas.
func grouped(n int64) string { return message.NewPrinter(language.BritishEnglish).Sprintf("%d", n) }

func describe(a access.Allowance) string {
	if a.Monthly == 0 {
		return grouped(a.Hourly) + " calls an hour"
	}
	return fmt.Sprintf("%s calls an hour, %s a month", grouped(a.Hourly), grouped(a.Monthly))
}

// scopeWords say what a scope opens.
var scopeWords = map[access.Scope]string{
	access.LabourRead:     "labour market data",
	access.JobsRead:       "live jobs, apprenticeships and training",
	access.PathwaysRead:   "careers pathways",
	access.CandidatesRead: "resident statistics",
	access.S106Read:       "section 106 headline counts",
	access.EventsRead:     "your events",
	access.WebhooksManage: "webhooks through the interface",
	access.Developer:      "compliance exports",
}

// eventWords say when a message of a type is sent.
var eventWords = map[webhooks.EventType]string{
	webhooks.ApplicationCreated:   "somebody applied",
	webhooks.ClickRecorded:        "an advert was opened",
	webhooks.OutcomeRecorded:      "an application ended",
	webhooks.OpportunityPublished: "a new opportunity is there",
	webhooks.Test:                 "you asked for a test",
}

// faultWords say how an attempt of a delivery went; %d is the status of the answer.
var faultWords = map[webhooks.Fault]string{
	webhooks.None:           "received, status %d",
	webhooks.BadStatus:      "answered with status %d",
	webhooks.Redirect:       "answered with a redirect, which is not followed",
	webhooks.Timeout:        "no answer in time",
	webhooks.NameNotFound:   "the host's name has no address",
	webhooks.AddressRefused: "the host's address is not public",
	webhooks.ConnectRefused: "the connection was refused",
	webhooks.TLS:            "the certificate or the handshake was not good",
}

func attemptSays(a webhooks.Attempt) string {
	words := cmp.Or(faultWords[a.Fault], "the network failed on the way")
	return strings.ReplaceAll(words, "%d", strconv.Itoa(a.HTTPStatus))
}

// disabledSays is why an endpoint is disabled.
func disabledSays(r webhooks.Reason) string {
	return map[webhooks.Reason]string{webhooks.ByPartner: "You switched it off.", webhooks.Gone: "It answered 410, gone.",
		webhooks.Failing: "Nothing arrived for five days."}[r]
}
