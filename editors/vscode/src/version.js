// Which versions of the program this extension can talk to. No part of VS Code is needed here, so that it can be tested.

/** The first version that has `swarmcheck lsp`. */
const OLDEST = "0.1.0";
const INSTALL = "cargo install --path crates/cli";

/** The version in what `swarmcheck --version` prints. */
function versionIn(text) {
  return /^swarmcheck (\d+\.\d+\.\d+)/.exec(text.trim())?.[1];
}

/** Whether a version is not before the oldest one. */
function isNewEnough(version, oldest = OLDEST) {
  const [have, need] = [version, oldest].map((text) => text.split(".").map(Number));
  for (let at = 0; at < 3; at += 1) {
    if (have[at] !== need[at]) return have[at] > need[at];
  }
  return true;
}

module.exports = { INSTALL, OLDEST, isNewEnough, versionIn };
