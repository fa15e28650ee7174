package main

import (
	_ "embed"
	"strings"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/serve/partners/access"
	"labour/sources/sandbox"
)

// newRoot returns the command labour with all its subcommands.
func newRoot(a *app) *cobra.Command {
	root := cli.NewCommandGroup("labour",
		"Publish labour market data: dated snapshots, and the API and pages that answer from them",
		cli.NewCommand("run", "Fetch, build, check and promote a snapshot", cli.ExactArgs(0), wholeOptions{}, a.runNotified),
		stepCmd(a, "fetch", "Download every permitted source into the archive", cli.ExactArgs(0), runOptions{}, a.fetch),
		stepCmd(a, "build", "Build and seal a snapshot from the archive, without the network", cli.ExactArgs(0),
			buildOptions{}, a.build),
		stepCmd(a, "check ID", "Check a snapshot: is it sound, and may it replace the current one", cli.ExactArgs(1),
			runOptions{}, a.check),
		cli.NewCommand("promote ID", "Make a sealed snapshot the current one; an older one to go back", cli.ExactArgs(1),
			runOptions{}, a.promote),
		cli.NewCommand("serve", "Serve the API and the pages from the current snapshot", cli.ExactArgs(0), serveOptions{},
			a.startServer),
		cli.NewCommand("sandbox", "Run a complete service on made-up data, to try it out", cli.ExactArgs(0),
			sandboxOptions{size: sandbox.DefaultSize()}, a.sandbox),
		newSnapshotCmd(a),
		cli.NewCommandGroup("source", "Show the configured sources",
			cli.NewCommand("list", "Licence, terms, cadence and freshness of each source", cli.ExactArgs(0), sourceOptions{},
				a.listSources),
			cli.NewCommand("check", "Check the configuration of the sources", cli.ExactArgs(0), sourceOptions{},
				a.checkSources)),
		cli.NewCommandGroup("dataset", "The six embargoed datasets: which is open, and on which evidence",
			cli.NewCommand("list", "List the embargoed datasets with their conditions and decisions", cli.ExactArgs(0),
				listOptions{}, a.listDatasets),
			cli.NewCommand("open NAME --evidence URL", "Record that the condition of an embargoed dataset is met",
				cli.ExactArgs(1), openOptions{}, a.openDataset),
			cli.NewCommand("close NAME", "Stop serving an embargoed dataset", cli.ExactArgs(1), closeOptions{}, a.closeDataset)),
		newPeopleCmd(a),
		newKeyCmd(a),
		newPartnerCmd(a),
		cli.NewCommandGroup("state", "Back up and copy the server's own data: partners, keys, counted calls, webhooks",
			cli.NewCommand("backup FILE", "Write the state to a new file, while servers keep running", cli.ExactArgs(1),
				keyOptions{}, a.backupState),
			cli.NewCommand("copy", "Copy the state into an empty database, of SQLite or PostgreSQL", cli.ExactArgs(0),
				copyOptions{}, a.copyState)),
		newCodingCmd(a),
		cli.NewCommand("report [ID|DATE]", "Print the report of a run: records, adverts, faults with their reasons, tables",
			cli.RangeArgs(0, 1), listOptions{}, a.report),
		cli.NewCommand("init [DIR]", "Write a configuration with comments and an example feed", cli.RangeArgs(0, 1),
			initOptions{}, a.initialise),
		cli.NewCommandGroup("feed", "Check the platform's feed",
			cli.NewCommand("check DIR", "Check every line of a feed, without a run", cli.ExactArgs(1),
				feedOptions{MaxFaults: 20},
				a.checkFeed)),
		cli.NewCommand("notify MESSAGE",
			"Send the operator a message, like run --notify: to test it, and for units that fail", cli.ExactArgs(1), struct{}{},
			a.notify))
	root.Long = "labour publishes labour market data.\n\n" + cli.ExitHelp
	root.Version = a.version
	root.SilenceUsage = true
	root.SilenceErrors = true
	root.PersistentFlags().BoolVarP(&a.verbose, "verbose", "v", false, "log every step")
	root.SetFlagErrorFunc(cli.FlagError)
	addHelp(root)
	return root
}

