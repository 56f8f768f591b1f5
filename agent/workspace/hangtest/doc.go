// Package hangtest gives tests a folder whose file system does not answer, as that of a server that is gone.
//
// Only tests use it; it knows nothing of the project. Start at Mount.
package hangtest
