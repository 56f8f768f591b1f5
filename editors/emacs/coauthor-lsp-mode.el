;;; coauthor-lsp-mode.el --- Coauthor with lsp-mode  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (lsp-mode "8.0"))
;; Keywords: tools, convenience, languages

;;; Commentary:

;; lsp-mode can run several servers in a buffer.  This file makes it start
;; coauthor in every buffer, even if no other server supports the mode:
;;
;;     (require 'coauthor-lsp-mode)
;;     (add-hook 'prog-mode-hook #'lsp-deferred)

;;; Code:

(require 'coauthor)
(require 'lsp-mode)

(defvar lsp--cur-workspace)
(declare-function lsp--buffer-uri "lsp-mode")
(declare-function lsp--fix-path-casing "lsp-mode")
(declare-function lsp--range-to-region "lsp-mode")
(declare-function lsp--region-to-range "lsp-mode")
(declare-function lsp--uri-to-path "lsp-mode")
(declare-function lsp--workspace-server-capabilities "lsp-mode")
(declare-function lsp--workspace-server-id "lsp-mode")
(declare-function lsp--workspace-status "lsp-mode")
(declare-function lsp-get "lsp-protocol")

(defun coauthor-lsp-mode--table (&rest pairs)
  "Return a hash table with string keys from PAIRS of keys and values."
  (let ((table (make-hash-table :test #'equal)))
    (while pairs
      (puthash (pop pairs) (pop pairs) table))
    table))


;;; What coauthor asks

;; Each is answered when the user does not type: a question that comes to the
;; minibuffer takes the keys that are on their way.

(defun coauthor-lsp-mode--choose (_workspace params answer)
  "Ask the question in PARAMS and call ANSWER with the user's choice."
  (coauthor-when-idle
   (lambda ()
     (let ((choice (coauthor-read-choice
                    (lsp-get params :message)
                    (mapcar (lambda (action) (lsp-get action :title))
                            (lsp-get params :actions)))))
       (funcall answer (and choice (list :title choice)))))))

(defun coauthor-lsp-mode--input (_workspace params answer)
  "Ask for the text that PARAMS describe and call ANSWER with it."
  (coauthor-when-idle
   (lambda ()
     (let ((text (coauthor-read-text (lsp-get params :prompt) (lsp-get params :value))))
       (funcall answer (and text (list :value text)))))))

(defun coauthor-lsp-mode--show (workspace params answer)
  "Open the document in PARAMS for WORKSPACE, and call ANSWER."
  (let ((file (lsp--uri-to-path (lsp-get params :uri))))
    (if (not (file-readable-p file))
        (funcall answer '(:success :json-false))
      (run-with-timer 0 nil #'coauthor-display workspace file
                      (eq (lsp-get params :takeFocus) t)
                      (lsp-get params :selection))
      (funcall answer '(:success t)))))

(defun coauthor-lsp-mode--turn (workspace params)
  "Record the state of a request in WORKSPACE from PARAMS."
  (coauthor-turn workspace (lsp-get params :turnId) (lsp-get params :state) (lsp-get params :message)))

(lsp-register-client
 (make-lsp-client
  :server-id 'coauthor
  :new-connection (lsp-stdio-connection (lambda () coauthor-program))
  :activation-fn (lambda (&rest _) t)
  :add-on? t
  :priority -2
  :language-id "plaintext"
  :initialization-options
  (lambda ()
    (list :client "lsp-mode-module"
          :settings (append coauthor-settings
                            (unless (plist-member coauthor-settings :client)
                              '(:client (:quirks (:dialogBlocks t)))))))
  :custom-capabilities '((experimental . ((coauthor . ((inputBox . t) (turn . t))))))
  :notification-handlers
  (coauthor-lsp-mode--table "coauthor/turn" #'coauthor-lsp-mode--turn)
  :async-request-handlers
  (coauthor-lsp-mode--table "window/showMessageRequest" #'coauthor-lsp-mode--choose
                            "window/showDocument" #'coauthor-lsp-mode--show
                            "coauthor/inputBox" #'coauthor-lsp-mode--input)))

(add-to-list 'lsp-language-id-configuration '(coauthor-prompt-mode . "markdown"))
(add-to-list 'lsp-language-id-configuration '(coauthor-diff-mode . "diff"))
(add-hook 'coauthor-prompt-mode-hook #'lsp)
(add-hook 'coauthor-diff-mode-hook #'lsp)


;;; What the commands ask

(defun coauthor-lsp-mode--connection ()
  "Return the coauthor workspace for the current buffer, or nil."
  (seq-find (lambda (workspace) (eq (lsp--workspace-server-id workspace) 'coauthor))
            (lsp-workspaces)))

(add-hook 'coauthor-connection-functions #'coauthor-lsp-mode--connection)

(cl-defmethod coauthor-live-p ((workspace lsp--workspace))
  "Return non-nil if the server for WORKSPACE is running."
  (eq (lsp--workspace-status workspace) 'initialized))

(cl-defmethod coauthor-request ((workspace lsp--workspace) method params success &optional failure)
  "Send METHOD with PARAMS to WORKSPACE; call SUCCESS or FAILURE with the result."
  (coauthor-asked)
  (let ((lsp--cur-workspace workspace))
    (lsp-request-async (substring (symbol-name method) 1) params
                       (lambda (answers) ; of each workspace that was asked, with it
                         (funcall success (cdar answers)))
                       :mode 'detached
                       :no-merge t
                       :error-handler (lambda (answer)
                                        (funcall (or failure #'ignore) (lsp-get answer :message))))))

(cl-defmethod coauthor-uri ((_workspace lsp--workspace))
  "Return the current buffer's URI."
  (and buffer-file-name (lsp--buffer-uri)))

(cl-defmethod coauthor-range ((_workspace lsp--workspace) beg end)
  "Return the LSP range from BEG to END."
  (lsp--region-to-range beg end))

(cl-defmethod coauthor-region ((_workspace lsp--workspace) range)
  "Return the buffer positions of RANGE."
  (lsp--range-to-region range))

(cl-defmethod coauthor-problems ((workspace lsp--workspace) beg end)
  "Return the diagnostics from all servers between BEG and END.
WORKSPACE converts their positions."
  (seq-filter (lambda (found)
                (pcase-let ((`(,from . ,to) (coauthor-region workspace (lsp-get found :range))))
                  (and (< from end) (>= to beg))))
              (gethash (lsp--fix-path-casing buffer-file-name) (lsp-diagnostics t))))

(cl-defmethod coauthor-get ((_workspace lsp--workspace) object key)
  "Return the value of KEY in OBJECT."
  (lsp-get object key))

(cl-defmethod coauthor-commands ((workspace lsp--workspace))
  "Return the names of the commands in WORKSPACE."
  (append (lsp-get (lsp-get (lsp--workspace-server-capabilities workspace) :executeCommandProvider)
                   :commands)
          nil))

(provide 'coauthor-lsp-mode)
;;; coauthor-lsp-mode.el ends here
