#!/usr/bin/env bash
# Builds the extension and packs it: swarmcheck-VERSION.vsix in this folder. `npm ci` must have been run before.
set -euo pipefail
cd "$(dirname "$0")"
rm -f -- *.vsix
# The packages are in the bundle, so that none of them is packed. The project has no public address that links could lead to.
node node_modules/@vscode/vsce/vsce package --no-dependencies --allow-missing-repository --no-rewrite-relative-links
