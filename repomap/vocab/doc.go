// Package vocab splits texts into words and words into stems, numbers them, and has the sets and columns that are kept by such
// numbers. It knows neither files nor requests: packages record and repomap say which texts there are. Start at Words and
// Symbols.
package vocab