// newSnapshotCmd returns the command labour snapshot. Auditors inspect snapshots with its
// subcommands, and operators keep, withdraw and remove snapshots.
func newSnapshotCmd(a *app) *cobra.Command {
	return cli.NewCommandGroup("snapshot", "Inspect snapshots, for auditors",
		cli.NewCommand("list", "List every snapshot, newest first, and check their chain", cli.ExactArgs(0), chainOptions{},
			a.listSnapshots),
		cli.NewCommand("show ID", "Print a snapshot's manifest", cli.ExactArgs(1), cli.DataFlag{}, a.showSnapshot),
		cli.NewCommand("report [ID]", "Count the printed figures of people, per endpoint and place", cli.RangeArgs(0, 1),
			listOptions{}, a.reportFigures),
		cli.NewCommand("verify ID|DIR", "Re-hash a snapshot and check schemas, order, small numbers and unexpected files",
			cli.ExactArgs(1), verifyOptions{}, a.verifySnapshot),
		cli.NewCommand("diff A B", "Show the differences between snapshots A and B, key by key", cli.ExactArgs(2),
			diffOptions{}, a.diffSnapshots),
		cli.NewCommand("trace ID|DIR --table T",
			"Show where a table of a snapshot came from: sources, archived bytes, rules, corrections", cli.ExactArgs(1),
			traceOptions{}, a.traceSnapshot),
		cli.NewCommand("keygen", "Make the key pair that signs snapshots", cli.ExactArgs(0), keygenOptions{}, a.keygen),
		cli.NewCommand("prune", "Remove old snapshots by a schedule of days, months and years", cli.ExactArgs(0),
			pruneOptions{}, a.prune),
		cli.NewCommand("withdraw ID", "Stop serving a snapshot for good, with a reason", cli.ExactArgs(1),
			withdrawOptions{}, a.withdraw),
		cli.NewCommand("publish [ID]",
			"Copy a promoted snapshot, the current one by default, to object storage", cli.RangeArgs(0, 1),
			publishOptions{}, a.publishSnapshot),
		cli.NewCommand("pull", "Copy the current snapshot from object storage, verified", cli.ExactArgs(0), pullOptions{},
			a.pullSnapshot))
}

// newKeyCmd returns the command labour key, whose subcommands manage API keys.
func newKeyCmd(a *app) *cobra.Command {
	return cli.NewCommandGroup("key", "Manage API keys",
		stateCmd(a, "create", "Make a key; its secret is printed once", 0,
			createOptions{Plan: string(access.PlanEvaluation)}, a.createKey),
		stateCmd(a, "list", "List the keys", 0, keyListOptions{}, a.listKeys),
		stateCmd(a, "revoke ID", "Revoke a key at once", 1, keyOptions{}, a.revokeKey),
		stateCmd(a, "rotate ID", "Give a key a new secret; the old one stays valid for a while", 1,
			rotateOptions{GracePeriod: access.DefaultKeyGracePeriod}, a.rotateKey),
		stateCmd(a, "change ID", "Move a key to another plan, or give it other scopes", 1, changeOptions{}, a.changeKey),
		newKeyAllowCmd(a))
}

// newPartnerCmd returns the command labour partner, whose subcommands manage partners.
func newPartnerCmd(a *app) *cobra.Command {
	grant := access.DefaultGrant()
	return cli.NewCommandGroup("partner", "Manage partners",
		stateCmd(a, "create NAME", "Make a partner, without keys yet", 1, keyOptions{}, a.createPartner),
		stateCmd(a, "list", "List the partners with their keys, webhooks and calls of this month", 0, partnerListOptions{},
			a.listPartners),
		stateCmd(a, "invite NAME", "Make a one-time link with which a partner signs in to its pages", 1, inviteOptions{},
			a.invite),
		stateCmd(a, "grant NAME", "Set what a partner may choose for the keys that it makes itself", 1,
			grantOptions{Plan: string(grant.Plan), MaxKeys: grant.Keys}, a.grantPartner),
		stateCmd(a, "revoke NAME",
			"Revoke every key of a partner at once, disable its webhooks, and shut it out of its pages", 1, keyOptions{},
			a.revokePartner))
}

// examples holds example calls of the commands, one per line.
//
//go:embed examples.txt
var examples string

// helpTexts holds the help texts of most commands. The line "== NAME" comes before the text of the
// command NAME.
//
//go:embed help.txt
var helpTexts string

func addHelp(root *cobra.Command) {
	for line := range strings.Lines(examples) {
		line = strings.TrimSpace(line)
		c, _, _ := root.Find(strings.Fields(line)[1:]) // a test runs them
		c.Example = strings.TrimPrefix(c.Example+"\n  "+line, "\n")
	}
	for text := range strings.SplitSeq(strings.TrimPrefix(helpTexts, "== "), "\n== ") {
		name, help, _ := strings.Cut(text, "\n")
		c, _, _ := root.Find(strings.Fields(name))
		c.Long = strings.TrimSpace(help) + "\n\n" + cli.ExitHelp
	}
}
