package index

// count is how many parts of files are mapped.
func (p *pages) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.maps)
}
