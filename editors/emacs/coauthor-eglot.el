;;; coauthor-eglot.el --- Coauthor with Eglot  -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: Apache-2.0
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: tools, convenience, languages

;;; Commentary:

;; Eglot runs one server per buffer.  List the modes in which to run coauthor,
;; either alone or with another server through a multiplexer:
;;
;;     (require 'coauthor-eglot)
;;     (coauthor-eglot-use '(python-mode))
;;     (coauthor-eglot-use '(c-mode c++-mode) "clangd")
;;
;; Eglot does not ask for confirmation again before it applies coauthor's edits,
;; because you have already reviewed them in the diff.

;;; Code:

(require 'coauthor)
(require 'eglot)
(require 'flymake)

(declare-function eglot-region-range "eglot")
(declare-function eglot--pos-to-lsp-position "eglot")
(declare-function eglot--signal-textDocument/didChange "eglot")
(declare-function eglot--TextDocumentIdentifier "eglot")

(defcustom coauthor-eglot-multiplexer '("rass")
  "Command line of a program that runs several servers as one.
The servers' command lines follow, each after a \"--\"."
  :type '(repeat string)
  :group 'coauthor)

(defclass coauthor-eglot-server (eglot-lsp-server) ()
  :documentation "An Eglot server that runs coauthor, alone or with other servers.")

;;;###autoload
(defun coauthor-eglot-use (modes &rest server)
  "Run coauthor with Eglot in MODES, a list of major modes.
SERVER is the command line of another server to run with it, through
`coauthor-eglot-multiplexer'."
  (setf (alist-get (append modes '((coauthor-prompt-mode :language-id "markdown")
                                   (coauthor-diff-mode :language-id "diff")))
                   eglot-server-programs nil nil #'equal)
        (cons 'coauthor-eglot-server
              (if server
                  (append coauthor-eglot-multiplexer '("--") server '("--") coauthor-program)
                coauthor-program))))


;;; What coauthor is told of this client

(cl-defmethod eglot-client-capabilities ((_server coauthor-eglot-server))
  "Return Eglot's client capabilities plus those of this package."
  (let* ((all (copy-sequence (cl-call-next-method)))
         (window (copy-sequence (plist-get all :window))))
    (setq all (plist-put all :window (plist-put window :showDocument '(:support t))))
    (plist-put all :experimental '(:coauthor (:inputBox t :turn t)))))

(cl-defmethod eglot-initialization-options ((_server coauthor-eglot-server))
  "Add this package's name and `coauthor-settings' to the options."
  (list :client "eglot-module"
        :settings (append coauthor-settings
                          (unless (plist-member coauthor-settings :client)
                            ;; What this package does other than Eglot alone.  And the diff is
                            ;; read and scrolled: no dialog over it.
                            '(:client (:quirks (:dialogBlocks t :changesLate :json-false
                                                :asksItself :json-false)))))))


;;; What coauthor asks

(cl-defmethod eglot-handle-request :around ((server coauthor-eglot-server) method &rest params)
  "Handle the request METHOD with PARAMS from SERVER."
  (pcase method
    ('workspace/applyEdit
     (if (not (coauthor-eglot--ours-p params))
         (cl-call-next-method)
       (coauthor-eglot--visit params)
       (unwind-protect
           ;; The one since 1.16, and the one before.
           (cl-progv '(eglot-confirm-server-edits eglot-confirm-server-initiated-edits) '(nil nil)
             (cl-call-next-method))
         (coauthor-eglot--tell-changes server))))
    ('window/showDocument
     (let ((file (coauthor-eglot--path (plist-get params :uri))))
       (if (or (eq (plist-get params :external) t) (not (file-readable-p file)))
           (cl-call-next-method)
         ;; From a timer: opening a file asks this server something.
         (run-with-timer 0 nil #'coauthor-display server file
                         (eq (plist-get params :takeFocus) t)
                         (plist-get params :selection))
         '(:success t))))
    ('window/showMessageRequest
     (if (coauthor-busy-p)
         ;; Not into what the user types.  The server tells how it is answered later.
         (jsonrpc-error :code -32803 :message "the user is typing")
       (let ((answer (coauthor-read-choice
                      (plist-get params :message)
                      (mapcar (lambda (action) (plist-get action :title))
                              (plist-get params :actions)))))
         (and answer (list :title answer)))))
    ('coauthor/inputBox
     (let ((text (coauthor-read-text (plist-get params :prompt) (plist-get params :value))))
       (and text (list :value text))))
    (_ (cl-call-next-method))))

(cl-defmethod eglot-handle-notification :around ((server coauthor-eglot-server) method &rest params)
  "Handle METHOD with PARAMS from SERVER if it is Coauthor's own."
  (if (eq method 'coauthor/turn)
      (coauthor-turn server (plist-get params :turnId) (plist-get params :state)
                     (plist-get params :message))
    (cl-call-next-method)))

(cl-defmethod jsonrpc-connection-send :before ((_server coauthor-eglot-server) &key method &allow-other-keys)
  "Record a user request that METHOD sends."
  (when (eq method :workspace/executeCommand)
    (coauthor-asked)))

(defun coauthor-eglot--ours-p (params)
  "Return non-nil if PARAMS describe an edit from coauthor.
Eglot asks for confirmation of other servers' edits as usual."
  (or (string-prefix-p "Coauthor: " (or (plist-get params :label) ""))
      (let ((changes (plist-get (plist-get params :edit) :documentChanges)))
        (and (> (length changes) 0)
             (seq-every-p
              (lambda (change)
                (string-search "/.coauthor/"
                               (or (plist-get (plist-get change :textDocument) :uri) "")))
              changes)))))

(defun coauthor-eglot--visit (params)
  "Visit the files of the edit in PARAMS, before Eglot 1.16.
Those versions always ask before editing a file without a buffer."
  (unless (boundp 'eglot-confirm-server-edits)
    (seq-doseq (change (plist-get (plist-get params :edit) :documentChanges))
      (when-let ((uri (plist-get (plist-get change :textDocument) :uri)))
        (find-file-noselect (coauthor-eglot--path uri) t)))))

(defun coauthor-eglot--tell-changes (server)
  "Send SERVER the edited buffers' text immediately.
Eglot itself waits until the next key press."
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (and (bound-and-true-p eglot--managed-mode)
                 (eq (eglot-current-server) server))
        (coauthor-eglot--flush)))))

(defun coauthor-eglot--flush ()
  "Send edits in the current buffer that Eglot has not sent yet."
  (when (and (bound-and-true-p eglot--managed-mode)
             (fboundp 'eglot--signal-textDocument/didChange))
    (eglot--signal-textDocument/didChange)))


;;; What the commands ask

(defun coauthor-eglot--connection ()
  "Return the current buffer's coauthor server, or nil if it has another."
  (let ((server (eglot-current-server)))
    (and (cl-typep server 'coauthor-eglot-server) server)))

(add-hook 'coauthor-connection-functions #'coauthor-eglot--connection)

(defun coauthor-eglot--path (uri)
  "Return the file name for URI."
  (funcall (if (fboundp 'eglot-uri-to-path) 'eglot-uri-to-path 'eglot--uri-to-path) uri))

(cl-defmethod coauthor-live-p ((server coauthor-eglot-server))
  "Return non-nil if SERVER is running."
  (jsonrpc-running-p server))

(cl-defmethod coauthor-request ((server coauthor-eglot-server) method params success &optional failure)
  "Send METHOD with PARAMS to SERVER; call SUCCESS or FAILURE with the result."
  (coauthor-eglot--flush)
  (jsonrpc-async-request
   server method params
   :success-fn success
   :error-fn (lambda (answer)
               (funcall (or failure #'ignore) (plist-get answer :message)))
   :timeout-fn (lambda ()
                 (funcall (or failure #'ignore) "the server does not answer"))))

(cl-defmethod coauthor-uri ((_server coauthor-eglot-server))
  "Return the current buffer's URI."
  (and buffer-file-name (plist-get (eglot--TextDocumentIdentifier) :uri)))

(cl-defmethod coauthor-range ((_server coauthor-eglot-server) beg end)
  "Return the LSP range from BEG to END."
  (if (fboundp 'eglot-region-range)
      (eglot-region-range beg end)
    (list :start (eglot--pos-to-lsp-position beg)
          :end (eglot--pos-to-lsp-position end))))

(cl-defmethod coauthor-region ((_server coauthor-eglot-server) range)
  "Return the buffer positions of RANGE."
  (funcall (if (fboundp 'eglot-range-region) 'eglot-range-region 'eglot--range-region) range))

(cl-defmethod coauthor-problems ((server coauthor-eglot-server) beg end)
  "Return Flymake diagnostics from BEG to END, with SERVER positions."
  (mapcar
   (lambda (found)
     (let ((data (flymake-diagnostic-data found)))
       (or (and (consp data) (consp (car data)) (alist-get 'eglot-lsp-diag data)) ; as the server sent it
           (list :range (coauthor-range server (flymake-diagnostic-beg found)
                                        (flymake-diagnostic-end found))
                 :severity (pcase (flymake-diagnostic-type found)
                             (:error 1)
                             (:warning 2)
                             (_ 3))
                 :message (flymake-diagnostic-text found)))))
   (flymake-diagnostics beg end)))

(cl-defmethod coauthor-get ((_server coauthor-eglot-server) object key)
  "Return the value of KEY in OBJECT."
  (plist-get object key))

(cl-defmethod coauthor-commands ((server coauthor-eglot-server))
  "Return the names of coauthor's commands on SERVER."
  (seq-filter (lambda (name) (string-prefix-p "coauthor." name))
              (plist-get (plist-get (eglot--capabilities server) :executeCommandProvider)
                         :commands)))

(provide 'coauthor-eglot)
;;; coauthor-eglot.el ends here
