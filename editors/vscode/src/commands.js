// The commands of the palette and the menus. The commands of the server itself (`swarmcheck.verify` and others, which the lenses use)
// are registered by the language client.

const vscode = require("vscode");
const { LANGUAGES } = require("./server");

/** The document that a command is about; undefined, after a message, if there is none. */
function current() {
  const document = vscode.window.activeTextEditor?.document;
  if (document && LANGUAGES.includes(document.languageId)) return document;
  vscode.window.showInformationMessage("Open a model first: a file that ends in .labs, .rcp, .ccs or .chor.");
  return undefined;
}

/** The names of properties or agents that the lenses of a document with this command are about. */
async function lensArguments(document, command) {
  const lenses = (await vscode.commands.executeCommand("vscode.executeCodeLensProvider", document.uri, 1000)) ?? [];
  const names = lenses.filter((lens) => lens.command?.command === command).map((lens) => lens.command.arguments?.[1]);
  return [...new Set(names.filter((name) => typeof name === "string"))];
}

/** Lets the user choose among names; the one choice is taken at once, and without any the name is typed. */
async function choose(names, title) {
  if (names.length === 1) return names[0];
  if (names.length > 1) return vscode.window.showQuickPick(names, { title });
  return vscode.window.showInputBox({ title });
}

async function onProperty(server, command) {
  const document = current();
  if (!document) return;
  const names = await lensArguments(document, "swarmcheck.verify");
  const name = await choose(names, "Which property?");
  if (name) await server.run(command, document.uri.toString(), name);
}

const summary = (results) => results.map(({ property, verdict }) => `${property}: ${verdict}`).join(", ");

async function verify(server, document, property) {
  const results = await server.run("swarmcheck.verify", document.uri.toString(), property);
  if (Array.isArray(results) && results.length > 0) vscode.window.setStatusBarMessage(summary(results), 15_000);
}

/** Asks for the value of each parameter, and gives them to the server. Escape at any of them changes nothing. */
async function askParameters(server, uri, parameters) {
  const values = {};
  for (const { name, value } of parameters ?? []) {
    const answer = await vscode.window.showInputBox({
      title: `Parameter ${name}`,
      value: value === undefined || value === null ? "" : String(value),
      prompt: "A whole number. Leave it empty to keep the value as it is.",
      ignoreFocusOut: true,
      validateInput: (text) => (/^\s*(-?\d+)?\s*$/.test(text) ? undefined : "This is not a whole number."),
    });
    if (answer === undefined) return;
    if (answer.trim() !== "") values[name] = answer.trim();
  }
  await server.run("swarmcheck.setParameters", String(uri), values);
}

/** The parameters of the current file: what the server offers to ask for, in a lens or an action. */
async function parametersOf(document) {
  const lenses = (await vscode.commands.executeCommand("vscode.executeCodeLensProvider", document.uri, 1000)) ?? [];
  const lens = lenses.find((each) => each.command?.command === "swarmcheck.askParameters");
  if (lens) return lens.command.arguments;
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  const actions = (await vscode.commands.executeCommand("vscode.executeCodeActionProvider", document.uri, whole)) ?? [];
  const action = actions.find((each) => (each.command?.command ?? each.command) === "swarmcheck.askParameters");
  return action?.command?.arguments ?? action?.arguments;
}

async function statusMenu(server) {
  const choices = [
    { label: "$(run-all) Verify all properties", command: "swarmcheck.verifyFile" },
    { label: "$(output) Show the log", command: "swarmcheck.showLog" },
    { label: "$(debug-restart) Restart the server", command: "swarmcheck.restart" },
    { label: "$(gear) Settings", command: "workbench.action.openSettings", argument: "swarmcheck." },
  ];
  const title = server.isRunning ? "The server of swarmcheck is running" : "The server of swarmcheck is not running";
  const choice = await vscode.window.showQuickPick(choices, { title });
  if (choice) await vscode.commands.executeCommand(choice.command, choice.argument);
}

/** What each command does. The manifest lists the same names, except `askParameters`, which only the server calls. */
const COMMANDS = {
  "swarmcheck.verifyFile": async (server) => {
    const document = current();
    if (document) await verify(server, document, null);
  },
  "swarmcheck.verifyProperty": async (server) => {
    const document = current();
    if (!document) return;
    const name = await choose(await lensArguments(document, "swarmcheck.verify"), "Which property?");
    if (name) await verify(server, document, name);
  },
  "swarmcheck.openTrace": (server) => onProperty(server, "swarmcheck.showTrace"),
  "swarmcheck.openPlayer": (server) => onProperty(server, "swarmcheck.showPlayer"),
  "swarmcheck.simulate": (server) => onProperty(server, "swarmcheck.simulateToViolation"),
  "swarmcheck.openAutomaton": async (server) => {
    const document = current();
    if (!document) return;
    const kind = await choose(await lensArguments(document, "swarmcheck.showAutomaton"), "Which kind of agents?");
    if (kind) await server.run("swarmcheck.showAutomaton", document.uri.toString(), kind);
  },
  "swarmcheck.parameters": async (server) => {
    const document = current();
    if (!document) return;
    const found = await parametersOf(document);
    if (found) await askParameters(server, ...found);
    else vscode.window.showInformationMessage("This model has no parameters.");
  },
  "swarmcheck.stopVerification": async (server) => {
    const document = current();
    if (document) await server.run("swarmcheck.cancel", document.uri.toString());
  },
  "swarmcheck.askParameters": (server, uri, parameters) => askParameters(server, uri, parameters),
  "swarmcheck.restart": (server) => server.restart(),
  "swarmcheck.showLog": (server) => server.log.show(true),
  "swarmcheck.statusMenu": (server) => statusMenu(server),
};

function register(server) {
  return Object.entries(COMMANDS).map(([name, act]) =>
    vscode.commands.registerCommand(name, async (...parameters) => {
      try {
        await act(server, ...parameters);
      } catch (error) {
        vscode.window.showErrorMessage(`swarmcheck: ${error.message ?? error}`);
      }
    }),
  );
}

module.exports = { COMMANDS, register };
