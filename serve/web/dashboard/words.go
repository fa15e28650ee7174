package dashboard

import (
	"fmt"
	"strconv"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"labour/serve/access"
	"labour/serve/webhooks"
)

func planName(p access.Plan) string {
	switch p {
	case access.Evaluation:
		return "Evaluation"
	case access.Standard:
		return "Standard"
	case access.Partner:
		return "Partner"
	}
	return string(p)
}

// grouped writes a number with commas.
func grouped(n int64) string { return message.NewPrinter(language.BritishEnglish).Sprintf("%d", n) }

func describe(a access.Allowance) string {
	if a.Monthly == 0 {
		return grouped(a.Hourly) + " calls an hour"
	}
	return fmt.Sprintf("%s calls an hour, %s a month", grouped(a.Hourly), grouped(a.Monthly))
}

// scopeSays is what a scope opens.
func scopeSays(s access.Scope) string {
	switch s {
	case access.LabourRead:
		return "labour market data"
	case access.JobsRead:
		return "live jobs, apprenticeships and training"
	case access.PathwaysRead:
		return "careers pathways"
	case access.CandidatesRead:
		return "resident statistics"
	case access.S106Read:
		return "section 106 headline counts"
	case access.EventsRead:
		return "your events"
	case access.WebhooksManage:
		return "webhooks through the interface"
	case access.Developer:
		return "compliance exports"
	}
	return ""
}

// eventSays is when a message of a type is sent.
func eventSays(t webhooks.EventType) string {
	switch t {
	case webhooks.ApplicationCreated:
		return "somebody applied"
	case webhooks.ClickRecorded:
		return "an advert was opened"
	case webhooks.OutcomeRecorded:
		return "an application ended"
	case webhooks.OpportunityPublished:
		return "a new opportunity is there"
	case webhooks.Test:
		return "you asked for a test"
	}
	return ""
}

// attemptSays is how an attempt of a delivery went.
func attemptSays(a webhooks.Attempt) string {
	switch a.Fault {
	case webhooks.None:
		return "received, status " + strconv.Itoa(a.HTTPStatus)
	case webhooks.BadStatus:
		return "answered with status " + strconv.Itoa(a.HTTPStatus)
	case webhooks.Redirect:
		return "answered with a redirect, which is not followed"
	case webhooks.Timeout:
		return "no answer in time"
	case webhooks.NameNotFound:
		return "the host's name has no address"
	case webhooks.AddressRefused:
		return "the host's address is not public"
	case webhooks.ConnectRefused:
		return "the connection was refused"
	case webhooks.TLS:
		return "the certificate or the handshake was not good"
	}
	return "the network failed on the way"
}

// disabledSays is why an endpoint is disabled.
func disabledSays(r webhooks.Reason) string {
	switch r {
	case webhooks.ByPartner:
		return "You switched it off."
	case webhooks.Gone:
		return "It answered 410, gone."
	case webhooks.Failing:
		return "Nothing arrived for five days."
	}
	return ""
}
