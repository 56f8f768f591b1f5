package main

import "golang.org/x/sys/windows"

// systemLanguage is the language in which the user has the system, as a tag; "" is unknown.
func systemLanguage() string {
	list, err := windows.GetUserPreferredUILanguages(windows.MUI_LANGUAGE_NAME)
	if err != nil || len(list) == 0 {
		return ""
	}
	return list[0]
}
