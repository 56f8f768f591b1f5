package e2e

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pictures are those of the pages, by their names below .., and what they are in the folder of all.sh.
var pictures = map[string]string{
	"vscode/pictures/chat.png":      "vscode/7-chat.png",
	"nvim/pictures/instruction.png": "nvim/1-instruction.png",
	"nvim/pictures/preview.png":     "nvim/2-preview.png",
	"nvim/pictures/applied.png":     "nvim/4-applied.png",
	"helix/pictures/diff.png":       "TestHelixTakesHunks-helix-1-diff.png",
	"helix/pictures/hunk.png":       "TestHelixTakesHunks-helix-2-applied.png",
	"../cmd/pictures/review.png":    "TestChatSession-100-1-review.png",
	"../cmd/pictures/answer.png":    "TestChatSession-100-2-answer.png",
}

// A picture is small, so that the repository stays so, and old when more of it than this is not as a new one.
const (
	largestPicture = 150 << 10
	oldPicture     = 0.03
)

// pictureOn is a picture that a page shows.
var pictureOn = regexp.MustCompile(`!\[[^\]]*\]\(([^)]+)\)`)

// TestPictures: the pictures are small, and the pages show each of them. Where COAUTHOR_E2E_PICTURES names the folder of
// a run, they are held against what was seen there, and with -update replaced by it.
func TestPictures(t *testing.T) {
	shown := map[string]bool{}
	for _, pattern := range []string{"../README.md", "../*/README.md", "../../README.md", "../../cmd/README.md"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range pictureOn.FindAllStringSubmatch(string(text), -1) {
				shown[filepath.Join(filepath.Dir(name), filepath.FromSlash(m[1]))] = true
			}
		}
	}
	run := os.Getenv("COAUTHOR_E2E_PICTURES")
	for name, from := range pictures {
		file := filepath.Join("..", filepath.FromSlash(name))
		if run != "" {
			fresh := decoded(t, filepath.Join(run, filepath.FromSlash(from)))
			if *update {
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, shrunk(t, fresh), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if share := different(decoded(t, file), fresh); share > oldPicture {
				t.Errorf("editors/%s is old: %.0f %% of it is not as in %s. Look at that one, and run editors/e2e/all.sh --pictures", name, 100*share, from)
			}
		}
		decoded(t, file)
		if info, err := os.Stat(file); err != nil || info.Size() > largestPicture {
			t.Errorf("editors/%s: %v, or more than %d bytes", name, err, largestPicture)
		}
		if !shown[file] {
			t.Errorf("no page shows editors/%s", name)
		}
	}
	there, err := filepath.Glob("../*/pictures/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range there {
		name := filepath.ToSlash(strings.TrimPrefix(file, ".."+string(filepath.Separator)))
		if pictures[name] == "" && name != movingPicture {
			t.Errorf("%s is made by nothing", file)
		}
	}
}

func decoded(t *testing.T, name string) image.Image {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	img, err := png.Decode(file)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return img
}

// each calls back for every pixel.
func each(img image.Image, do func(x, y int, c color.RGBA)) {
	b := img.Bounds()
	for y := range b.Dy() {
		for x := range b.Dx() {
			c, _ := color.RGBAModel.Convert(img.At(b.Min.X+x, b.Min.Y+y)).(color.RGBA)
			do(x, y, c)
		}
	}
}

// shrunk is a picture as a PNG of 256 colours.
func shrunk(t *testing.T, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, reduced(img)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// reduced is a picture in 256 colours: the most frequent one of each kind of colour, of the most frequent kinds.
func reduced(img image.Image) *image.Paletted {
	count := map[color.RGBA]int{}
	each(img, func(_, _ int, c color.RGBA) { count[c]++ })
	kind := func(c color.RGBA) color.RGBA { return color.RGBA{c.R >> 4, c.G >> 4, c.B >> 4, c.A} }
	most, total := map[color.RGBA]color.RGBA{}, map[color.RGBA]int{}
	for c, n := range count {
		k := kind(c)
		total[k] += n
		if best, ok := most[k]; !ok || n > count[best] || n == count[best] && less(c, best) {
			most[k] = c
		}
	}
	var kinds []color.RGBA
	for k := range most {
		kinds = append(kinds, k)
	}
	slices.SortFunc(kinds, func(a, b color.RGBA) int {
		if total[a] != total[b] {
			return total[b] - total[a]
		}
		if less(a, b) {
			return -1
		}
		return 1
	})
	var palette color.Palette
	for _, k := range kinds[:min(len(kinds), 256)] {
		palette = append(palette, most[k])
	}
	small := image.NewPaletted(image.Rect(0, 0, img.Bounds().Dx(), img.Bounds().Dy()), palette)
	nearest := map[color.RGBA]uint8{}
	each(img, func(x, y int, c color.RGBA) {
		n, ok := nearest[c]
		if !ok {
			n = uint8(palette.Index(c))
			nearest[c] = n
		}
		small.SetColorIndex(x, y, n)
	})
	return small
}

func less(a, b color.RGBA) bool {
	return slices.Compare([]uint8{a.R, a.G, a.B, a.A}, []uint8{b.R, b.G, b.B, b.A}) < 0
}

// different is the share of the pixels whose colour is clearly another one; all, when the sizes are.
func different(a, b image.Image) float64 {
	if a.Bounds().Size() != b.Bounds().Size() {
		return 1
	}
	at := b.Bounds().Min
	other, all := 0, 0
	each(a, func(x, y int, c color.RGBA) {
		d, _ := color.RGBAModel.Convert(b.At(at.X+x, at.Y+y)).(color.RGBA)
		apart := func(p, q uint8) bool { return max(p, q)-min(p, q) > 48 }
		all++
		if apart(c.R, d.R) || apart(c.G, d.G) || apart(c.B, d.B) {
			other++
		}
	})
	return float64(other) / float64(max(all, 1))
}

// A picture that was made smaller looks the same, and one of another screen does not.
func TestShrunkPictures(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 200, 100))
	for y := range 100 {
		for x := range 200 {
			img.SetRGBA(x, y, color.RGBA{uint8(x), uint8(2 * y), uint8(x ^ y), 255}) // far more than 256 colours
		}
	}
	packed := shrunk(t, img)
	small, err := png.Decode(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := small.(*image.Paletted); !ok {
		t.Errorf("it is a %T", small)
	}
	if share := different(small, img); share > 0.01 {
		t.Errorf("%.1f %% of it look different", 100*share)
	}
	if again := shrunk(t, img); !bytes.Equal(packed, again) {
		t.Error("the same picture becomes other bytes")
	}
	for y := range 50 {
		for x := range 100 {
			img.SetRGBA(x, y, color.RGBA{255 - uint8(x), 128, 0, 255})
		}
	}
	if share := different(small, img); share < oldPicture {
		t.Errorf("another picture passes: %.1f %%", 100*share)
	}
}
