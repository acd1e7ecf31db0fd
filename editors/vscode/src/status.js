// The item in the status bar: whether the server runs, and what can be done about it.

const vscode = require("vscode");

const STATES = {
  starting: { text: "$(loading~spin) swarmcheck", says: "The server is starting." },
  running: { text: "$(check) swarmcheck", says: "The server is running" },
  stopped: { text: "$(circle-slash) swarmcheck", says: "The server has stopped.", warns: true },
  failed: { text: "$(error) swarmcheck", says: "The server did not start", warns: true },
  missing: { text: "$(warning) swarmcheck", says: "The program was not found", warns: true },
  old: { text: "$(warning) swarmcheck", says: "The program is too old", warns: true },
  untrusted: { text: "$(shield) swarmcheck", says: "The server is not started in a workspace that is not trusted." },
};

class Status {
  constructor() {
    this.item = vscode.window.createStatusBarItem("swarmcheck", vscode.StatusBarAlignment.Right, 50);
    this.item.name = "swarmcheck";
    this.item.command = "swarmcheck.statusMenu";
  }

  show(state, detail) {
    const { text, says, warns } = STATES[state];
    this.item.text = text;
    this.item.tooltip = detail ? `${says}: ${detail}` : says;
    this.item.backgroundColor = warns ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
    this.item.show();
  }

  dispose() {
    this.item.dispose();
  }
}

module.exports = { Status };
