// Package e2e holds tests that start real editors: Neovim 0.7, 0.10 and 0.12, Helix, Emacs, Kakoune and
// VS Code in a browser, against the built server and a scripted model.
//
// It has no code of its own and nobody imports it. install.sh gets the editors (npm and Debian packages, and a crate); the
// tests find them in the folder that COAUTHOR_E2E_CACHE names and skip where it is not set. COAUTHOR_E2E=require makes that a
// failure, and COAUTHOR_E2E_SCREENS names a folder in which some leave their screens for a person to look at. What a test
// shows of which editor it says by covers, of which the table in ../README.md is made (table_test.go). Start at
// scenario_test.go.
package e2e
