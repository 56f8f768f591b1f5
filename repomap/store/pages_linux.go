package store

import (
	"os"
	"slices"
	"sync"
	"syscall"
)

// CanMap says whether Pages map anything on this system.
const CanMap = true

// Pages are the parts of files that are mapped into memory. It is safe for concurrent use.
type Pages struct {
	mu   sync.Mutex
	maps map[*byte][]byte // by their first byte; guarded by mu
}

// Open maps the beginning of f until free is called. Nobody shortens files of the state directory:
// they are written aside and renamed. On file systems of other machines that cannot be trusted.
func (p *Pages) Open(f *os.File, size int) (data []byte, free func(), err error) {
	if remote(f) {
		return nil, nil, ErrNotMapped
	}
	data, err = syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.maps == nil {
		p.maps = map[*byte][]byte{}
	}
	key := &data[0]
	p.maps[key] = data
	return data, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		_ = syscall.Munmap(p.maps[key]) // it was mapped
		delete(p.maps, key)
	}, nil
}

// Rest lets the system have the memory back. What is read again comes from the file.
func (p *Pages) Rest() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, data := range p.maps {
		_ = syscall.Madvise(data, syscall.MADV_DONTNEED) // advice
	}
}

// Count is how many parts are mapped.
func (p *Pages) Count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.maps)
}

// remoteSystems are file systems whose files another machine can take away while they are mapped.
var remoteSystems = []uint32{0x6969 /* NFS */, 0xff534d42 /* CIFS */, 0xfe534d42 /* SMB 2 */, 0x517b /* SMB */, 0x65735546, /* FUSE */
	0x01021997 /* 9P */, 0x00c36400 /* Ceph */, 0x5346414f /* AFS */}

func remote(f *os.File) bool {
	var s syscall.Statfs_t
	return syscall.Fstatfs(int(f.Fd()), &s) != nil || slices.Contains(remoteSystems, uint32(s.Type))
}
