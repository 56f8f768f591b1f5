# Coauthor in Kakoune, through kakoune-lsp. Source this file after loading kakoune-lsp; see README.md in this folder.

declare-option -docstring 'path of the language server' str coauthor_command coauthor
declare-option -docstring 'files and folders that mark the root of a project' str coauthor_roots '".git", ".coauthor"'

# kakoune-lsp knows a buffer by its file type and refuses one without.
hook -group coauthor global BufCreate [^*].* %{
    evaluate-commands %sh{
        [ -n "$kak_opt_filetype" ] || echo 'set-option buffer filetype plaintext'
    }
}

# Beside the servers that the file type has, whoever sets them. kakoune-lsp gives up a buffer when one of its servers cannot be
# started, so those that are not installed are left out.
hook -group coauthor global BufSetOption (filetype|lsp_servers)=.+ %{
    evaluate-commands %sh{
        case $kak_opt_lsp_servers in *'[coauthor]'*) exit ;; esac
        # Prints each server and its program, or with absent those parts of the text that are about other servers.
        servers() {
            printf '%s\n' "$kak_opt_lsp_servers" | awk -v absent="$1" '
                function program() { if (!absent && name != "") print name "=" command }
                /^[ \t]*\[[^]]+\][ \t]*$/ {
                    part = $0
                    gsub(/[][ \t"]/, "", part)
                    if (part !~ /\./) { program(); name = command = part }
                    left = index(absent " ", " " name " ")
                }
                /^[ \t]*command[ \t]*=[ \t]*"/ && part == name { split($0, quoted, "\""); command = quoted[2] }
                absent && !left { print }
                END { program() }'
        }
        absent=
        for one in $(servers ''); do
            command -v "${one#*=}" > /dev/null || absent="$absent ${one%%=*}"
        done
        printf "set-option buffer lsp_servers '"
        {
            if [ -n "$absent" ]; then servers "$absent"; else printf '%s\n' "$kak_opt_lsp_servers"; fi
            printf '[coauthor]\nroot_globs = [%s]\ncommand = "%s"\nargs = ["serve"]\n' "$kak_opt_coauthor_roots" "$kak_opt_coauthor_command"
        } | sed "s/'/''/g"
        echo "'"
        [ -z "$absent" ] || echo "echo -debug Coauthor: these servers are not installed, so lsp_servers of %val{bufname} is without them:$absent"
    }
}

