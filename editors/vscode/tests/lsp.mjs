// A client of a language server over its standard input and output, as small as tests need it.

import { spawn } from "node:child_process";

export class Client {
  constructor(program, parameters = ["lsp"]) {
    this.process = spawn(program, parameters, { stdio: ["pipe", "pipe", "inherit"] });
    this.waiting = new Map();
    this.notifications = [];
    this.next = 1;
    this.buffer = Buffer.alloc(0);
    this.ended = new Promise((resolve) => this.process.on("exit", resolve));
    this.process.on("error", (error) => this.fail(error));
    this.process.on("exit", (code) => this.fail(new Error(`the server ended with ${code}`)));
    this.process.stdin.on("error", () => {});
    this.process.stdout.on("data", (data) => this.receive(data));
  }

  fail(error) {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }

  receive(data) {
    this.buffer = Buffer.concat([this.buffer, data]);
    for (;;) {
      const head = this.buffer.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = Number(/content-length: *(\d+)/i.exec(this.buffer.subarray(0, head).toString())?.[1]);
      if (this.buffer.length < head + 4 + length) return;
      const message = JSON.parse(this.buffer.subarray(head + 4, head + 4 + length).toString("utf8"));
      this.buffer = this.buffer.subarray(head + 4 + length);
      this.take(message);
    }
  }

  take(message) {
    if (message.method !== undefined && message.id !== undefined) {
      // Requests of the server, such as for settings or progress, get an empty answer.
      const result = message.method === "workspace/configuration" ? message.params.items.map(() => null) : null;
      this.send({ id: message.id, result });
    } else if (message.method !== undefined) {
      this.notifications.push(message);
    } else {
      const waiting = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.error) waiting?.reject(new Error(`${message.error.code}: ${message.error.message}`));
      else waiting?.resolve(message.result);
    }
  }

  send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }), "utf8");
    this.process.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.process.stdin.write(body);
  }

  notify(method, params) {
    this.send({ method, params });
  }

  request(method, params) {
    const id = this.next;
    this.next += 1;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ id, method, params });
    });
  }

  async stop() {
    await this.request("shutdown", null);
    this.notify("exit", null);
    return this.ended;
  }
}
