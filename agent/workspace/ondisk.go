package workspace

// OnDisk says whether there is a file or directory on disk, whatever is open in the editor.
func (d *Door) OnDisk(path string) bool {
	clean, err := cleanPath(path)
	if err != nil || d.w.fs == nil {
		return false
	}
	_, err = d.w.fs.Stat(clean)
	return err == nil
}

// DiskText reads a file as it is on disk, whatever is open in the editor.
func (d *Door) DiskText(path string) (string, error) {
	clean, err := cleanPath(path)
	if err != nil {
		return "", err
	}
	doc, err := d.read(clean)
	if err != nil {
		return "", err
	}
	return doc.Text, nil
}
