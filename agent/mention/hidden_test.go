package mention_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"coauthor/agent/mention"
)

// What a reader of the page does not see, the model does not see.
func TestHiddenTextOfPages(t *testing.T) {
	handlers := map[string]http.HandlerFunc{}
	pages := map[string]string{ // each says "seen", and "SECRET" where nobody sees it
		"attribute":   `<p>seen<p hidden>SECRET`,
		"aria":        `<p>seen<p aria-hidden="true">SECRET`,
		"none":        `<p>seen<p style="display:none">SECRET`,
		"none loud":   `<p>seen<p style="color: red; DISPLAY : NONE !important">SECRET`,
		"visibility":  `<p>seen<p style="visibility: hidden">SECRET`,
		"size":        `<p>seen<p style="font-size:0">SECRET`,
		"size px":     `<p>seen <span style='font-size:0.1px'>SECRET</span>`,
		"size em":     `<p>seen <span style='font-size: 0em'>SECRET</span>`,
		"opacity":     `<p>seen<p style="opacity:0.0">SECRET`,
		"no height":   `<p>seen<div style="height:0;overflow:hidden">SECRET</div>`,
		"clipped":     `<p>seen<div style="position:absolute;clip:rect(0,0,0,0)">SECRET</div>`,
		"outside":     `<p>seen<div style="position: absolute; left: -9999px">SECRET</div>`,
		"fixed":       `<p>seen<div style="position: fixed; top: -900px">SECRET</div>`,
		"no width":    `<p>seen<div style="max-width:0;overflow-x:hidden">SECRET</div>`,
		"three deep":  `<style>main > div .x { display: none }</style><main><p>seen<div><p class=x>SECRET</div></main>`,
		"indented":    `<p>seen<div style="text-indent:-9999px">SECRET</div>`,
		"transparent": `<p>seen<div style="color:transparent">SECRET</div>`,
		"scaled":      `<p>seen<div style="transform: scale(0)">SECRET</div>`,
		"within":      `<p>seen<div style="display:none"><p>a<b>SECRET</b></div>`,
		"a class":     `<style>.x { color: red; display: none }</style><p>seen<p class="x">SECRET`,
		"some":        `<style>h9, div > .x.y, #q { font-size: 0 }</style><p>seen<div><p class="y x">SECRET</div><p id=q>SECRET`,
		"broken":      `<style>} .a { ; x:: } .x{display:none}</style><p>seen<p class="x">SECRET`,
		"behind":      `<style>@media print { .y { display:none } } .x{display:none}</style><p class=y>seen<p class="x">SECRET`,
		"tags":        "<p>seen" + tagged("SECRET"),
		"comment":     `<p>seen<!-- SECRET --><template>SECRET</template><noscript>SECRET</noscript>`,
	}
	for what, page := range pages {
		handlers["/"+strings.ReplaceAll(what, " ", "-")] = sends("text/html; charset=utf-8", page)
	}
	handlers["/text"] = sends("text/plain; charset=utf-8", "seen"+tagged("SECRET"))
	base, o := site(t, handlers)
	for path := range handlers {
		page, err := mention.Fetch(t.Context(), base+path, o)
		if err != nil || !strings.Contains(page.Text, "seen") || strings.Contains(page.Text, "SECRET") || strings.Contains(page.Text, tagged("SECRET")) {
			t.Errorf("%s: %q, %v", path, page.Text, err)
		}
	}
}

// tagged spells a text in characters that are not shown.
func tagged(text string) string {
	return strings.Map(func(r rune) rune { return 0xE0000 + r }, text)
}

// What is only small, pale, far to the right or hidden on paper stays, and a page whose whole body waits for a script.
func TestWhatIsSeenStays(t *testing.T) {
	base, o := site(t, map[string]http.HandlerFunc{
		"/": sends("text/html; charset=utf-8", `<html style="opacity:0"><style>@media print { p { display: none } } p:hover { display: none } p::before { display:none } .a + .b { display:none } html body p.a b { display: none }</style>
<body style="visibility:hidden"><p style="font-size: 9px">one<p style="opacity:.5">two<p style="position:relative;left:-4px">three<p style="overflow:hidden;height:40px">four<p style="display:block">five
<p style="font-size:0.8em">six<p style="width:100%;overflow:hidden">seven<p style="max-width:1200px;overflow:hidden">eight<p style="font-size:100%">nine<p class=a><b>ten</b><p class=b>👨‍👩‍👧 eleven`),
	})
	page, err := mention.Fetch(t.Context(), base+"/", o)
	want := "one two three four five six seven eight nine ten 👨‍👩‍👧 eleven"
	if got := strings.Join(strings.Fields(page.Text), " "); err != nil || strings.ReplaceAll(got, "*", "") != want {
		t.Errorf("%q, %v", got, err)
	}
}

// A page that is made to be slow to look at ends with the time that it has.
func TestAStyleSheetCostsLittle(t *testing.T) {
	var sheet strings.Builder
	for range 5000 {
		sheet.WriteString(".a .b .c{display:none}")
	}
	base, o := site(t, map[string]http.HandlerFunc{"/": sends("text/html", "<style>"+sheet.String()+"</style>seen"+strings.Repeat("<p class='c'>x</p>", 4_000))})
	o.Within = time.Minute
	if page, err := mention.Fetch(t.Context(), base+"/", o); err != nil || !strings.Contains(page.Text, "seen") {
		t.Errorf("%d bytes, %v", len(page.Text), err)
	}
}
