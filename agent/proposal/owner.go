package proposal

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Owner names a process so that no later one is taken for it.
type Owner struct {
	Host  string `json:"host"`  // a hash of the machine's name
	PID   int    `json:"pid"`   // of the process
	Start string `json:"start"` // when it was started, in the system's own terms; "0" when unknown
}

// ThisProcess returns the Owner that this process is.
func ThisProcess() Owner {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown" // two nameless machines on one state folder are beyond what can be told apart
	}
	sum := sha256.Sum256([]byte(host))
	pid := os.Getpid()
	return Owner{Host: hex.EncodeToString(sum[:4]), PID: pid, Start: startOf(pid)}
}

// alive says whether the process still runs. It may only be asked on the process's own machine.
func (o Owner) alive() bool {
	if !Running(o.PID) {
		return false
	}
	start := startOf(o.PID)
	return start == unknownStart || o.Start == unknownStart || start == o.Start
}

// unknownStart stands for a start time that the system does not tell.
const unknownStart = "0"

func (o Owner) valid() bool {
	return o.Host != "" && o.PID > 0 && o.Start != "" && !strings.ContainsAny(o.Host+o.Start, "-/\\.")
}

// Ended says that the process was one of this machine and runs no more. Of a process of another machine nothing is
// known.
func (o Owner) Ended() bool { return o.Host == ThisProcess().Host && !o.alive() }

// Name is the owner as a part of a file's name.
func (o Owner) Name() string { return fmt.Sprintf("%s-%d-%s", o.Host, o.PID, o.Start) }

// ParseOwner reads what Name gives.
func ParseOwner(name string) (Owner, bool) {
	p := strings.Split(name, "-")
	if len(p) != 3 {
		return Owner{}, false
	}
	pid, err := strconv.Atoi(p[1])
	o := Owner{Host: p[0], PID: pid, Start: p[2]}
	return o, err == nil && o.valid()
}
