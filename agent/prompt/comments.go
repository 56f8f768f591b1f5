package prompt

// CommentsOf are the marked comments of a file.
type CommentsOf struct {
	Path  string
	Lines []CommentLine
}

// CommentLine is a marked line, counted from 1, as it stands in its file.
type CommentLine struct {
	Line int
	Text string
}

// Comments is the request that comments make which are marked for the model: to do what they say and to take them out,
// or to answer them.
func Comments(do bool, files []CommentsOf) (string, error) {
	return render("comments", struct {
		Do    bool
		Files []CommentsOf
	}{do, files})
}
