// Virtual documents of the server, such as the text of a counterexample: `swarmcheck://trace/…`.

const vscode = require("vscode");

const SCHEME = "swarmcheck";

class Documents {
  constructor(server) {
    this.server = server;
    this.changed = new vscode.EventEmitter();
    this.onDidChange = this.changed.event;
    this.registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
    // A new counterexample has the address of the old one. The text is asked for again when it is shown.
    this.shown = vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor?.document.uri.scheme === SCHEME) this.changed.fire(editor.document.uri);
    });
  }

  async provideTextDocumentContent(uri, cancelled) {
    if (!this.server.isRunning) return "The server of swarmcheck is not running.\n";
    const answer = await this.server.client.sendRequest("workspace/textDocumentContent", { uri: uri.toString() }, cancelled);
    return answer.text;
  }

  dispose() {
    this.registration.dispose();
    this.shown.dispose();
    this.changed.dispose();
  }
}

module.exports = { Documents, SCHEME };
