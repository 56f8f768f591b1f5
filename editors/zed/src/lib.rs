//! Tells Zed how to start Coauthor. Everything else goes by the language server protocol.

use zed_extension_api::{self as zed, Command, Extension, LanguageServerId, Result, Worktree};

struct Coauthor;

impl Extension for Coauthor {
    fn new() -> Self {
        Coauthor
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let command = worktree
            .which("coauthor")
            .ok_or("cannot find coauthor on the PATH: install it and restart Zed")?;
        Ok(Command {
            command,
            args: vec!["serve".into()],
            env: worktree.shell_env(),
        })
    }
}

zed::register_extension!(Coauthor);
