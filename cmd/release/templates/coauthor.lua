---@brief
---
--- https://github.com/<<.Repository>>
---
--- <<.Description>>: select lines, ask for a change, look at the diff, apply it, undo it, with any
--- OpenAI-compatible model, hosted or on your own machine.
---
--- Install it with `brew`, `scoop` or `:MasonInstall coauthor`, or from an archive of a release, and name a model in
--- `~/.config/coauthor/config.yaml`; `coauthor doctor` says what is missing.

