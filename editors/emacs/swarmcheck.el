;;; swarmcheck.el --- Models of multi-agent systems: LAbS, R-CHECK, CCS, choreographies -*- lexical-binding: t; -*-

;; Author: The swarmcheck authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: languages
;; SPDX-License-Identifier: MIT OR Apache-2.0

;;; Commentary:

;; Major modes for the four languages of swarmcheck, with the language
;; server `swarmcheck lsp' through Eglot (built in from Emacs 29, a package
;; before).  docs/editor-emacs.md says how to install and use them.
;;
;; Colours come from patterns, because most versions of Eglot do not use the
;; semantic tokens of servers.  Lines are indented by the depth of brackets
;; while you type; the formatter of the server lays out the whole text.

;;; Code:

(require 'prog-mode)

(defgroup swarmcheck nil
  "Models of multi-agent systems."
  :group 'languages
  :prefix "swarmcheck-")

(defcustom swarmcheck-program "swarmcheck"
  "The program swarmcheck."
  :type 'string)

(defcustom swarmcheck-indent-offset 2
  "How many columns a line inside of brackets is indented."
  :type 'integer
  :safe #'integerp)

(defcustom swarmcheck-settings nil
  "Settings of the server, as a property list.
For instance (:timeout 60 :memory 2048 :verifyOnSave t)."
  :type 'plist)

;;;; Words and colours

(defun swarmcheck--words (&rest words)
  "A pattern that matches each of WORDS as a whole."
  (regexp-opt words 'symbols))

(defconst swarmcheck--claims
  (concat "=\\s-*\\(" (regexp-opt '("always" "never" "eventually" "finally" "fairly" "fairly_inf" "possibly" "after"
                                    "between" "from" "ltl"))
          "\\)\\_>")
  "The word after `Name =' in a property.")

(defconst swarmcheck-labs-keywords
  `((,(swarmcheck--words "and" "else" "exists" "forall" "if" "not" "of" "or" "then") . font-lock-keyword-face)
    (,(swarmcheck--words "abs" "max" "min") . font-lock-builtin-face)
    (,(swarmcheck--words "true" "false" "undef" "id" "Skip" "Nil") . font-lock-constant-face)
    ("^\\s-*\\_<\\(system\\|assume\\|check\\|view\\)\\_>\\s-*\\(?:{\\|$\\)" 1 font-lock-keyword-face)
    ("\\_<\\(agent\\|stigmergy\\)\\_>\\s-+\\([A-Z][A-Za-z0-9_]*\\)" (1 font-lock-keyword-face) (2 font-lock-type-face))
    ("\\_<\\(extern\\|environment\\|spawn\\|interface\\|stigmergies\\|link\\)\\_>\\s-*[=:]" 1 font-lock-keyword-face)
    ("^\\s-*\\(rate\\|space\\|floor\\)\\s-*=" 1 font-lock-keyword-face)
    ("\\_<\\(show\\|count\\)\\_>\\s-+[A-Z]" 1 font-lock-keyword-face)
    ("\\_<\\(pick\\)\\_>\\s-*[0-9_(]" 1 font-lock-keyword-face)
    (,swarmcheck--claims 1 font-lock-keyword-face)
    ("\\_<_[a-z][A-Za-z0-9_]*" . font-lock-variable-name-face)
    ("\\_<\\([A-Z][A-Za-z0-9_]*\\)\\s-*=\\(?:[^>]\\|$\\)" 1 font-lock-function-name-face)
    ("\\_<[A-Z][A-Za-z0-9_]*\\_>" . font-lock-type-face))
  "Colours of LAbS.")

(defconst swarmcheck-rcheck-keywords
  `((,(swarmcheck--words "SPEC" "LTL" "LTOL" "LTLSPEC" "rep" "forall" "exists" "GET" "SUPPLY") . font-lock-keyword-face)
    (,(swarmcheck--words "TRUE" "FALSE" "true" "false" "sender" "chan" "any" "SELF" "myself") . font-lock-constant-face)
    (,(swarmcheck--words "bool" "boolean" "int" "integer" "channel" "location") . font-lock-type-face)
    ("\\_<\\(agent\\|enum\\)\\_>\\s-+\\(\\w+\\)" (1 font-lock-keyword-face) (2 font-lock-type-face))
    ("\\_<\\(guard\\)\\_>\\s-+\\(\\w+\\)" (1 font-lock-keyword-face) (2 font-lock-function-name-face))
    ("\\_<\\(system\\)\\_>\\s-*=" 1 font-lock-keyword-face)
    ("^\\s-*\\(channels?\\|message-structure\\|property-variables\\|communication-variables\\)\\s-*:" 1 font-lock-keyword-face)
    ("\\_<\\(local\\|init\\|relabel\\|repeat\\|receive-guard\\)\\s-*:" 1 font-lock-keyword-face)
    ("\\(?:^\\|[^-A-Za-z0-9_]\\)\\([GFXURW]\\)\\_>" 1 font-lock-keyword-face)
    ("\\_<\\(\\w+\\)\\s-*:\\s-*[{<]" 1 font-lock-function-name-face))
  "Colours of R-CHECK.")

