package mention

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// What is no place of the public internet: this machine, private networks, and what only leads there.
var notPublic = func() []netip.Prefix {
	var list []netip.Prefix
	for _, p := range []string{
		"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
		"192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
		"::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
	} {
		list = append(list, netip.MustParsePrefix(p))
	}
	return list
}()

// throughNAT64 are addresses that stand for one of the older protocol, in their last four bytes.
var throughNAT64 = netip.MustParsePrefix("64:ff9b::/96")

// public says whether an address is one of the public internet.
func public(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	if throughNAT64.Contains(ip) {
		b := ip.As16()
		ip = netip.AddrFrom4([4]byte(b[12:]))
	}
	return ip.IsValid() && !slices.ContainsFunc(notPublic, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// PrivateError says that a page was not fetched, because its host is at an address of this machine or a private network.
type PrivateError struct {
	Host string // with its port, where the address names one
	IP   string // "" where the name says it
}

func (e *PrivateError) Error() string {
	where := e.Host
	if e.IP != "" && e.IP != e.Host {
		where += " is " + e.IP + ", which"
	}
	return fmt.Sprintf("%s is on this machine or on a private network; to allow it, add %s to web.privateHosts", where, e.Host)
}

// Private says whether a host, as an address names it, can be seen to lie on this machine or in a private network, and
// is not among those that are allowed. What a name leads to is seen only when it is dialled.
func Private(host string, allowed []string) bool {
	name, port := splitHost(host)
	if listed(allowed, name, port) {
		return false
	}
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && !public(ip)
}

// Host is the host that an address names, with its port where it names one; "" for none.
func Host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// listed says whether a list names a host: by itself for all of its ports, or with one.
func listed(list []string, name, port string) bool {
	return slices.ContainsFunc(list, func(entry string) bool {
		n, p := splitHost(strings.TrimSpace(entry))
		return n == name && (p == "" || p == port)
	})
}

// splitHost takes a host apart: its name in small letters, without the brackets of an IP address and the dot behind a
// full name, and its port, "" for none.
func splitHost(host string) (name, port string) {
	name = host
	if n, p, err := net.SplitHostPort(host); err == nil {
		name, port = n, p
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	return strings.TrimSuffix(strings.ToLower(name), "."), port
}
