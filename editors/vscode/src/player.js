// Shows pages of the server, such as the player of a counterexample, in a webview beside the text.

const vscode = require("vscode");
const { newNonce, secured } = require("./page");

class Player {
  constructor() {
    /** One panel for each title: the same question again replaces its old answer. */
    this.panels = new Map();
  }

  show({ title, html }) {
    let panel = this.panels.get(title);
    if (!panel) {
      panel = vscode.window.createWebviewPanel(
        "swarmcheck.player",
        title,
        { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
        { enableScripts: true, enableForms: false, retainContextWhenHidden: true, localResourceRoots: [] },
      );
      panel.onDidDispose(() => this.panels.delete(title));
      this.panels.set(title, panel);
    } else {
      panel.reveal(undefined, true);
    }
    panel.webview.html = secured(html, newNonce());
  }

  dispose() {
    for (const panel of [...this.panels.values()]) panel.dispose();
  }
}

module.exports = { Player };
