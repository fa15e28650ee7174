package main

import "github.com/spf13/cobra"

func newBenchCmd(a *app) *cobra.Command {
	return group("bench", "Make data of a chosen size and measure", newBenchDataCmd(a), newBenchRunCmd(a), newBenchServeCmd(a),
		newBenchPipelineCmd(a), newBenchDuckDBCmd(a), newBenchMountCmd(a), newBenchBareCmd(a), newBenchCountCmd(a))
}
