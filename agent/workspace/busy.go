package workspace

// busy makes a refusal that a user understands of the error that another program's lock gives; other errors
// stay as they are.
func busy(err error, name string, replacing bool) error {
	if !held(err, replacing) {
		return err
	}
	return &RefusedError{refused(name, CodeBusy, "another program has locked the file; close the file there and try again")}
}
