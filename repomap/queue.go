package repomap

import "sync"

// queue hands out the files that are to be read, some at a time: to have one tagged costs two ways between
// processes, which is more than many a file takes.
type queue struct {
	most   int // files at a time
	takers int // who take turns, so that none is left with much while the others have nothing

	mu    sync.Mutex
	files []File // guarded by mu
}

const (
	batchFiles = 16        // handed out at a time
	batchBytes = 128 << 10 // of them, after which no more are added
)

// take gives the next files, in the order of the list; none when there are none left.
func (q *queue) take() []File {
	q.mu.Lock()
	defer q.mu.Unlock()
	n, size := 0, int64(0)
	for most := min(q.most, len(q.files)/(2*q.takers)+1, len(q.files)); n < most && size < batchBytes; {
		size += q.files[n].Size
		n++
	}
	some := q.files[:n:n]
	q.files = q.files[n:]
	return some
}
