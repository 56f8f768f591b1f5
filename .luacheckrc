-- luacheck of Neovim's plugin: luacheck editors/nvim. Lines are as long as the editor's own style has them in the rest of the project.
std = "luajit"
max_line_length = false
globals = { "vim" }
