// The self-contained page that plays one trace: its data is in the document, as JSON.

import { Player } from "./index";

const data = document.getElementById("swarmcheck-data");
if (data) {
  const root = document.createElement("div");
  document.body.append(root);
  new Player(root, JSON.parse(data.textContent ?? "{}"));
}
