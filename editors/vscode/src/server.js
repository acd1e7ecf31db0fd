// Finds the program, starts its language server, and says what is wrong if that fails.

const { execFile } = require("node:child_process");
const vscode = require("vscode");
const { LanguageClient, RevealOutputChannelOn, State, TransportKind } = require("vscode-languageclient/node");
const { INSTALL, OLDEST, isNewEnough, versionIn } = require("./version");

const LANGUAGES = ["labs", "rcheck", "ccs", "chor"];
const SETTINGS = ["timeout", "memory", "threads", "engine", "parameters", "verifyOnSave"];

class Server {
  constructor(context, status, player) {
    this.context = context;
    this.status = status;
    this.player = player;
    this.client = undefined;
    this.log = vscode.window.createOutputChannel("swarmcheck");
    context.subscriptions.push(this.log);
  }

  get isRunning() {
    return this.client !== undefined && this.client.state === State.Running;
  }

  /** What the user has set, in the form that the server reads. */
  settings() {
    const section = vscode.workspace.getConfiguration("swarmcheck");
    const settings = Object.fromEntries(SETTINGS.map((name) => [name, section.get(name)]));
    return { ...settings, player: "notification", virtualDocuments: true, askParameters: true };
  }

  async start() {
    if (this.client) return;
    if (!vscode.workspace.isTrusted) {
      this.status.show("untrusted");
      return;
    }
    this.status.show("starting");
    const program = vscode.workspace.getConfiguration("swarmcheck").get("path")?.trim() || "swarmcheck";
    const version = await this.version(program);
    if (version === undefined) return;
    // A second start may have been asked for while the program was running.
    if (this.client) return;
    const client = new LanguageClient(
      "swarmcheck",
      "swarmcheck",
      { command: program, args: ["lsp"], transport: TransportKind.stdio },
      {
        documentSelector: [
          ...LANGUAGES.map((language) => ({ scheme: "file", language })),
          ...LANGUAGES.map((language) => ({ scheme: "untitled", language })),
          // Only for the links in them.
          { scheme: "swarmcheck" },
        ],
        initializationOptions: this.settings(),
        outputChannel: this.log,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        middleware: {
          workspace: {
            // The server reads one object under its own name; the client would send the section only.
            didChangeConfiguration: () =>
              client.sendNotification("workspace/didChangeConfiguration", { settings: { swarmcheck: this.settings() } }),
            configuration: (parameters) =>
              parameters.items.map(({ section }) => {
                const all = this.settings();
                if (!section) return { swarmcheck: all };
                return section === "swarmcheck" ? all : (all[section.replace(/^swarmcheck\./, "")] ?? null);
              }),
          },
        },
        synchronize: { configurationSection: "swarmcheck" },
      },
    );
    this.client = client;
    client.onNotification("swarmcheck/player", (page) => this.player.show(page));
    client.onDidChangeState(({ newState }) => {
      if (this.client !== client) return;
      this.status.show(newState === State.Running ? "running" : newState === State.Starting ? "starting" : "stopped", version);
      vscode.commands.executeCommand("setContext", "swarmcheck.running", newState === State.Running);
    });
    try {
      await client.start();
    } catch (error) {
      this.status.show("failed", String(error));
      this.log.appendLine(String(error));
      this.client = undefined;
      this.explain(`The language server of ${program} ${version} did not start.`, "Show the log");
    }
  }

  async stop() {
    const client = this.client;
    this.client = undefined;
    if (client?.needsStop()) await client.stop(5000).catch((error) => this.log.appendLine(String(error)));
    await client?.dispose().catch(() => {});
  }

  async restart() {
    await this.stop();
    await this.start();
  }

  /** Runs a command of the server. Undefined if there is no server. */
  async run(command, ...parameters) {
    if (!this.isRunning) {
      this.explain("The server of swarmcheck is not running.", "Restart");
      return undefined;
    }
    return this.client.sendRequest("workspace/executeCommand", { command, arguments: parameters });
  }

  /** The version that a program says it has; undefined, after a message, if it is not there or too old. */
  async version(program) {
    const answer = await new Promise((resolve) => {
      execFile(program, ["--version"], { timeout: 10_000 }, (error, stdout) => resolve({ error, stdout: String(stdout ?? "") }));
    });
    if (answer.error) {
      this.log.appendLine(`${program} --version: ${answer.error.message}`);
      this.status.show("missing", program);
      this.explain(`${program} was not found. In the folder of its sources, this installs it: ${INSTALL}`, "Copy the command", "Set the path");
      return undefined;
    }
    const version = versionIn(answer.stdout);
    if (version === undefined || !isNewEnough(version)) {
      this.status.show("old", version ?? program);
      this.explain(
        `${program} is ${version ? `version ${version}` : "no swarmcheck"}; this extension needs ${OLDEST} or newer. Install it by: ${INSTALL}`,
        "Copy the command",
        "Set the path",
      );
      return undefined;
    }
    return version;
  }

  /** Tells the user something, with what can be done about it. Nobody waits for the answer, which may never come. */
  async explain(message, ...choices) {
    const choice = await vscode.window.showWarningMessage(message, ...choices);
    if (choice === "Copy the command") await vscode.env.clipboard.writeText(INSTALL);
    if (choice === "Set the path") await vscode.commands.executeCommand("workbench.action.openSettings", "swarmcheck.path");
    if (choice === "Show the log") this.log.show(true);
    if (choice === "Restart") await this.restart();
  }
}

module.exports = { Server, LANGUAGES };
