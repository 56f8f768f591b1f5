; Definitions
(call target: (identifier) @_def (arguments (alias) @name) (#any-of? @_def "defmodule" "defprotocol" "defimpl")) @module
(call target: (identifier) @_def (arguments [(identifier) @name (call target: (identifier) @name) (binary_operator left: (call target: (identifier) @name) operator: "when")]) (#any-of? @_def "def" "defp" "defdelegate" "defguard" "defguardp" "defn" "defnp")) @function
(call target: (identifier) @_def (arguments [(identifier) @name (call target: (identifier) @name) (binary_operator left: (call target: (identifier) @name) operator: "when")]) (#any-of? @_def "defmacro" "defmacrop")) @macro

; References
((call target: (identifier) @call) (#not-any-of? @call "def" "defp" "defmodule" "defmacro" "defmacrop" "use" "import" "alias" "require"))
(call target: (dot right: (identifier) @call))
(alias) @use