# coauthor-send COMMAND [WORDS]: runs a command of the server about this buffer, and about its lines where more than a character
# is selected. What was typed just now is told before.
define-command -hidden coauthor-send -params 1..2 %{
    lsp-did-change
    evaluate-commands %sh{
        escaped() { printf %s "$1" | tr '\n\t' '  ' | sed -e 's/\\/\\\\/g' -e 's/"/\\"/g'; }
        path=$(escaped "$kak_buffile" | sed -e 's/%/%25/g' -e 's/ /%20/g' -e 's/#/%23/g' -e 's/?/%3F/g')
        fields="\"uri\":\"file://$path\""
        from=${kak_selection_desc%%.*}
        to=${kak_selection_desc#*,} to=${to%%.*}
        [ "$from" -le "$to" ] || { line=$from from=$to to=$line; }
        if [ "${kak_selection_desc%,*}" != "${kak_selection_desc#*,}" ]; then
            fields="$fields,\"range\":{\"start\":{\"line\":$((from - 1)),\"character\":0},\"end\":{\"line\":$to,\"character\":0}}"
        fi
        [ -z "$2" ] || fields="$fields,\"instruction\":\"$(escaped "$2")\""
        if [ "$1" = fix ]; then
            # kakoune-lsp tells a server nothing of what others report. What it draws behind a line is the worst of that line.
            eval set -- "$kak_quoted_opt_lsp_inlay_diagnostics"
            found=
            for one; do
                line=${one%%|*}
                { [ "$line" -ge "$from" ] && [ "$line" -le "$to" ]; } 2> /dev/null || continue
                text=$(printf %s "$one" | sed -e 's/^.*{InlayDiagnostic[A-Za-z]*}//' -e 's/\\\([^a-zA-Z]\)/\1/g')
                found="$found,{\"range\":{\"start\":{\"line\":$((line - 1)),\"character\":0},\"end\":{\"line\":$line,\"character\":0}},\"message\":\"$(escaped "$text")\"}"
            done
            [ -z "$found" ] || fields="$fields,\"diagnostics\":[${found#,}]"
            set -- fix
        fi
        # With its name, else kakoune-lsp asks any server that has commands.
        printf "lsp-execute-command coauthor.%s '[{%s}]' coauthor\n" "$1" "$(printf %s "$fields" | sed "s/'/''/g")"
    }
}

# coauthor-ask-for PROMPT COMMAND [WORDS...]: asks for the words where none are given.
define-command -hidden coauthor-ask-for -params 2.. %{
    evaluate-commands %sh{
        quoted() { printf %s "$1" | sed "s/'/''/g"; }
        title=$1 command=$2
        shift 2
        if [ $# = 0 ]; then
            printf "prompt '%s' %%{ coauthor-send %s %%val{text} }\n" "$(quoted "$title")" "$command"
        else
            printf "coauthor-send %s '%s'\n" "$command" "$(quoted "$*")"
        fi
    }
}

define-command coauthor-edit -params .. -docstring 'coauthor-edit [<instruction>]: change the selected lines, or the buffer' %{
    coauthor-ask-for 'Coauthor: change: ' edit %arg{@}
}
define-command coauthor-ask -params .. -docstring 'coauthor-ask [<question>]: ask about the selected lines, or the buffer' %{
    coauthor-ask-for 'Coauthor: ask: ' ask %arg{@}
}
define-command coauthor-follow-up -params .. -docstring 'coauthor-follow-up [<instruction>]: send a follow-up to the last request' %{
    coauthor-ask-for 'Coauthor: follow-up: ' followUp %arg{@}
}
define-command coauthor-fix -docstring 'fix the problems reported on the selected lines, or caused by the last change' %{
    coauthor-send fix
}
define-command coauthor-apply -docstring 'apply the pending change' %{ coauthor-send apply }
define-command coauthor-discard -docstring 'discard the pending change' %{ coauthor-send discard }
define-command coauthor-undo -docstring 'undo the last change in all files' %{ coauthor-send undoTurn }
define-command coauthor-redo -docstring 'redo the undone change' %{ coauthor-send redoTurn }
define-command coauthor-cancel -docstring 'stop the running request' %{ coauthor-send cancel }
define-command coauthor-doctor -docstring 'check the setup' %{ coauthor-send doctor }

# kakoune-lsp opens no documents for a server. So they are opened here, where the server writes them.
define-command -hidden coauthor-open -params 1 %{
    evaluate-commands %sh{
        root=${kak_buffile%/*}
        while [ -n "$root" ] && [ ! -e "$root/.git" ] && [ ! -e "$root/.coauthor" ]; do root=${root%/*}; done
        found=
        for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
            # shellcheck disable=SC2012,SC2086 # the newest one; $1 is a pattern
            found=$(ls -t "$root"/.coauthor/$1 2> /dev/null | head -n 1)
            [ -z "$found" ] || break
            sleep 0.1
        done
        if [ -n "$found" ]; then
            printf "edit! '%s'\n" "$(printf %s "$found" | sed "s/'/''/g")"
        else
            echo "fail 'Coauthor: nothing to show yet'"
        fi
    }
}

# The server writes the diff anew when it is asked for and when a part of it is decided on.
hook -group coauthor global BufCreate .*/\.coauthor/.*\.diff %{ set-option buffer autoreload yes }

define-command coauthor-prompt -docstring 'open the conversation to type a message about the selected lines or the buffer' %{
    coauthor-send openPrompt
    coauthor-open prompt-1.md
    execute-keys ge
}
define-command coauthor-run -docstring 'send your message in the conversation' %{ coauthor-send runPrompt }
define-command coauthor-show -docstring 'open the diff of the pending change' %{
    coauthor-send showPending
    coauthor-open '*.diff'
}
define-command coauthor-restart -docstring 'restart kakoune-lsp and its servers, for all buffers' %{
    lsp-exit
    lsp-start
    lsp-did-change-config
    evaluate-commands -buffer * %{ try lsp-did-open }
}
define-command coauthor-answer -docstring 'answer a question' %{ lsp-show-message-request-next }

declare-user-mode coauthor
map global coauthor e ':coauthor-edit<ret>' -docstring 'change the selection'
map global coauthor q ':coauthor-ask<ret>' -docstring 'ask about the selection'
map global coauthor f ':coauthor-fix<ret>' -docstring 'fix reported problems'
map global coauthor s ':coauthor-show<ret>' -docstring 'show the pending change'
map global coauthor a ':coauthor-apply<ret>' -docstring 'apply the pending change'
map global coauthor d ':coauthor-discard<ret>' -docstring 'discard the pending change'
map global coauthor u ':coauthor-undo<ret>' -docstring 'undo the last change'
map global coauthor c ':coauthor-cancel<ret>' -docstring 'stop the running request'
map global coauthor p ':coauthor-prompt<ret>' -docstring 'open the conversation'
map global coauthor r ':coauthor-run<ret>' -docstring 'send your message in the conversation'
map global coauthor n ':coauthor-answer<ret>' -docstring 'answer a question'
map global coauthor l ':lsp-code-actions<ret>' -docstring 'list the code actions'
