package repomap

import (
	"slices"
	"strings"
	"testing"
)

// What a language says about names of modules is what a file imports, and nothing else that is called so.
func TestImportsLeadToTheFilesTheyName(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		from  string
		want  string // what it imports, and behind a bar the files that import it
	}{
		{"a Go module in a folder", map[string]string{
			"src/go.mod":                 "module example.com/shop // the shop\n\ngo 1.24\n",
			"src/main.go":                "package main\n\nimport (\n\t\"fmt\"\n\n\tstore \"example.com/shop/store\" // kept\n)\n\nfunc main() { store.Open(fmt.Sprint()) }\n",
			"src/store/open.go":          "package store\n\nfunc Open(s string) {}\n",
			"src/store/close.go":         "package store\n\nfunc Close() {}\n",
			"src/store/open_test.go":     "package store\n\nfunc TestOpen() {}\n",
			"src/store/deep/d.go":        "package deep\n\nimport \"example.com/shop\"\n",
			"other/store/open.go":        "package store\n\nfunc Open(s string) {}\n",
			"src/shop.go":                "package main\n",
			"src/generated/says/text.go": "package says\n\nconst text = `\nimport \"example.com/shop\"\n`\n",
		}, "src/main.go", "src/store/close.go src/store/open.go | src/store/deep/d.go"},
		{"a Go module below another one", map[string]string{
			"go.mod": "module example.com/a\n", "tool/go.mod": "module example.com/a/tool\n",
			"tool/x/x.go": "package x\n", "x.go": "package a\n\nimport \"example.com/a/tool/x\"\n",
		}, "x.go", "tool/x/x.go |"},
		{"Python, from the root and from its folder", map[string]string{
			"shop/__init__.py": "from .cart import Cart\n", "shop/cart.py": "from . import pay\nfrom .pay import (\n    charge,  # the card\n    refund as back,\n)\nfrom ..other import x\nimport json\n",
			"shop/pay.py": "def charge(): pass\n", "shop/json.py": "", "json2.py": "", "other.py": "",
			"tests/test_cart.py": "import os, shop.cart as c\n", "tests/test_all.py": "from shop import Cart\n", "tests/cart.py": "",
		}, "shop/cart.py", "other.py shop/pay.py | shop/__init__.py tests/test_cart.py"},
		{"Python, by way of a package that collects", map[string]string{
			"src/shop/__init__.py": "from shop.cart import Cart as Cart\nfrom .pay import charge\n", "src/shop/cart.py": "class Cart: pass\n", "src/shop/pay.py": "def charge(): pass\n",
			"run.py": "def f():\n    from shop import Cart\n",
		}, "run.py", "src/shop/cart.py |"},
		{"TypeScript, relative and by an alias", map[string]string{
			"web/tsconfig.json":      "{\n  // aliases\n  \"compilerOptions\": {\n    \"baseUrl\": \".\",\n    \"paths\": { \"@/*\": [\"app/*\"], },\n  },\n}\n",
			"web/app/main.tsx":       "import React from 'react'\nimport {\n  a,\n} from \"./parts\"\nimport type { B } from '@/types/b'\nconst c = await import('../lib/c.js')\nexport * from './d'\n",
			"web/app/parts/index.ts": "import '../main'\n", "web/app/types/b.ts": "", "types/b.ts": "", "web/lib/c.ts": "", "web/app/d.ts": "", "web/app/d/index.ts": "", "react.ts": "",
		}, "web/app/main.tsx", "web/app/d.ts web/app/parts/index.ts web/app/types/b.ts web/lib/c.ts | web/app/parts/index.ts"},
		{"packages of one workspace", map[string]string{
			"packages/core/package.json": "{\"name\": \"@shop/core\"}", "packages/core/src/index.js": "", "packages/core/src/cart.js": "",
			"packages/web/package.json": "{\"name\": \"@shop/web\"}", "packages/web/a.js": "const core = require('@shop/core')\nconst cart = require(\"@shop/core/cart\")\n",
		}, "packages/web/a.js", "packages/core/src/cart.js packages/core/src/index.js |"},
		{"Rust, in a crate and from another one", map[string]string{
			"core/Cargo.toml": "[package]\nname = \"shop-core\"\nversion = \"1.0.0\"\n", "core/src/lib.rs": "pub mod cart;\nmod pay;\npub use pay::Charge;\n",
			"core/src/cart.rs": "use crate::pay::{self, Charge};\nuse super::other;\nuse std::fmt;\n\nmod item;\n", "core/src/cart/item.rs": "use super::Cart;\n", "core/src/pay.rs": "pub struct Charge;\n", "core/src/other/mod.rs": "",
			"app/Cargo.toml": "[package]\nname = \"app\"\n", "app/src/main.rs": "use shop_core::{cart::Cart, Charge};\nmod pay;\n", "app/src/pay.rs": "", "core/tests/cart.rs": "use shop_core::cart;\n",
		}, "core/src/cart.rs", "core/src/cart/item.rs core/src/other/mod.rs core/src/pay.rs | app/src/main.rs core/src/cart/item.rs core/src/lib.rs core/tests/cart.rs"},
		{"Rust, what a crate hands on", map[string]string{
			"core/Cargo.toml": "[package]\nname = \"shop-core\"\n", "core/src/lib.rs": "mod pay;\npub use pay::Charge;\n", "core/src/pay.rs": "pub struct Charge;\n",
			"app/Cargo.toml": "[package]\nname = \"app\"\n", "app/src/main.rs": "use shop_core::Charge;\n",
		}, "app/src/main.rs", "core/src/pay.rs |"},
		{"Java, from one source folder to another", map[string]string{
			"core/src/main/java/com/shop/Cart.java":       "package com.shop;\n\nimport com.shop.pay.Charge;\nimport static com.shop.util.Texts.join;\nimport java.util.List;\n\nclass Cart {}\n",
			"core/src/main/java/com/shop/pay/Charge.java": "package com.shop.pay;\n\nimport com.shop.*;\n\npublic class Charge {}\n",
			"util/src/main/java/com/shop/util/Texts.java": "package com.shop.util;\n\npublic class Texts {}\n",
			"other/Charge.java":                           "package other;\n\npublic class Charge {}\n",
			"core/src/test/java/com/shop/pay/P.java":      "package com.shop.pay;\n\nimport com.shop.Cart;\n",
		}, "core/src/main/java/com/shop/Cart.java", "core/src/main/java/com/shop/pay/Charge.java util/src/main/java/com/shop/util/Texts.java | core/src/main/java/com/shop/pay/Charge.java core/src/test/java/com/shop/pay/P.java"},
	} {
		x := open(t, newMemory(c.files), 2)
		q := newScoring(x.current(), Request{Chat: []string{c.from}})
		from, _ := q.s.find(c.from)
		l := linkageOf(q)
		var to, by []string
		for _, s := range l.imported[from] {
			to = append(to, q.files()[s.file].Path)
		}
		for _, i := range l.importers[from] {
			by = append(by, q.files()[i].Path)
		}
		slices.Sort(to)
		if got := strings.TrimSpace(strings.Join(to, " ") + " | " + strings.Join(by, " ")); got != strings.TrimSpace(c.want) {
			t.Errorf("%s: %s has\n %s, want\n %s", c.name, c.from, got, c.want)
		}
	}
}
