package repomap

func (x *Index) load() {}
func (x *Index) save() {}