(defconst swarmcheck--formulas
  `((,swarmcheck--claims 1 font-lock-keyword-face)
    (,(swarmcheck--words "and" "not" "or") . font-lock-keyword-face)
    (,(swarmcheck--words "any" "tau") . font-lock-constant-face)
    ("\\_<\\(precedes\\|until\\|unless\\|releases?\\|next\\|globally\\)\\_>\\s-+[A-Za-z('!]" 1 font-lock-keyword-face)
    ("\\_<\\(check\\)\\_>\\s-*\\(?:{\\|$\\)" 1 font-lock-keyword-face))
  "Colours of claims about actions.")

(defconst swarmcheck-ccs-keywords
  `(("^\\s-*\\*.*$" 0 font-lock-comment-face t)
    ("\\_<\\(proc\\|set\\)\\_>\\s-+\\(\\w+\\)" (1 font-lock-keyword-face) (2 font-lock-function-name-face))
    ("\\_<\\(system\\)\\_>\\s-*=" 1 font-lock-keyword-face)
    ("'\\s-*\\(\\w+\\)" 1 font-lock-variable-name-face)
    (,(swarmcheck--words "nil") . font-lock-constant-face)
    ,@swarmcheck--formulas
    ("\\_<[A-Z][A-Za-z0-9_]*\\_>" . font-lock-function-name-face))
  "Colours of CCS.")

(defconst swarmcheck-chor-keywords
  `(("\\_<\\(choreography\\)\\_>\\s-+\\(\\w+\\)" (1 font-lock-keyword-face) (2 font-lock-function-name-face))
    ("@\\s-*\\(\\w+\\)" 1 font-lock-variable-name-face)
    (,(swarmcheck--words "skip") . font-lock-constant-face)
    ,@swarmcheck--formulas)
  "Colours of choreographies.")

;;;; Syntax and indentation

(defun swarmcheck--syntax-table (&optional slashes)
  "A table where `#' begins a comment; with SLASHES, also those of C."
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?_ "_" table)
    (dolist (sign '(?+ ?- ?* ?/ ?% ?= ?< ?> ?! ?& ?| ?: ?@ ?~ ?. ?? ?' ?\" ?\\))
      (modify-syntax-entry sign "." table))
    ;; Comments that end with their line have the style b, whatever begins them.
    (modify-syntax-entry ?# "< b" table)
    (modify-syntax-entry ?\n "> b" table)
    (when slashes
      (modify-syntax-entry ?/ ". 124b" table)
      (modify-syntax-entry ?* ". 23" table))
    table))

(defvar swarmcheck-hash-syntax-table (swarmcheck--syntax-table)
  "The syntax table of LAbS, CCS and choreographies.")

(defvar swarmcheck-rcheck-syntax-table (swarmcheck--syntax-table t)
  "The syntax table of R-CHECK.")

