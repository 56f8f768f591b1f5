package edits

func Apply(files Files, list []Edit, problems []Problem, o Options) Result { return Result{} }
