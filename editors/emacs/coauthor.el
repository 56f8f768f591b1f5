;;; coauthor.el --- Change code with a language model  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: tools, convenience, languages

;;; Commentary:

;; This package provides coauthor's commands in Emacs.  You type instructions in
;; the minibuffer, the conversation is a document with its own mode, and a
;; change's diff opens next to your text without taking the focus.
;;
;; Do not require this file directly.  Require `coauthor-eglot' or
;; `coauthor-lsp-mode', which connect it to your LSP client.  See README.md in
;; this folder.

;;; Code:

(require 'cl-lib)
(require 'diff-mode)
(require 'seq)
(require 'subr-x)

(defgroup coauthor nil
  "Change code with a language model."
  :group 'tools
  :prefix "coauthor-")

(defcustom coauthor-program '("coauthor" "serve")
  "Command line of the language server."
  :type '(repeat string))

(defcustom coauthor-settings nil
  "Settings for the server, as a property list.
For example (:preview (:mode \"none\")).  Put a setting that chooses a
model, a key or a command to run into config.yaml instead, where a
directory-local variable cannot change it."
  :type '(plist :key-type symbol :value-type sexp))

(defvar coauthor-history nil
  "History of instructions and questions.")


;;; The client

;; A connection is what a client has for one server: an object of Eglot, a
;; workspace of lsp-mode.  These are all that the rest asks of it.

(defvar coauthor-connection-functions nil
  "Functions that find the connection for the current buffer.
Each takes no arguments and returns a connection or nil.")

(cl-defgeneric coauthor-live-p (connection)
  "Return non-nil if the server for CONNECTION is running.")

(cl-defgeneric coauthor-request (connection method params success &optional failure)
  "Send METHOD with PARAMS to CONNECTION and do not wait.
Call SUCCESS with the result, or FAILURE with an error message.
Unsent text changes are sent first.")

(cl-defgeneric coauthor-uri (connection)
  "Return the URI of the current buffer in CONNECTION, or nil.")

(cl-defgeneric coauthor-range (connection beg end)
  "Return the range from BEG to END in CONNECTION's format.")

(cl-defgeneric coauthor-region (connection range)
  "Return RANGE, in CONNECTION's format, as buffer positions (BEG . END).")

(cl-defgeneric coauthor-problems (connection beg end)
  "Return a list of the diagnostics from BEG to END.
They are in the format that CONNECTION uses.")

(cl-defgeneric coauthor-get (connection object key)
  "Return the value of KEY, a keyword, in an OBJECT from CONNECTION.")

(cl-defgeneric coauthor-commands (connection)
  "Return the names of the server commands available on CONNECTION.")

(defvar coauthor--last nil
  "The last used connection.
Buffers without a connection, such as file lists, use it.")

(defun coauthor--own-connection ()
  "Return the connection that handles the current buffer, or nil if there is none."
  (run-hook-with-args-until-success 'coauthor-connection-functions))

(defun coauthor--connection ()
  "Return the current buffer's connection, or the last used one."
  (let ((found (coauthor--own-connection)))
    (cond
     (found (setq coauthor--last found))
     ((and coauthor--last (coauthor-live-p coauthor--last)) coauthor--last)
     (t (user-error "Coauthor is not running here; open a file in the project and run M-x eglot or M-x lsp")))))

(defun coauthor--place (connection &optional beg end)
  "Return command fields that identify the current buffer to CONNECTION.
If BEG and END are given, include their range, widened to whole lines."
  (when-let ((uri (and (eq connection (coauthor--own-connection))
                       (coauthor-uri connection))))
    (nconc (list :uri uri)
           (when (and beg end)
             (list :range
                   (apply #'coauthor-range connection (coauthor--lines beg end)))))))

(defun coauthor--lines (beg end)
  "Return the list (BEG END) widened to whole lines.
If END is at the beginning of a line, exclude that line."
  (save-excursion
    (list (progn (goto-char beg) (line-beginning-position))
          (progn (goto-char end)
                 (if (and (bolp) (> end beg)) (point)
                   (line-beginning-position 2))))))

(defun coauthor--run (command fields &optional success)
  "Run the server command COMMAND with FIELDS, a property list.
Call SUCCESS with the connection and the result."
  (let ((connection (coauthor--connection)))
    (coauthor-request
     connection :workspace/executeCommand
     (list :command (concat "coauthor." command)
           :arguments (if fields (vector fields) []))
     (lambda (result)
       (when success (funcall success connection result)))
     (lambda (words) (message "Coauthor: %s" words)))))

(defun coauthor--started (connection result)
  "Show a message if no request started, given RESULT from CONNECTION."
  (pcase (and result (coauthor-get connection result :status))
    ("busy" (message "Coauthor: another request is running; wait for it, or stop it with M-x coauthor-cancel"))
    ("none" (message "Coauthor: nothing to do here"))))


;;; Asking

(defun coauthor--read (prompt)
  "Read an instruction with PROMPT and return it."
  (let ((text (string-trim (read-string (concat "Coauthor: " prompt) nil 'coauthor-history))))
    (when (string-empty-p text)
      (user-error "The instruction is empty"))
    text))

(defun coauthor--target-words ()
  "Return a phrase for the target of a request: the selection or the buffer."
  (if (use-region-p) "selection" (format "%s" (buffer-name))))

;;;###autoload
(defun coauthor-edit (instruction)
  "Change the region, or the buffer, according to INSTRUCTION.
With a prefix argument, type a longer instruction in the conversation."
  (interactive (list (unless current-prefix-arg
                       (coauthor--connection)
                       (coauthor--read (format "Change %s: " (coauthor--target-words))))))
  (if (not instruction)
      (coauthor-prompt)
    (coauthor--ask "edit" instruction)))

;;;###autoload
(defun coauthor-ask (question)
  "Ask QUESTION about the region, or about the buffer."
  (interactive (list (progn (coauthor--connection)
                            (coauthor--read (format "Ask about %s: " (coauthor--target-words))))))
  (coauthor--ask "ask" question))

(defun coauthor--ask (command words)
  "Run the server command COMMAND with WORDS at point."
  (let* ((connection (coauthor--connection))
         (place (if (use-region-p)
                    (coauthor--place connection (region-beginning) (region-end))
                  (coauthor--place connection))))
    (deactivate-mark)
    (coauthor--run command (nconc place (list :instruction words)) #'coauthor--started)))

;;;###autoload
(defun coauthor-fix ()
  "Fix the problems reported in the region, or on this line.
If there are none, fix the problems that the last change caused."
  (interactive)
  (let* ((connection (coauthor--connection))
         (lines (if (use-region-p)
                    (coauthor--lines (region-beginning) (region-end))
                  (coauthor--lines (point) (point))))
         (problems (apply #'coauthor-problems connection lines)))
    (deactivate-mark)
    (coauthor--run "fix"
                   (when problems
                     (nconc (apply #'coauthor--place connection lines)
                            (list :diagnostics (vconcat problems))))
                   #'coauthor--started)))

;;;###autoload
(defun coauthor-follow-up (words)
  "Send WORDS as a follow-up to the last request."
  (interactive (list (progn (coauthor--connection)
                            (coauthor--read "Follow-up: "))))
  (coauthor--run "followUp" (list :instruction words) #'coauthor--started))

;;;###autoload
(defun coauthor-prompt ()
  "Open the conversation to type a message about the region or the buffer."
  (interactive)
  (let ((connection (coauthor--connection)))
    (coauthor--run "openPrompt"
                   (if (use-region-p)
                       (coauthor--place connection (region-beginning) (region-end))
                     (coauthor--place connection)))))

;;;###autoload
(defun coauthor-cancel ()
  "Stop the running request."
  (interactive)
  (coauthor--run "cancel" nil
                 (lambda (connection result)
                   (when (seq-empty-p (coauthor-get connection result :cancelled))
                     (message "Coauthor: no request is running")))))

;;;###autoload
(defun coauthor-command (command words)
  "Run any server COMMAND, with WORDS if it accepts an argument."
  (interactive
   (let ((names (mapcar (lambda (name) (string-remove-prefix "coauthor." name))
                        (coauthor-commands (coauthor--connection)))))
     (list (completing-read "Coauthor command: " names nil t)
           (read-string "Argument (optional): " nil 'coauthor-history))))
  (let ((place (coauthor--place (coauthor--connection))))
    (coauthor--run command
                   (if (string-empty-p words) place
                     (nconc place (list :instruction words)))
                   #'coauthor--started)))

;;;###autoload
(defun coauthor-doctor ()
  "Check the setup and open a report."
  (interactive)
  (coauthor--run "doctor" nil))


;;; Deciding

(defvar coauthor--wants-diff nil
  "Non-nil if the user asked for the diff, which can then take the focus.")

(defun coauthor--decide (command)
  "Run COMMAND for the pending change in this buffer's folder."
  (coauthor--run command (coauthor--place (coauthor--connection))))

;;;###autoload
(defun coauthor-show ()
  "Go to the diff of the pending change."
  (interactive)
  (setq coauthor--wants-diff t)
  (coauthor--decide "showPending"))

;;;###autoload
(defun coauthor-apply ()
  "Apply the pending change exactly as shown."
  (interactive)
  (coauthor--decide "apply"))

;;;###autoload
(defun coauthor-discard ()
  "Discard the pending change."
  (interactive)
  (when (y-or-n-p "Discard the pending change? ")
    (coauthor--decide "discard")))

;;;###autoload
(defun coauthor-undo ()
  "Undo the last applied change, in all its files."
  (interactive)
  (coauthor--decide "undoTurn"))

;;;###autoload
(defun coauthor-redo ()
  "Redo the change that `coauthor-undo' undid."
  (interactive)
  (coauthor--decide "redoTurn"))

(defun coauthor--actions (wanted found)
  "Request the code actions at point and call FOUND with the matching ones.
WANTED is a regular expression for their titles.  FOUND gets a list of
\(TITLE . COMMAND), in which COMMAND is what the server is to run."
  (let* ((connection (coauthor--connection))
         (place (coauthor--place connection)))
    (unless place
      (user-error "Coauthor is not running in this buffer"))
    (coauthor-request
     connection :textDocument/codeAction
     (list :textDocument place
           :range (coauthor-range connection (point) (point))
           :context (list :diagnostics []))
     (lambda (actions)
       (let ((case-fold-search nil))
         (funcall found
                  (delq nil
                        (mapcar
                         (lambda (action)
                           (let ((title (coauthor-get connection action :title)))
                             (when (string-match-p wanted title)
                               (cons title (coauthor-get connection action :command)))))
                         actions)))))
     (lambda (words) (message "Coauthor: %s" words)))))

(defun coauthor--run-action (action)
  "Run ACTION, which `coauthor--actions' found."
  (let ((connection (coauthor--connection))
        (command (cdr action)))
    (coauthor-request connection :workspace/executeCommand
                      (list :command (coauthor-get connection command :command)
                            :arguments (or (coauthor-get connection command :arguments) []))
                      #'ignore
                      (lambda (words) (message "Coauthor: %s" words)))))

(defun coauthor--part (verb otherwise)
  "Apply or discard the hunk or file at point; VERB is one of the two.
If only the entire change can be chosen, call OTHERWISE."
  (coauthor--actions (format "\\`Coauthor: %s " verb)
                     (lambda (actions)
                       (let ((part (seq-find (lambda (action)
                                               (not (string-search "pending change" (car action))))
                                             actions)))
                         (if part
                             (coauthor--run-action part)
                           (funcall otherwise))))))

;;;###autoload
(defun coauthor-apply-here ()
  "Apply the hunk or file at point, in a diff or in the text."
  (interactive)
  (coauthor--part "apply" #'coauthor-apply))

;;;###autoload
(defun coauthor-discard-here ()
  "Discard the hunk or file at point, in a diff or in the text."
  (interactive)
  (coauthor--part "discard" #'coauthor-discard))

;;;###autoload
(defun coauthor-answer ()
  "Answer an open question."
  (interactive)
  (let ((connection (coauthor--connection)))
    (coauthor--actions
     "\\`Coauthor: "
     (lambda (actions)
       (let ((answers (seq-filter (lambda (action)
                                    (equal (coauthor-get connection (cdr action) :command)
                                           "coauthor.answer"))
                                  actions)))
         (if (not answers)
             (message "Coauthor: no open questions")
           (coauthor--run-action
            (assoc (completing-read "Answer: " answers nil t) answers))))))))


;;; What the server asks of Emacs

(defvar coauthor--asked-at nil
  "Number of keys pressed before the last user request.")

(defun coauthor-asked ()
  "Record that the user made a request and expects a response."
  (setq coauthor--asked-at num-nonmacro-input-events))

(defun coauthor-busy-p ()
  "Return non-nil if the user is typing, so that nothing takes the focus."
  (or (active-minibuffer-window)
      (input-pending-p)
      (and (not (eql coauthor--asked-at num-nonmacro-input-events))
           (let ((idle (current-idle-time)))
             (or (null idle) (time-less-p idle 1))))))

(defun coauthor-when-idle (function)
  "Call FUNCTION from a timer as soon as the user stops typing.
It must not run while Emacs handles a message from the server."
  (run-with-timer 0 nil #'coauthor--if-idle function))

(defun coauthor--if-idle (function)
  "Call FUNCTION now, or when the user stops typing."
  (if (coauthor-busy-p)
      (run-with-timer 0.3 nil #'coauthor--if-idle function)
    (funcall function)))

(defun coauthor-read-choice (question choices)
  "Ask QUESTION and return one of CHOICES, or nil if the user quits."
  (unwind-protect
      (condition-case nil
          (let* ((completion-ignore-case t)
                 (answer (completing-read
                          (format "%s [%s] " question (string-join choices " | "))
                          choices nil t)))
            (unless (string-empty-p answer) answer))
        (quit nil))
    (coauthor-asked)))

(defun coauthor-read-text (question &optional value)
  "Ask QUESTION and return the answer, or nil if the user quits.
VALUE is the initial text."
  (unwind-protect
      (condition-case nil
          (read-string (format "Coauthor: %s: " (string-trim-right question "[:… ]+"))
                       value 'coauthor-history)
        (quit nil))
    (coauthor-asked)))

(defun coauthor-display (connection file focus range)
  "Show FILE at the request of the server for CONNECTION.
With FOCUS, select its window once the minibuffer is inactive.  Select a
diff only if the user asked for it.  Move point to RANGE unless it is nil."
  (let* ((revert-without-query '(""))
         (buffer (find-file-noselect file t)))
    (when (with-current-buffer buffer (derived-mode-p 'coauthor-diff-mode))
      (setq focus coauthor--wants-diff
            coauthor--wants-diff nil))
    (if (not focus)
        (coauthor--go (display-buffer buffer '(nil (inhibit-same-window . t))) connection buffer range)
      (if (active-minibuffer-window)
          (progn
            (setq coauthor--wants-diff focus)
            (run-with-timer 0.3 nil #'coauthor-display connection file focus range))
        (pop-to-buffer buffer)
        (coauthor--go (selected-window) connection buffer range)))))

(defun coauthor--go (window connection buffer range)
  "Show RANGE from CONNECTION in BUFFER in WINDOW, or the top without RANGE."
  (with-current-buffer buffer
    (let ((at (if range (car (coauthor-region connection range))
                (and (derived-mode-p 'coauthor-diff-mode) (point-min)))))
      (when at
        (goto-char at)
        (when (window-live-p window)
          (set-window-point window at))))))


;;; What runs

(defvar coauthor--turns nil
  "Running requests and pending changes, as a list of (ID CONNECTION WORDS).")

(defun coauthor-turn (connection id state words)
  "Record that request ID on CONNECTION is in STATE, with WORDS to show."
  (setf (alist-get id coauthor--turns nil 'remove #'equal)
        (pcase state
          ((or "queued" "collecting" "requesting" "streaming" "verifying" "reflecting" "applying")
           (list connection
                 (if (or (null words) (string-empty-p words)) (capitalize state) words)))
          ((or "proposed" "pending" "partial" "conflict")
           (list connection "change pending"))))
  (add-to-list 'mode-line-misc-info '(:eval (coauthor-mode-line)))
  (force-mode-line-update t))

(defun coauthor-mode-line ()
  "Return Coauthor's status for the mode line.
Ignore servers that have stopped."
  (setq coauthor--turns (seq-filter (lambda (turn) (coauthor-live-p (cadr turn)))
                                    coauthor--turns))
  (when coauthor--turns
    (format " Coauthor: %s " (string-replace "%" "%%" (nth 2 (car coauthor--turns))))))


;;; The documents of coauthor

(defun coauthor--own-document ()
  "Set up the current buffer as a document that the server manages.
Emacs saves it without asking and creates no backup or lock files."
  (setq-local buffer-save-without-query t)
  (setq-local backup-inhibited t)
  (setq-local create-lockfiles nil)
  (auto-save-mode -1)
  (add-hook 'kill-buffer-query-functions #'coauthor--save-quietly nil t))

(defun coauthor--save-quietly ()
  "Save the current buffer if possible.  Always return t."
  (when (and (buffer-modified-p) buffer-file-name
             (file-directory-p (file-name-directory buffer-file-name)))
    (ignore-errors
      (let ((save-silently t))
        (basic-save-buffer))))
  t)

(defun coauthor-run-prompt ()
  "Send your last message in this conversation."
  (interactive)
  (coauthor--run "runPrompt" (coauthor--place (coauthor--connection))
                 #'coauthor--started))

(defvar coauthor-prompt-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'coauthor-run-prompt)
    (define-key map (kbd "C-c C-k") #'coauthor-cancel)
    (define-key map (kbd "C-c C-s") #'coauthor-show)
    (define-key map (kbd "C-c C-a") #'coauthor-apply)
    (define-key map (kbd "C-c C-d") #'coauthor-discard)
    map)
  "Keys of `coauthor-prompt-mode'.")

(defvar coauthor-prompt-font-lock-keywords
  '(("^## .*$" . 'font-lock-keyword-face)
    ("^\\(/[a-z-]+\\)\\b" 1 'font-lock-builtin-face)
    ("^- \\[[ x]\\]" . 'font-lock-constant-face)
    ("`[^`\n]+`" . 'font-lock-string-face))
  "Font-lock keywords for `coauthor-prompt-mode'.")

;;;###autoload
(define-derived-mode coauthor-prompt-mode text-mode "Coauthor"
  "Major mode for the conversation with Coauthor.
Type below the last heading and send your message with \\[coauthor-run-prompt]."
  (setq-local font-lock-defaults '(coauthor-prompt-font-lock-keywords t))
  (coauthor--own-document))

(defvar coauthor-diff-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'coauthor-apply)
    (define-key map (kbd "C-c C-k") #'coauthor-discard)
    (define-key map (kbd "C-c C-a") #'coauthor-apply-here)
    (define-key map (kbd "C-c C-d") #'coauthor-discard-here)
    (define-key map (kbd "C-c C-r") #'coauthor-follow-up)
    map)
  "Keys of `coauthor-diff-mode'.")

;;;###autoload
(define-derived-mode coauthor-diff-mode diff-mode "Coauthor-Diff"
  "Major mode for the diff of a pending change.
Apply all of it with \\[coauthor-apply], the hunk or file at point with
\\[coauthor-apply-here], and discard in the same way with \\[coauthor-discard]
and \\[coauthor-discard-here].  Send a follow-up with
\\[coauthor-follow-up]."
  (coauthor--own-document))

;; By a function: markdown-mode puts its own before what others say of a name.

(defun coauthor--prompt-p ()
  "Return non-nil if the current buffer visits the conversation."
  (and buffer-file-name
       (string-match-p "/\\.coauthor/prompt-[0-9]+\\.md\\'" buffer-file-name)))

(defun coauthor--diff-p ()
  "Return non-nil if the current buffer visits a change's diff."
  (and buffer-file-name
       (string-match-p "/\\.coauthor/[^/]+\\.diff\\'" buffer-file-name)))

(add-to-list 'magic-mode-alist '(coauthor--prompt-p . coauthor-prompt-mode))
(add-to-list 'magic-mode-alist '(coauthor--diff-p . coauthor-diff-mode))

(provide 'coauthor)
;;; coauthor.el ends here
