package prompt

import (
	"bytes"
	"image"
	_ "image/gif"  // whose sizes are read
	_ "image/jpeg" // the same
	_ "image/png"  // the same
	"path"
	"strings"

	"coauthor/agent/llm"
)

// Media is an image or a document that is sent as it is.
type Media struct {
	Path string
	MIME string
	Data []byte
	// Pasted says that it came with a request and is no file; Path is its name then.
	Pasted bool
}

// mediaKind is a kind of file that models can see, with how such files begin.
type mediaKind struct {
	ext, mime string
	begins    []string
}

// mediaKinds are the kinds that the servers take.
func mediaKinds() []mediaKind {
	return []mediaKind{
		{".png", "image/png", []string{"\x89PNG\r\n\x1a\n"}},
		{".jpg", "image/jpeg", []string{"\xff\xd8\xff"}},
		{".jpeg", "image/jpeg", []string{"\xff\xd8\xff"}},
		{".gif", "image/gif", []string{"GIF87a", "GIF89a"}},
		{".webp", "image/webp", []string{"RIFF"}},
		{".pdf", pdf, []string{"%PDF-"}},
	}
}

const pdf = "application/pdf"

// MediaType is the type of an image or a document by its name, in whatever letters; "" for any other file.
func MediaType(name string) string {
	ext := strings.ToLower(path.Ext(name))
	for _, k := range mediaKinds() {
		if k.ext == ext {
			return k.mime
		}
	}
	return ""
}

// IsMedia says whether the content of a file is what its type says, as far as its beginning tells.
func IsMedia(mime string, data []byte) bool {
	for _, k := range mediaKinds() {
		for _, begin := range k.begins {
			if k.mime == mime && bytes.HasPrefix(data, []byte(begin)) {
				return mime != "image/webp" || len(data) >= 12 && string(data[8:12]) == "WEBP"
			}
		}
	}
	return false
}

// IsPDF says whether a type is that of PDFs, which are no images to a model.
func IsPDF(mime string) bool { return mime == pdf }

// Called is what a file of a type is to a user.
func Called(mime string) string {
	if mime == pdf {
		return "a PDF"
	}
	return "an image"
}

// Kind is what files of a type are to a user.
func Kind(mime string) string {
	if mime == pdf {
		return "PDF files"
	}
	return "images"
}

// Capability is the field of the setting models that says whether a model takes files of a type.
func Capability(mime string) string {
	if mime == pdf {
		return "pdf"
	}
	return "vision"
}

// The tokens of what is no text, by the rule of the models that tell theirs: an image is scaled into a square
// of 2048, then to a short side of 768, and costs 170 for each tile of 512 and 85 more. The other models are
// near that. A page of a PDF costs about as much as a dense image.
const (
	tokensOfTile, tokensOfImage = 170, 85
	tokensOfUnknown             = 8*tokensOfTile + tokensOfImage // the most that an image takes
	tokensOfPage                = 2000
)

// mediaTokens is about what a part that is no text takes.
func mediaTokens(p llm.Part) int {
	if p.MIME == pdf {
		pages := bytes.Count(p.Data, []byte("/Type /Page")) + bytes.Count(p.Data, []byte("/Type/Page"))
		pages -= bytes.Count(p.Data, []byte("/Type /Pages")) + bytes.Count(p.Data, []byte("/Type/Pages"))
		return max(1, pages) * tokensOfPage
	}
	c, _, err := image.DecodeConfig(bytes.NewReader(p.Data))
	if err != nil || c.Width <= 0 || c.Height <= 0 {
		return tokensOfUnknown
	}
	long, short := float64(max(c.Width, c.Height)), float64(min(c.Width, c.Height))
	if long > 2048 {
		long, short = 2048, short*2048/long
	}
	if short > 768 {
		long, short = long*768/short, 768
	}
	tiles := func(side float64) int { return max(1, int((side+511)/512)) }
	return tiles(long)*tiles(short)*tokensOfTile + tokensOfImage
}

// Tokens counts a message with what is no text in it.
func Tokens(m llm.Message, count func(string) int) int {
	n := count(m.String())
	for _, p := range m.Parts {
		switch p.Kind {
		case llm.PartText:
		case llm.PartImage, llm.PartFile:
			n += mediaTokens(p)
		case llm.PartCall:
			n += count(p.Call.Arguments)
		case llm.PartResult:
			n += count(p.Text)
		}
	}
	return n
}

// Tokens is about what the image or document takes of a prompt.
func (m Media) Tokens() int { return mediaTokens(m.Part()) }

// Part is the image or document as a part of a message.
func (m Media) Part() llm.Part {
	kind := llm.PartImage
	if m.MIME == pdf {
		kind = llm.PartFile
	}
	return llm.Part{Kind: kind, Name: path.Base(m.Path), MIME: m.MIME, Data: m.Data}
}

// shownMedia is the message with images and documents, each behind its path.
func shownMedia(list []Media) []llm.Message {
	if len(list) == 0 {
		return nil
	}
	m := llm.Message{Role: llm.RoleUser}
	for i, one := range list {
		text := "\n\n" + one.Path + ":"
		if i == 0 {
			text = "These images and documents are for reference only." + text
		}
		m.Parts = append(m.Parts, llm.Part{Kind: llm.PartText, Text: text}, one.Part())
	}
	return []llm.Message{m}
}
