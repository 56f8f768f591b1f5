// Command release makes of the programs that .ci/release has built what is published: an archive for each system,
// the checksums, and the entries for Homebrew, Scoop, Mason and nvim-lspconfig, ready to be sent there. It builds nothing,
// reads nothing of the network, and writes below -out only; the same programs make the same bytes.
//
// .ci/release calls it. Start at publish.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// What goes into addresses and into the texts of other programs holds no character that means something there.
var (
	versionForm    = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`)
	repositoryForm = regexp.MustCompile(`^[0-9A-Za-z-]+/[0-9A-Za-z._-]+$`)
)

// run is main without the process. Exit status: 0 done, 1 not done, 2 usage.
func run(args []string, out, errs io.Writer) int {
	set := flag.NewFlagSet("release", flag.ContinueOnError)
	set.SetOutput(errs)
	o := options{}
	set.StringVar(&o.root, "root", ".", "the project's folder")
	set.StringVar(&o.programs, "programs", "", "the folder with the output of .ci/release")
	set.StringVar(&o.out, "out", "", "the output folder")
	set.StringVar(&o.version, "version", "", "the version, for example 1.2.3")
	set.StringVar(&o.repository, "repository", "", "the GitHub repository for releases, as OWNER/NAME")
	date := set.Int64("date", 0, "the date of archived files, in seconds since 1970")
	if err := set.Parse(args); err != nil {
		return 2
	}
	o.version = strings.TrimPrefix(o.version, "v")
	switch {
	case o.programs == "" || o.out == "":
		fmt.Fprintln(errs, "release: set -programs and -out")
		return 2
	case !versionForm.MatchString(o.version):
		fmt.Fprintf(errs, "release: -version %q: use the form 1.2.3\n", o.version)
		return 2
	case !repositoryForm.MatchString(o.repository):
		fmt.Fprintf(errs, "release: -repository %q: use the form OWNER/NAME\n", o.repository)
		return 2
	}
	// An archive for Windows knows no date before this one.
	if o.date = time.Unix(*date, 0).UTC(); o.date.Year() < 1980 {
		o.date = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	names, err := publish(o)
	if err != nil {
		fmt.Fprintf(errs, "release: %v\n", err)
		return 1
	}
	for _, name := range names {
		fmt.Fprintln(out, name)
	}
	return 0
}
