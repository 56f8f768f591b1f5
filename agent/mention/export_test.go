package mention

import (
	"context"
	"net/url"
)

// ReadPage is readPage for what a server at an address sent.
func ReadPage(ctx context.Context, data []byte, contentType, at string) (Page, error) {
	u, err := url.Parse(at)
	if err != nil {
		return Page{}, err
	}
	return readPage(ctx, data, contentType, u)
}
