// Package userfiles reads what the user keeps outside of any project: the settings, rules and commands of their own, files of
// keys, the command that prints a key, and certificates. It also holds the keys that an editor keeps for the user.
//
// It knows no project, no request and no model: callers say which files and names the settings in force give. What it reads of
// keys is in no log and no error.
package userfiles
