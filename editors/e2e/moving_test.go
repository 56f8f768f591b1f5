package e2e

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The moving picture of the README, below .., and where the tour leaves its frames in the folder of all.sh.
const (
	movingPicture       = "vscode/pictures/tour.gif"
	tourFrames          = "vscode/frames.json"
	largestMovingImage  = 2 << 20
	hundredthsOfASecond = 10 // milliseconds
)

// TestMovingPicture: the README shows the moving picture, and it is small. Where COAUTHOR_E2E_PICTURES names the folder of a run,
// it is held against the frames that the tour left there, and with -update made of them.
func TestMovingPicture(t *testing.T) {
	file := filepath.Join("..", filepath.FromSlash(movingPicture))
	if run := os.Getenv("COAUTHOR_E2E_PICTURES"); run != "" {
		images, times := tour(t, filepath.Join(run, filepath.FromSlash(tourFrames)))
		if *update {
			if err := os.WriteFile(file, moving(t, images, times), 0o644); err != nil {
				t.Fatal(err)
			}
		} else {
			drawn := played(t, file)
			if len(drawn) != len(images) {
				t.Fatalf("editors/%s is old: it has %d frames, the tour has %d. Run editors/e2e/all.sh --pictures", movingPicture, len(drawn), len(images))
			}
			for i := range images {
				if share := different(drawn[i], images[i]); share > oldPicture {
					t.Errorf("editors/%s is old: %.0f %% of frame %d is not as in the tour. Run editors/e2e/all.sh --pictures", movingPicture, 100*share, i)
				}
			}
		}
	}
	info, err := os.Stat(file)
	if err != nil || info.Size() > largestMovingImage {
		t.Fatalf("editors/%s: %v, or more than %d bytes", movingPicture, err, largestMovingImage)
	}
	if frames := played(t, file); len(frames) < 10 {
		t.Errorf("it has %d frames", len(frames))
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil || !strings.Contains(string(readme), "](editors/"+movingPicture+")") {
		t.Errorf("README.md does not show editors/%s: %v", movingPicture, err)
	}
}

// tour reads the frames that tour.js has left, and for how many milliseconds each is shown.
func tour(t *testing.T, list string) ([]image.Image, []int) {
	t.Helper()
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	var frames []struct {
		File string `json:"file"`
		MS   int    `json:"ms"`
	}
	if err := json.Unmarshal(text, &frames); err != nil {
		t.Fatal(err)
	}
	var images []image.Image
	var times []int
	for _, f := range frames {
		images = append(images, decoded(t, filepath.Join(filepath.Dir(list), f.File)))
		times = append(times, f.MS)
	}
	return images, times
}

// moving makes a GIF of frames of one size. All share the palette of the most frequent colors; each holds only the rectangle that
// differs from the frame before.
func moving(t *testing.T, images []image.Image, times []int) []byte {
	t.Helper()
	strip := image.NewRGBA(image.Rect(0, 0, images[0].Bounds().Dx(), images[0].Bounds().Dy()*len(images)))
	for i, img := range images {
		if img.Bounds() != images[0].Bounds() {
			t.Fatalf("frame %d is of another size", i)
		}
		draw.Draw(strip, img.Bounds().Add(image.Pt(0, i*img.Bounds().Dy())), img, image.Point{}, draw.Src)
	}
	shades := reduced(strip)
	out := &gif.GIF{}
	height := images[0].Bounds().Dy()
	for i := range images {
		whole := image.Rect(0, i*height, strip.Bounds().Dx(), (i+1)*height)
		part := whole
		if i > 0 {
			part = changed(shades, whole, height)
		}
		frame := image.NewPaletted(part.Sub(whole.Min), shades.Palette)
		draw.Draw(frame, frame.Bounds(), shades, part.Min, draw.Src)
		out.Image = append(out.Image, frame)
		out.Delay = append(out.Delay, times[i]/hundredthsOfASecond)
		out.Disposal = append(out.Disposal, gif.DisposalNone)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, out); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// changed is the smallest rectangle of a frame on the strip outside of which it is the frame above it, of the same height; one
// pixel where all is the same.
func changed(strip *image.Paletted, frame image.Rectangle, height int) image.Rectangle {
	var part image.Rectangle
	for y := frame.Min.Y; y < frame.Max.Y; y++ {
		for x := frame.Min.X; x < frame.Max.X; x++ {
			if strip.ColorIndexAt(x, y) != strip.ColorIndexAt(x, y-height) {
				part = part.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if part.Empty() {
		part = image.Rectangle{Min: frame.Min, Max: frame.Min.Add(image.Pt(1, 1))}
	}
	return part
}

// played are the frames of a GIF as they are seen.
func played(t *testing.T, name string) []image.Image {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all, err := gif.DecodeAll(file)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	screen := image.NewRGBA(all.Image[0].Bounds())
	var frames []image.Image
	for _, part := range all.Image {
		draw.Draw(screen, part.Bounds(), part, part.Bounds().Min, draw.Over)
		now := *screen
		now.Pix = bytes.Clone(screen.Pix)
		frames = append(frames, &now)
	}
	return frames
}

// A moving picture shows its frames as they were, also where one is like the one before, and is small where little moves.
func TestMovingPictureIsWhatWasSeen(t *testing.T) {
	blank := image.NewRGBA(image.Rect(0, 0, 200, 100))
	draw.Draw(blank, blank.Bounds(), image.White, image.Point{}, draw.Src)
	images := []image.Image{blank, blank}
	for i := range 3 {
		next := *blank
		next.Pix = bytes.Clone(blank.Pix)
		draw.Draw(&next, image.Rect(10*i, 20, 10*i+8, 30), image.NewUniform(color.RGBA{200, 0, uint8(40 * i), 255}), image.Point{}, draw.Src)
		images = append(images, &next)
	}
	packed := moving(t, images, []int{100, 100, 500, 100, 1000})
	name := filepath.Join(t.TempDir(), "x.gif")
	if err := os.WriteFile(name, packed, 0o600); err != nil {
		t.Fatal(err)
	}
	seen := played(t, name)
	if len(seen) != len(images) || len(packed) > 4000 {
		t.Fatalf("%d frames in %d bytes", len(seen), len(packed))
	}
	for i := range images {
		if share := different(seen[i], images[i]); share > 0 {
			t.Errorf("frame %d: %.1f %% of it look different", i, 100*share)
		}
	}
}
