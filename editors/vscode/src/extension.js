// Where the extension starts and ends. What it does is in the files beside this one.

const vscode = require("vscode");
const commands = require("./commands");
const { Documents } = require("./documents");
const { Player } = require("./player");
const { Server } = require("./server");
const { Status } = require("./status");

/** @type {Server | undefined} */
let server;

function activate(context) {
  const status = new Status();
  const player = new Player();
  server = new Server(context, status, player);
  const documents = new Documents(server);
  context.subscriptions.push(status, player, documents, ...commands.register(server));
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("swarmcheck.path")) server.restart();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => server.start()),
  );
  // Commands wait until this function has returned, and a program may take its time to start.
  server.start();
}

function deactivate() {
  return server?.stop();
}

module.exports = { activate, deactivate };
