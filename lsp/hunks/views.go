package hunks

import (
	"context"
	"log/slog"
	"sync"

	"go.lsp.dev/protocol"

	"coauthor/lsp/client"
	"coauthor/lsp/wire"
)

// Views are how the client of a connection shows what is under review. Its fields are set before it is used; it is safe for
// concurrent use then.
type Views struct {
	Client *client.Client
	Tasks  *wire.Tasks
	Log    *slog.Logger

	lenses  wire.Coalesced // having the client ask for the code lenses again
	hinting sync.Once      // inlay hints were declared
}

// Marking is how hunks under review are marked in documents: as the client's profile says, by hints or diagnostics, or none where
// the client shows them itself.
func (v *Views) Marking() string {
	if v.Client.Caps.Review || v.Client.Quirks.Marks == "" {
		return "none"
	}
	return v.Client.Quirks.Marks
}

// RefreshLenses has the client ask for the code lenses again. It returns at once.
func (v *Views) RefreshLenses() {
	if v.Client.Caps.CodeLens && v.Client.Caps.CodeLensRefresh {
		v.Tasks.Coalesce(&v.lenses, v.Client.RefreshLenses)
	}
}

// refreshHints has the client ask for the inlay hints again. They are declared first to one that was not told of them at
// the beginning.
func (v *Views) refreshHints(ctx context.Context) {
	if v.Client.Caps.RegisterInlayHint {
		v.hinting.Do(func() {
			if err := v.Client.Register(ctx, "coauthor-hints", protocol.MethodTextDocumentInlayHint, map[string]any{"documentSelector": nil}); err != nil {
				v.Log.Info("hunks under review not marked by inlay hints", "err", err)
			}
		})
	}
	v.Client.RefreshHints(ctx)
}
