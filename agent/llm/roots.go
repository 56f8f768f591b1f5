package llm

import (
	"crypto/x509"
	"errors"
)

// Roots returns the certificates that the system trusts and those of a PEM file.
func Roots(pem []byte) (*x509.CertPool, error) {
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool() // a system without any
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, errors.New("it contains no PEM certificate (-----BEGIN CERTIFICATE-----)")
	}
	return pool, nil
}
