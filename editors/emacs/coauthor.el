;;; coauthor.el --- Change code with a language model  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: tools, convenience, languages

;;; Commentary:

;; The commands of coauthor, in Emacs' own ways: an instruction is read in the
;; minibuffer, the conversation is a document with a mode, and the diff of a
;; change opens beside your text without taking a key from it.
;;
;; This file knows no client.  `coauthor-eglot' and `coauthor-lsp-mode' connect
;; it to one: require the one that you use, and not this.  README.md in this
;; folder has the rest.

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
  "Functions that find the connection of the current buffer.
Each is called without arguments and returns nil where it knows of none.")

(cl-defgeneric coauthor-live-p (connection)
  "Whether the server of CONNECTION is alive.")

(cl-defgeneric coauthor-request (connection method params success &optional failure)
  "Send METHOD with PARAMS to CONNECTION and do not wait.
SUCCESS is called with the result, FAILURE with the words of an error.
What the user has typed so far is sent before it.")

(cl-defgeneric coauthor-uri (connection)
  "The URI by which CONNECTION knows the current buffer, or nil.")

(cl-defgeneric coauthor-range (connection beg end)
  "The text from BEG to END in the positions of CONNECTION.")

(cl-defgeneric coauthor-region (connection range)
  "The positions (BEG . END) in the current buffer of a RANGE of CONNECTION.")

(cl-defgeneric coauthor-problems (connection beg end)
  "The diagnostics from BEG to END, as a list.
They have the form in which CONNECTION received or would send them.")

(cl-defgeneric coauthor-get (connection object key)
  "The value of KEY, a keyword, in an OBJECT that CONNECTION received.")

(cl-defgeneric coauthor-commands (connection)
  "The names of the commands that the server of CONNECTION has.")

(defvar coauthor--last nil
  "The connection that was used last.
It serves buffers that have none, such as a list of files.")

(defun coauthor--own-connection ()
  "The connection that knows the current buffer, or nil."
  (run-hook-with-args-until-success 'coauthor-connection-functions))

(defun coauthor--connection ()
  "The connection of the current buffer, else the one that was used last."
  (let ((found (coauthor--own-connection)))
    (cond
     (found (setq coauthor--last found))
     ((and coauthor--last (coauthor-live-p coauthor--last)) coauthor--last)
     (t (user-error "Coauthor is not running here; open a file in the project and run M-x eglot or M-x lsp")))))

(defun coauthor--place (connection &optional beg end)
  "The current buffer as the fields of a command for CONNECTION.
BEG and END are those of a part of it, which is taken in whole lines."
  (when-let ((uri (and (eq connection (coauthor--own-connection))
                       (coauthor-uri connection))))
    (nconc (list :uri uri)
           (when (and beg end)
             (list :range
                   (apply #'coauthor-range connection (coauthor--lines beg end)))))))

(defun coauthor--lines (beg end)
  "The list (BEG END) widened to whole lines.
An END at the beginning of a line leaves that line out."
  (save-excursion
    (list (progn (goto-char beg) (line-beginning-position))
          (progn (goto-char end)
                 (if (and (bolp) (> end beg)) (point)
                   (line-beginning-position 2))))))

(defun coauthor--run (command fields &optional success)
  "Run COMMAND of the server with FIELDS, a property list.
SUCCESS is called with the connection and the result."
  (let ((connection (coauthor--connection)))
    (coauthor-request
     connection :workspace/executeCommand
     (list :command (concat "coauthor." command)
           :arguments (if fields (vector fields) []))
     (lambda (result)
       (when success (funcall success connection result)))
     (lambda (words) (message "Coauthor: %s" words)))))

(defun coauthor--started (connection result)
  "Tell what CONNECTION said in RESULT of a turn that was to begin."
  (pcase (and result (coauthor-get connection result :status))
    ("busy" (message "Coauthor: another request is running; wait for it, or stop it with M-x coauthor-cancel"))
    ("none" (message "Coauthor: nothing to do here"))))


;;; Asking

(defun coauthor--read (prompt)
  "Read an instruction with PROMPT."
  (let ((text (string-trim (read-string (concat "Coauthor: " prompt) nil 'coauthor-history))))
    (when (string-empty-p text)
      (user-error "The instruction is empty"))
    text))

(defun coauthor--target-words ()
  "What a request from the current buffer is about, in words."
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
  "Run COMMAND of the server with WORDS about the current place."
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
  "Whether the user has asked for the diff, which may take the keyboard then.")

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
  "Ask for the code actions at point and call FOUND with some of them.
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
  "Run what `coauthor--actions' has found as ACTION."
  (let ((connection (coauthor--connection))
        (command (cdr action)))
    (coauthor-request connection :workspace/executeCommand
                      (list :command (coauthor-get connection command :command)
                            :arguments (or (coauthor-get connection command :arguments) []))
                      #'ignore
                      (lambda (words) (message "Coauthor: %s" words)))))

(defun coauthor--part (verb otherwise)
  "Do VERB, apply or discard, with the hunk or the file at point.
Where that is all there is, call OTHERWISE."
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
  "How many keys there had been when the user last asked for something.")

(defun coauthor-asked ()
  "Note that the user has asked for something, and expects what comes."
  (setq coauthor--asked-at num-nonmacro-input-events))

(defun coauthor-busy-p ()
  "Whether the user is typing, so that nothing may take the focus."
  (or (active-minibuffer-window)
      (input-pending-p)
      (and (not (eql coauthor--asked-at num-nonmacro-input-events))
           (let ((idle (current-idle-time)))
             (or (null idle) (time-less-p idle 1))))))

(defun coauthor-when-idle (function)
  "Call FUNCTION as soon as the user is not typing, but never at once.
It must not run while a message of the server is handled."
  (run-with-timer 0 nil #'coauthor--if-idle function))

(defun coauthor--if-idle (function)
  "Call FUNCTION now, or a moment later if the user is typing."
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
  "Show FILE, as the server of CONNECTION has asked.
It takes the keyboard with FOCUS alone, and then not from the minibuffer; a
diff does not unless the user has asked for it.  RANGE is where point goes,
or nil."
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
  "Have WINDOW show RANGE of CONNECTION in BUFFER, without RANGE the top."
  (with-current-buffer buffer
    (let ((at (if range (car (coauthor-region connection range))
                (and (derived-mode-p 'coauthor-diff-mode) (point-min)))))
      (when at
        (goto-char at)
        (when (window-live-p window)
          (set-window-point window at))))))


;;; What runs

(defvar coauthor--turns nil
  "What runs and what waits, as a list of (ID CONNECTION WORDS).")

(defun coauthor-turn (connection id state words)
  "Note that the turn ID of CONNECTION is in STATE, with WORDS to show."
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
  "What Coauthor is doing, for the mode line.
Servers that have stopped are left out."
  (setq coauthor--turns (seq-filter (lambda (turn) (coauthor-live-p (cadr turn)))
                                    coauthor--turns))
  (when coauthor--turns
    (format " Coauthor: %s " (string-replace "%" "%%" (nth 2 (car coauthor--turns))))))


;;; The documents of coauthor

(defun coauthor--own-document ()
  "Make the current buffer a document of the server.
Nobody is asked whether to save it, and no file is left beside it."
  (setq-local buffer-save-without-query t)
  (setq-local backup-inhibited t)
  (setq-local create-lockfiles nil)
  (auto-save-mode -1)
  (add-hook 'kill-buffer-query-functions #'coauthor--save-quietly nil t))

(defun coauthor--save-quietly ()
  "Save the current buffer, where that can be done.  Always return t."
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
  "What `coauthor-prompt-mode' highlights.")

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
  "Whether the current buffer visits the document of the conversation."
  (and buffer-file-name
       (string-match-p "/\\.coauthor/prompt-[0-9]+\\.md\\'" buffer-file-name)))

(defun coauthor--diff-p ()
  "Whether the current buffer visits the diff of a change."
  (and buffer-file-name
       (string-match-p "/\\.coauthor/[^/]+\\.diff\\'" buffer-file-name)))

(add-to-list 'magic-mode-alist '(coauthor--prompt-p . coauthor-prompt-mode))
(add-to-list 'magic-mode-alist '(coauthor--diff-p . coauthor-diff-mode))

(provide 'coauthor)
;;; coauthor.el ends here
