package main

import (
	"strings"
	"testing"
	"time"
)

// Mail is off without a host; settings that cannot work are refused before anything
// is served, without the password.
func TestSettingsOfMail(t *testing.T) {
	whole := map[string]string{smtpHost: "mail.labour.example", smtpFrom: "labour@labour.example", smtpUser: "u",
		smtpPassword: "geheim", publicURL: "https://labour.example/"}
	for name, c := range map[string]struct {
		change map[string]string
		fault  string // "" = none
		off    bool
	}{
		"whole": {}, "off": {change: map[string]string{smtpHost: ""}, off: true},
		"port":    {change: map[string]string{smtpPort: "465", smtpSecurity: "tls"}},
		"no port": {map[string]string{smtpPort: "mail"}, smtpPort, false}, "port 0": {map[string]string{smtpPort: "0"},
			"port 0", false},
		"sender":         {map[string]string{smtpFrom: ""}, "sender", false},
		"security":       {map[string]string{smtpSecurity: "perhaps"}, "perhaps", false},
		"plain password": {map[string]string{smtpSecurity: "none"}, "plain connection", false},
		"no base":        {map[string]string{publicURL: ""}, publicURL, false},
		"base":           {map[string]string{publicURL: "https://a.example/b"}, publicURL, false},
		"other base":     {map[string]string{publicURL: "ftp://a.example"}, publicURL, false},
		"password file": {map[string]string{smtpPassword: "", smtpPassword + "_FILE": "/nowhere/password"},
			smtpPassword, false},
		"user in base": {map[string]string{publicURL: "https://u:geheim@a.example"}, publicURL, false},
	} {
		a := &app{now: time.Now, getenv: func(key string) (string, bool) {
			v, ok := c.change[key]
			if !ok {
				v, ok = whole[key]
			}
			return v, ok
		}}
		mailer, _, err := a.linkMailer()
		switch {
		case c.fault == "" && (err != nil || (mailer == nil) != c.off):
			t.Errorf("%s: %v, %v", name, mailer, err)
		case c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault) ||
			strings.Contains(err.Error(), "geheim")):
			t.Errorf("%s: %v", name, err)
		}
	}
}
