package repomap

import "testing"

func TestImportsInBothDirections(t *testing.T) {
	x := open(t, newMemory(map[string]string{
		"shop/cart.py":         "from shop.prices import total\n\ndef pay(): pass\n",
		"shop/prices.py":       "def total(): pass\n",
		"shop/till.py":         "import shop.cart\n",
		"shop/window.py":       "def dress(): pass\n",
		"web/index.ts":         "import { a } from './date-picker'\n",
		"web/date-picker.ts":   "export const a = 1\n",
		"web/date-range.ts":    "export const b = 1\n",
		"go/bank/account.go":   "package bank\n\nfunc Open() {}\n",
		"go/bank/vault.go":     "package bank\n\nfunc Lock() {}\n",
		"go/branch/counter.go": "package branch\n\nimport \"example.com/bank\"\n",
	}), 1)
	for chat, want := range map[string]map[string]float64{
		"shop/cart.py":         {"shop/prices.py": 1, "shop/till.py": 0.7},
		"shop/till.py":         {"shop/cart.py": 1},
		"web/index.ts":         {"web/date-picker.ts": 1},
		"web/date-picker.ts":   {"web/index.ts": 0.7},
		"go/branch/counter.go": {"go/bank/account.go": 0.5, "go/bank/vault.go": 0.5},
		"go/bank/vault.go":     {"go/branch/counter.go": 0.7, "go/bank/account.go": 1},
	} {
		q := newScoring(x.current(), Request{Chat: []string{chat}})
		for i, v := range importSignal(q) {
			if p := q.files()[i].path; v != want[p] {
				t.Errorf("%s and %s: %v, want %v", chat, p, v, want[p])
			}
		}
	}
}
