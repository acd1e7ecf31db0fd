;;; swarmcheck-test.el --- Tests of the modes, and of the server where SWARMCHECK names it -*- lexical-binding: t; -*-

;; SPDX-License-Identifier: MIT OR Apache-2.0

;;; Commentary:

;; emacs --batch -Q -L .. -l swarmcheck-test.el -f ert-run-tests-batch-and-exit

;;; Code:

(require 'ert)
(require 'swarmcheck)

(defconst swarmcheck-test-folder (file-name-directory (or load-file-name buffer-file-name)))

(defun swarmcheck-test-models ()
  "All examples of the project."
  (directory-files-recursively (expand-file-name "../../../examples" swarmcheck-test-folder) "\\.\\(labs\\|rcp\\|ccs\\|chor\\)\\'"))

(defun swarmcheck-test-mode (path)
  "The mode that a file with this PATH gets."
  (assoc-default path auto-mode-alist #'string-match))

(defun swarmcheck-test-face (mode text word)
  "The face of WORD in TEXT, in MODE."
  (with-temp-buffer
    (insert text)
    (funcall mode)
    (font-lock-ensure)
    (goto-char (point-min))
    (let ((case-fold-search nil))
      (search-forward word))
    (get-text-property (match-beginning 0) 'face)))

(ert-deftest swarmcheck-test-faces ()
  (pcase-dolist (`(,mode ,text ,word ,face)
                 '((swarmcheck-labs-mode "# a remark" "remark" font-lock-comment-face)
                   (swarmcheck-labs-mode "system {\n}" "system" font-lock-keyword-face)
                   (swarmcheck-labs-mode "agent A {\n interface = spawn: 0\n}" "spawn" font-lock-keyword-face)
                   (swarmcheck-labs-mode "agent A {\n Behavior = spawn > 0 -> Skip\n}" "spawn" nil)
                   (swarmcheck-labs-mode "check {\n P = always true\n}" "always" font-lock-keyword-face)
                   (swarmcheck-labs-mode "check {\n P = always true\n}" "P" font-lock-function-name-face)
                   (swarmcheck-labs-mode "spawn = A: _n" "_n" font-lock-variable-name-face)
                   (swarmcheck-rcheck-mode "// a remark" "remark" font-lock-comment-face)
                   (swarmcheck-rcheck-mode "/* a\n remark */ agent A" "remark" font-lock-comment-face)
                   (swarmcheck-rcheck-mode "/* a\n remark */ agent A" "agent" font-lock-keyword-face)
                   (swarmcheck-rcheck-mode "# a remark\nagent A" "remark" font-lock-comment-face)
                   (swarmcheck-rcheck-mode "# a remark\nagent A" "agent" font-lock-keyword-face)
                   (swarmcheck-rcheck-mode "SPEC G lamp-G" "G" font-lock-keyword-face)
                   (swarmcheck-rcheck-mode "  go: {TRUE} *? []" "go" font-lock-function-name-face)
                   (swarmcheck-ccs-mode "* a remark\nproc P = 'a.P" "remark" font-lock-comment-face)
                   (swarmcheck-ccs-mode "* a remark\nproc P = 'a.P" "proc" font-lock-keyword-face)
                   (swarmcheck-ccs-mode "proc P = 'a.P # it's" "P" font-lock-function-name-face)
                   (swarmcheck-chor-mode "choreography C = skip" "skip" font-lock-constant-face)))
    ;; A declaration looks like the part of a section with a colon: only the server can tell them apart.
    (should (equal (list mode word (swarmcheck-test-face mode text word)) (list mode word face)))))

(ert-deftest swarmcheck-test-examples ()
  "The modes colour all examples, and every line that begins with a comment is one."
  (let ((files 0) (comments 0))
    (dolist (path (swarmcheck-test-models))
      (with-temp-buffer
        (insert-file-contents path)
        (funcall (swarmcheck-test-mode path))
        (font-lock-ensure)
        (goto-char (point-min))
        (while (re-search-forward "^\\s-*\\(?:#\\|//\\)" nil t)
          (should (nth 4 (syntax-ppss)))
          (setq comments (1+ comments))))
      (setq files (1+ files)))
    (should (>= files 39))
    (should (>= comments 100))))

(ert-deftest swarmcheck-test-indentation ()
  "Lines are indented by their brackets, and indenting again changes nothing."
  (with-temp-buffer
    (insert "agent A {\ninterface = x: 0\nBehavior = (\nx <- 1\n)\n}\n")
    (swarmcheck-labs-mode)
    (indent-region (point-min) (point-max))
    (should (equal (buffer-string) "agent A {\n  interface = x: 0\n  Behavior = (\n    x <- 1\n  )\n}\n"))
    (indent-region (point-min) (point-max))
    (should (equal (buffer-string) "agent A {\n  interface = x: 0\n  Behavior = (\n    x <- 1\n  )\n}\n"))))

(ert-deftest swarmcheck-test-comments ()
  (with-temp-buffer
    (insert "agent A\n")
    (swarmcheck-rcheck-mode)
    (comment-region (point-min) (point-max))
    (should (equal (buffer-string) "// agent A\n"))
    (uncomment-region (point-min) (point-max))
    (should (equal (buffer-string) "agent A\n"))))

(defun swarmcheck-test-verdicts (path)
  "The verdicts that the server finds for the file with this PATH."
  (with-current-buffer (find-file-noselect path)
    (apply #'eglot (eglot--guess-contact))
    (should (eglot-current-server))
    (prog1 (mapcar (lambda (result) (plist-get result :verdict)) (swarmcheck-verify ""))
      (eglot-shutdown (eglot-current-server)))))

(ert-deftest swarmcheck-test-server ()
  "Eglot starts the server, which finds verdicts in two languages.
The first step switches the lamp on, so one property holds and the other one does not."
  (skip-unless (getenv "SWARMCHECK"))
  (skip-unless (require 'eglot nil t))
  (let* ((folder (make-temp-file "swarmcheck" t))
         (labs (expand-file-name "lamp.labs" folder))
         (rcheck (expand-file-name "lamp.rcp" folder))
         (swarmcheck-program (getenv "SWARMCHECK"))
         (eglot-sync-connect 30))
    (unwind-protect
        (progn
          (with-temp-file labs
            (insert "system { spawn = Lamp: 1 }\nagent Lamp {\n  interface = on: 0\n  Behavior = on <- 1\n}\n"
                    "check {\n  Binary = always forall Lamp a, on of a <= 1\n  Dark = always forall Lamp a, on of a = 0\n}\n"))
          (with-temp-file rcheck
            (insert "agent Lamp\n  local: on : bool\n  init: !on\n  repeat: go: {!on} *! (TRUE)()[on := TRUE]\n"
                    "system = Lamp(lamp, TRUE)\nSPEC Lit: F lamp-on\nSPEC Dark: G !lamp-on\n"))
          (should (equal (swarmcheck-test-verdicts labs) '("holds" "violated")))
          (should (equal (swarmcheck-test-verdicts rcheck) '("holds" "violated"))))
      (delete-directory folder t))))

(provide 'swarmcheck-test)
;;; swarmcheck-test.el ends here
