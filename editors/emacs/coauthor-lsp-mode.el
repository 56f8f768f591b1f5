;;; coauthor-lsp-mode.el --- Coauthor with lsp-mode  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (lsp-mode "8.0"))
;; Keywords: tools, convenience, languages

;;; Commentary:

;; lsp-mode runs any number of servers in a buffer.  With this file coauthor is
;; one of them wherever lsp-mode runs, and also where no other server is:
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
  "A hash table of strings, of PAIRS of key and value."
  (let ((table (make-hash-table :test #'equal)))
    (while pairs
      (puthash (pop pairs) (pop pairs) table))
    table))


;;; What coauthor asks

;; Each is answered when the user does not type: a question that comes to the
;; minibuffer takes the keys that are on their way.

(defun coauthor-lsp-mode--choose (_workspace params answer)
  "Ask the user what PARAMS say, and call ANSWER with the choice."
  (coauthor-when-idle
   (lambda ()
     (let ((choice (coauthor-read-choice
                    (lsp-get params :message)
                    (mapcar (lambda (action) (lsp-get action :title))
                            (lsp-get params :actions)))))
       (funcall answer (and choice (list :title choice)))))))

(defun coauthor-lsp-mode--input (_workspace params answer)
  "Ask the user for the text that PARAMS say, and call ANSWER with it."
  (coauthor-when-idle
   (lambda ()
     (let ((text (coauthor-read-text (lsp-get params :prompt) (lsp-get params :value))))
       (funcall answer (and text (list :value text)))))))

(defun coauthor-lsp-mode--show (workspace params answer)
  "Open the document that PARAMS name, and call ANSWER.
WORKSPACE is the one that has asked."
  (let ((file (lsp--uri-to-path (lsp-get params :uri))))
    (if (not (file-readable-p file))
        (funcall answer '(:success :json-false))
      (run-with-timer 0 nil #'coauthor-display workspace file
                      (eq (lsp-get params :takeFocus) t)
                      (lsp-get params :selection))
      (funcall answer '(:success t)))))

(defun coauthor-lsp-mode--turn (workspace params)
  "Note the state of a turn of WORKSPACE from PARAMS."
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
  "The workspace of coauthor in the current buffer, or nil."
  (seq-find (lambda (workspace) (eq (lsp--workspace-server-id workspace) 'coauthor))
            (lsp-workspaces)))

(add-hook 'coauthor-connection-functions #'coauthor-lsp-mode--connection)

(cl-defmethod coauthor-live-p ((workspace lsp--workspace))
  "Whether the server of WORKSPACE is alive."
  (eq (lsp--workspace-status workspace) 'initialized))

(cl-defmethod coauthor-request ((workspace lsp--workspace) method params success &optional failure)
  "Send METHOD with PARAMS to WORKSPACE, and call SUCCESS or FAILURE later."
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
  "The URI of the current buffer."
  (and buffer-file-name (lsp--buffer-uri)))

(cl-defmethod coauthor-range ((_workspace lsp--workspace) beg end)
  "The text from BEG to END as a range."
  (lsp--region-to-range beg end))

(cl-defmethod coauthor-region ((_workspace lsp--workspace) range)
  "The positions of RANGE."
  (lsp--range-to-region range))

(cl-defmethod coauthor-problems ((workspace lsp--workspace) beg end)
  "The diagnostics of all servers from BEG to END.
WORKSPACE is the one that they will be sent to."
  (seq-filter (lambda (found)
                (pcase-let ((`(,from . ,to) (coauthor-region workspace (lsp-get found :range))))
                  (and (< from end) (>= to beg))))
              (gethash (lsp--fix-path-casing buffer-file-name) (lsp-diagnostics t))))

(cl-defmethod coauthor-get ((_workspace lsp--workspace) object key)
  "The value of KEY in OBJECT."
  (lsp-get object key))

(cl-defmethod coauthor-commands ((workspace lsp--workspace))
  "The commands of WORKSPACE."
  (append (lsp-get (lsp-get (lsp--workspace-server-capabilities workspace) :executeCommandProvider)
                   :commands)
          nil))

(provide 'coauthor-lsp-mode)
;;; coauthor-lsp-mode.el ends here