(defun swarmcheck-indent-line ()
  "Indent the line by the depth of the brackets around it.
In R-CHECK the parts of an agent have no brackets; their lines keep
the indentation that they have, and a new line gets that of the line before."
  (interactive)
  (let* ((from-end (- (point-max) (point)))
         (depth (save-excursion
                  (back-to-indentation)
                  (let ((open (car (syntax-ppss))))
                    (if (looking-at-p "[])}]") (max 0 (1- open)) open))))
         (before (save-excursion
                   (forward-line -1)
                   (current-indentation)))
         (column (cond
                  ((> depth 0) (* depth swarmcheck-indent-offset))
                  ((not (derived-mode-p 'swarmcheck-rcheck-mode)) 0)
                  ((save-excursion (back-to-indentation) (eolp)) before)
                  (t (current-indentation)))))
    ;; Brackets of an agent's process are deeper than their number says.
    (when (and (derived-mode-p 'swarmcheck-rcheck-mode) (> depth 0))
      (setq column (+ column swarmcheck-indent-offset)))
    (indent-line-to column)
    (when (> (- (point-max) from-end) (point))
      (goto-char (- (point-max) from-end)))))

;;;; Modes

(define-derived-mode swarmcheck-mode prog-mode "swarmcheck"
  "What the modes of the four languages have in common."
  :syntax-table swarmcheck-hash-syntax-table
  (setq-local comment-start "# ")
  (setq-local comment-end "")
  (setq-local comment-start-skip "#+\\s-*")
  (setq-local indent-tabs-mode nil)
  (setq-local indent-line-function #'swarmcheck-indent-line)
  (setq-local electric-indent-chars (append "})]" electric-indent-chars)))

;;;###autoload
(define-derived-mode swarmcheck-labs-mode swarmcheck-mode "LAbS"
  "Major mode for LAbS."
  (setq-local font-lock-defaults '(swarmcheck-labs-keywords)))

;;;###autoload
(define-derived-mode swarmcheck-rcheck-mode swarmcheck-mode "R-CHECK"
  "Major mode for R-CHECK."
  :syntax-table swarmcheck-rcheck-syntax-table
  (setq-local comment-start "// ")
  (setq-local comment-start-skip "\\(?://+\\|/\\*+\\|#+\\)\\s-*")
  (setq-local font-lock-defaults '(swarmcheck-rcheck-keywords)))

;;;###autoload
(define-derived-mode swarmcheck-ccs-mode swarmcheck-mode "CCS"
  "Major mode for CCS."
  (setq-local font-lock-defaults '(swarmcheck-ccs-keywords)))

;;;###autoload
(define-derived-mode swarmcheck-chor-mode swarmcheck-mode "Chor"
  "Major mode for choreographies."
  (setq-local font-lock-defaults '(swarmcheck-chor-keywords)))

;;;###autoload
(progn
  (add-to-list 'auto-mode-alist '("\\.labs\\'" . swarmcheck-labs-mode))
  (add-to-list 'auto-mode-alist '("\\.rcp\\'" . swarmcheck-rcheck-mode))
  (add-to-list 'auto-mode-alist '("\\.ccs\\'" . swarmcheck-ccs-mode))
  (add-to-list 'auto-mode-alist '("\\.chor\\'" . swarmcheck-chor-mode)))

;;;; The server

(defvar eglot-server-programs)
(declare-function eglot-current-server "eglot")
(declare-function eglot-execute-command "eglot")
(declare-function eglot--TextDocumentIdentifier "eglot")
(declare-function jsonrpc-request "jsonrpc")

(defun swarmcheck--contact (&rest _)
  "How Eglot starts the server."
  `(,swarmcheck-program "lsp" :initializationOptions ,(or swarmcheck-settings (make-hash-table))))

(with-eval-after-load 'eglot
  ;; One server for each language: old versions of Eglot send the same
  ;; language identifier for all buffers of a server.
  (dolist (pair '((swarmcheck-labs-mode . "labs")
                  (swarmcheck-rcheck-mode . "rcheck")
                  (swarmcheck-ccs-mode . "ccs")
                  (swarmcheck-chor-mode . "chor")))
    (put (car pair) 'eglot-language-id (cdr pair))
    (add-to-list 'eglot-server-programs (cons (car pair) #'swarmcheck--contact))))

(defun swarmcheck--server ()
  "The server of this buffer."
  (or (and (featurep 'eglot) (eglot-current-server))
      (user-error "The server is not running: M-x eglot starts it")))

(defun swarmcheck--execute (command &rest arguments)
  "Run COMMAND of the server with ARGUMENTS, and wait for its answer."
  (jsonrpc-request (swarmcheck--server) :workspace/executeCommand
                   (list :command command :arguments (vconcat arguments))
                   :timeout 600))

(defun swarmcheck--uri ()
  "The address of the file of this buffer, as the server knows it."
  (plist-get (eglot--TextDocumentIdentifier) :uri))

(defun swarmcheck-verify (property)
  "Verify PROPERTY of this file; all properties if it is empty."
  (interactive "sProperty (empty for all): ")
  (let ((results (swarmcheck--execute "swarmcheck.verify" (swarmcheck--uri) (unless (string= property "") property))))
    (message "%s" (mapconcat (lambda (result)
                               (format "%s: %s" (plist-get result :property) (plist-get result :verdict)))
                             results "\n"))
    results))

(defun swarmcheck-show-trace (property)
  "Show the last counterexample of PROPERTY as text."
  (interactive "sProperty: ")
  (swarmcheck--execute "swarmcheck.showTrace" (swarmcheck--uri) property))

(defun swarmcheck-show-player (property)
  "Show the last counterexample of PROPERTY in a browser."
  (interactive "sProperty: ")
  (swarmcheck--execute "swarmcheck.showPlayer" (swarmcheck--uri) property))

(defun swarmcheck-set-parameter (name value)
  "Set the parameter NAME of this file to VALUE."
  (interactive "sParameter: \nsValue: ")
  (swarmcheck--execute "swarmcheck.setParameters" (swarmcheck--uri) (list (intern (concat ":" name)) value)))

(provide 'swarmcheck)
;;; swarmcheck.el ends here
