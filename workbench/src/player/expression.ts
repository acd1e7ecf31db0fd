// Expressions over the values of one state, close to those of LAbS (docs/labs.md): for charts and breakpoints.
//
//   expr       = implies ;                       implies = or [ ( "implies" | "=>" | "->" ) implies ] ;
//   or         = and { ( "or" | "||" ) and } ;   and = not { ( "and" | "&&" ) not } ;
//   comparison = sum [ ( "=" | "==" | "!=" | "<" | "<=" | ">" | ">=" ) sum ] ;
//   operand    = number | "true" | "false" | "undef" | parameter | "(" expr ")" | "if" expr "then" expr "else" expr
//              | name [ "[" expr { "," expr } "]" ] [ "of" owner ] | "id" [ "of" owner ]
//              | ( "abs" | "min" | "max" ) "(" expr { "," expr } ")"
//              | ( "forall" | "exists" | "count" | "sum" | "min" | "max" ) Kind variable "," expr ;
//   owner      = variable of a quantifier | name of an agent | Kind number | "agent" number | number ;
//
// `Agent` and `any` are the kind of all agents. A name that is no variable may be the name of a value: `cLink of client1 = empty`.

import type { AgentName, Value, Values } from "./state";

/** A mistake in an expression, and where it is. */
export class ExpressionError extends Error {
  constructor(
    message: string,
    readonly position: number,
  ) {
    super(message);
  }
}

interface Owner {
  at: number;
  /** Words as they are written: a name of an agent may have several. */
  text: string;
  /** The agent by number, if that is how it is said. */
  number?: number;
}

export type Expression = { at: number } & (
  | { is: "number"; value: number }
  | { is: "truth"; value: boolean }
  | { is: "undef" }
  | { is: "variable"; name: string; indices: Expression[]; owner?: Owner }
  | { is: "unary"; operator: "-" | "not"; operand: Expression }
  | { is: "binary"; operator: string; left: Expression; right: Expression }
  | { is: "if"; condition: Expression; yes: Expression; no: Expression }
  | { is: "call"; function: "abs" | "min" | "max"; operands: Expression[] }
  | { is: "quantifier"; quantifier: string; kind: string; variable: string; body: Expression }
);

interface Token {
  text: string;
  kind: "name" | "number" | "symbol" | "end";
  at: number;
}

const SYMBOLS = ["==", "!=", "<=", ">=", "=>", "->", "&&", "||", "=", "<", ">", "+", "-", "*", "/", "%", ":", "(", ")", "[", "]", ",", "!"];
/** Words and signs of an expression, at most. */
const LONGEST = 4000;
const RESERVED = new Set("and or not of true false undef if then else implies forall exists count sum".split(" "));
const QUANTIFIERS = new Set(["forall", "exists", "count", "sum", "min", "max"]);

function tokens(text: string): Token[] {
  const found: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (found.length > LONGEST) throw new ExpressionError("the expression is too long", at);
    const rest = text.slice(at);
    const space = /^\s+/.exec(rest);
    if (space) {
      at += space[0].length;
      continue;
    }
    const name = /^[\p{L}_][\p{L}\p{N}_']*/u.exec(rest);
    const number = /^\d+/.exec(rest);
    const symbol = SYMBOLS.find((candidate) => rest.startsWith(candidate));
    if (name) {
      found.push({ text: name[0], kind: "name", at });
      at += name[0].length;
    } else if (number) {
      found.push({ text: number[0], kind: "number", at });
      at += number[0].length;
    } else if (symbol) {
      found.push({ text: symbol, kind: "symbol", at });
      at += symbol.length;
    } else {
      throw new ExpressionError(`‘${String.fromCodePoint(rest.codePointAt(0) as number)}’ has no meaning here`, at);
    }
  }
  found.push({ text: "", kind: "end", at: text.length });
  return found;
}

class Parser {
  private position = 0;
  private depth = 0;
  constructor(private readonly all: Token[]) {}

  private get token(): Token {
    return this.all[this.position] as Token;
  }

  private get following(): Token {
    return this.all[Math.min(this.position + 1, this.all.length - 1)] as Token;
  }

  private take(): Token {
    const token = this.token;
    if (token.kind !== "end") this.position += 1;
    return token;
  }

  private eat(...texts: string[]): string | undefined {
    const token = this.token;
    if (token.kind === "end" || token.kind === "number" || !texts.includes(token.text)) return undefined;
    this.position += 1;
    return token.text;
  }

  private expect(text: string): void {
    if (this.eat(text) === undefined) throw this.wrong(`expected ‘${text}’`);
  }

  private wrong(expected: string): ExpressionError {
    const token = this.token;
    return new ExpressionError(token.kind === "end" ? `${expected} at the end` : `${expected} before ‘${token.text}’`, token.at);
  }

  whole(): Expression {
    const expression = this.expression();
    if (this.token.kind !== "end") throw this.wrong("expected an operator or the end");
    return expression;
  }

  private expression(): Expression {
    return this.nested(() => {
      const left = this.or();
      const at = this.token.at;
      if (!this.eat("implies", "=>", "->")) return left;
      return { is: "binary", operator: "implies", left, right: this.expression(), at };
    });
  }

  private chain(next: () => Expression, names: Record<string, string>): Expression {
    let left = next();
    for (;;) {
      const at = this.token.at;
      const found = this.eat(...Object.keys(names));
      if (found === undefined) return left;
      left = { is: "binary", operator: names[found] as string, left, right: next(), at };
    }
  }

  private or(): Expression {
    return this.chain(() => this.and(), { or: "or", "||": "or" });
  }

  private and(): Expression {
    return this.chain(() => this.comparison(), { and: "and", "&&": "and" });
  }

  /** Goes one level deeper: the stack of the browser is not endless. */
  private nested<T>(parse: () => T): T {
    this.depth += 1;
    if (this.depth > 200) throw new ExpressionError("the expression is nested too deeply", this.token.at);
    const result = parse();
    this.depth -= 1;
    return result;
  }

  private comparison(): Expression {
    const at = this.token.at;
    if (this.eat("not", "!")) return { is: "unary", operator: "not", operand: this.nested(() => this.comparison()), at };
    const left = this.sum();
    const operatorAt = this.token.at;
    const operator = this.eat("=", "==", "!=", "<", "<=", ">", ">=");
    if (operator === undefined) return left;
    return { is: "binary", operator: operator === "==" ? "=" : operator, left, right: this.sum(), at: operatorAt };
  }

  private sum(): Expression {
    return this.chain(() => this.product(), { "+": "+", "-": "-" });
  }

  private product(): Expression {
    return this.chain(() => this.unary(), { "*": "*", "/": "/", "%": "%", ":": ":" });
  }

  private unary(): Expression {
    const at = this.token.at;
    if (this.eat("-")) return { is: "unary", operator: "-", operand: this.nested(() => this.unary()), at };
    if (this.eat("not", "!")) return { is: "unary", operator: "not", operand: this.nested(() => this.comparison()), at };
    return this.operand();
  }

  private operand(): Expression {
    const { text, kind, at } = this.token;
    if (kind === "number") {
      this.take();
      return { is: "number", value: Number(text), at };
    }
    if (this.eat("(")) {
      const inside = this.expression();
      this.expect(")");
      return inside;
    }
    if (kind !== "name") throw this.wrong("expected a value");
    if (QUANTIFIERS.has(text) && this.following.kind === "name") return this.quantifier();
    if ((text === "min" || text === "max" || text === "abs") && this.following.text === "(") return this.call(text);
    if (this.eat("true", "TRUE")) return { is: "truth", value: true, at };
    if (this.eat("false", "FALSE")) return { is: "truth", value: false, at };
    if (this.eat("undef")) return { is: "undef", at };
    if (this.eat("if")) {
      const condition = this.expression();
      this.expect("then");
      const yes = this.expression();
      this.expect("else");
      return { is: "if", condition, yes, no: this.expression(), at };
    }
    if (RESERVED.has(text)) throw this.wrong("expected a value");
    this.take();
    const indices: Expression[] = [];
    while (this.eat("[")) {
      do indices.push(this.expression());
      while (this.eat(","));
      this.expect("]");
    }
    const owner = this.eat("of") ? this.owner() : undefined;
    return { is: "variable", name: text, indices, owner, at };
  }

  private call(name: "abs" | "min" | "max"): Expression {
    const { at } = this.take();
    this.expect("(");
    const operands = [this.expression()];
    while (this.eat(",")) operands.push(this.expression());
    this.expect(")");
    if (name === "abs" && operands.length !== 1) throw new ExpressionError("‘abs’ takes one value", at);
    return { is: "call", function: name, operands, at };
  }

  private quantifier(): Expression {
    const { text, at } = this.take();
    const kind = this.take().text;
    const variable = this.token;
    if (variable.kind !== "name" || RESERVED.has(variable.text)) {
      throw this.wrong(`expected a name for the agent, as in ‘${text} ${kind} a, …’`);
    }
    this.take();
    this.expect(",");
    return { is: "quantifier", quantifier: text, kind, variable: variable.text, body: this.expression(), at };
  }

  private owner(): Owner {
    const first = this.token;
    if (first.kind === "number") {
      this.take();
      return { text: first.text, number: Number(first.text), at: first.at };
    }
    if (first.kind !== "name" || RESERVED.has(first.text)) throw this.wrong("expected an agent");
    this.take();
    if (this.token.kind !== "number") return { text: first.text, at: first.at };
    const number = this.take().text;
    const any = /^(agent|any)$/i.test(first.text);
    return { text: `${first.text} ${number}`, number: any ? Number(number) : undefined, at: first.at };
  }
}

/** Reads an expression. Throws an `ExpressionError` with the position of the mistake. */
export function parseExpression(text: string): Expression {
  return new Parser(tokens(text)).whole();
}

export type Result = number | boolean | null;

function agentOf(owner: Owner, values: Values, bound: Map<string, number>): number {
  const variable = bound.get(owner.text);
  if (variable !== undefined) return variable;
  const known = (found: AgentName | undefined): number | undefined => found?.agent;
  const kinds = values.agents.filter((a) => a.kind === owner.text);
  const number =
    (owner.number === undefined ? undefined : known(values.agents.find((a) => a.agent === owner.number))) ??
    known(values.agents.find((a) => a.name === owner.text)) ??
    known(values.agents.find((a) => `${a.kind} ${a.agent}` === owner.text)) ??
    known(kinds.length === 1 ? kinds[0] : undefined);
  if (number === undefined) throw new ExpressionError(`there is no agent ‘${owner.text}’`, owner.at);
  return number;
}

const truth = (result: Result): boolean => (typeof result === "boolean" ? result : result !== null && result !== 0);
const number = (result: Result): Value => (typeof result === "boolean" ? (result ? 1 : 0) : result);

function arithmetic(operator: string, a: Value, b: Value): Value {
  if (a === null || b === null) return null;
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return b === 0 ? null : Math.trunc(a / b) + 0;
    case "%":
      return b === 0 ? null : ((a % Math.abs(b)) + Math.abs(b)) % Math.abs(b);
    default: // `:` rounds halves away from zero
      return b === 0 ? null : Math.sign(a / b) * Math.floor(Math.abs(a / b) + 0.5) + 0;
  }
}

function compare(operator: string, a: Value, b: Value): boolean {
  if (operator === "=") return a === b;
  if (operator === "!=") return a !== b;
  if (a === null || b === null) return false;
  if (operator === "<") return a < b;
  if (operator === "<=") return a <= b;
  if (operator === ">") return a > b;
  return a >= b;
}

/** The variable of an agent that an expression names, if it is one. */
function place(
  expression: Expression & { is: "variable" },
  values: Values,
  bound: Map<string, number>,
): { agent: number | undefined } | undefined {
  const { name, owner } = expression;
  const agent = owner ? agentOf(owner, values, bound) : undefined;
  if (values.isArray(agent, name) !== undefined) return { agent };
  return undefined;
}

function variable(expression: Expression & { is: "variable" }, values: Values, bound: Map<string, number>): Result {
  const { name, owner, indices, at } = expression;
  if (name === "id" && owner) return agentOf(owner, values, bound);
  const found = place(expression, values, bound);
  if (!found) {
    if (!owner && indices.length === 0) {
      const parameter = values.parameters[name] ?? values.parameters[name.replace(/^_/, "")];
      if (parameter !== undefined) return parameter;
      const agent = bound.get(name);
      if (agent !== undefined) return agent;
      const named = values.valueOf(name);
      if (named !== undefined) return named;
    }
    if (owner && values.agents.some((a) => values.isArray(a.agent, name) !== undefined)) return null;
    throw new ExpressionError(`there is no variable ‘${name}’${owner ? ` of ‘${owner.text}’` : ""}`, at);
  }
  if (indices.length === 0) {
    if (values.isArray(found.agent, name)) throw new ExpressionError(`‘${name}’ is an array: write ${name}[0]`, at);
    return values.get(found.agent, name) ?? null;
  }
  if (!values.isArray(found.agent, name)) throw new ExpressionError(`‘${name}’ is not an array`, at);
  const numbers = indices.map((index) => number(evaluate(index, values, bound)));
  if (numbers.some((n) => n === null || n < 0)) return null;
  const [first, second] = numbers as number[];
  if (second === undefined) return values.get(found.agent, name, first as number) ?? null;
  const columns = values.columns?.(found.agent, name);
  if (columns === undefined) throw new ExpressionError(`the rows of ‘${name}’ are not known: use one index`, at);
  if (second >= columns) return null;
  return values.get(found.agent, name, (first as number) * columns + second) ?? null;
}

/** `x = name`: the name is a value of that variable, whatever other variables call it. */
function compareNames(
  operator: string,
  left: Expression,
  right: Expression,
  values: Values,
  bound: Map<string, number>,
): boolean | undefined {
  if (operator !== "=" && operator !== "!=") return undefined;
  const bare = (e: Expression): e is Expression & { is: "variable" } =>
    e.is === "variable" && !e.owner && e.indices.length === 0 && !bound.has(e.name) && !place(e, values, bound);
  const [name, other] = bare(right) ? [right, left] : bare(left) ? [left, right] : [undefined, undefined];
  if (!name || !other || other.is !== "variable" || values.valueOf(name.name) === undefined) return undefined;
  const owner = place(other, values, bound);
  if (!owner) return undefined;
  const said = values.nameOf(owner.agent, other.name, number(variable(other, values, bound)));
  if (said === undefined) return undefined;
  return (said === name.name) === (operator === "=");
}

function quantified(
  expression: Expression & { is: "quantifier" },
  values: Values,
  bound: Map<string, number>,
): Result {
  const all = /^(agent|any)$/i.test(expression.kind);
  let agents = values.agents.filter((a) => a.kind === expression.kind);
  if (agents.length === 0) agents = values.agents.filter((a) => a.type === expression.kind);
  if (agents.length === 0 && all) agents = values.agents;
  if (agents.length === 0) throw new ExpressionError(`there are no agents of kind ‘${expression.kind}’`, expression.at);
  const inner = new Map(bound);
  const results = agents.map(({ agent }) => {
    inner.set(expression.variable, agent);
    return evaluate(expression.body, values, inner);
  });
  const numbers = (): number[] => results.map(number).filter((n): n is number => n !== null);
  switch (expression.quantifier) {
    case "forall":
      return results.every(truth);
    case "exists":
      return results.some(truth);
    case "count":
      return results.filter(truth).length;
    case "sum":
      return numbers().reduce((a, b) => a + b, 0);
    case "min":
      return numbers().length > 0 ? Math.min(...numbers()) : null;
    default:
      return numbers().length > 0 ? Math.max(...numbers()) : null;
  }
}

/** The value of an expression in a state: a number, a truth value, or null for undefined. Throws an `ExpressionError`. */
export function evaluate(expression: Expression, values: Values, bound: Map<string, number> = new Map()): Result {
  switch (expression.is) {
    case "number":
    case "truth":
      return expression.value;
    case "undef":
      return null;
    case "variable":
      return variable(expression, values, bound);
    case "unary": {
      const operand = evaluate(expression.operand, values, bound);
      if (expression.operator === "not") return !truth(operand);
      const value = number(operand);
      return value === null ? null : 0 - value;
    }
    case "if":
      return evaluate(truth(evaluate(expression.condition, values, bound)) ? expression.yes : expression.no, values, bound);
    case "call": {
      const operands = expression.operands.map((operand) => number(evaluate(operand, values, bound)));
      if (operands.some((operand) => operand === null)) return null;
      return Math[expression.function](...(operands as [number]));
    }
    case "quantifier":
      return quantified(expression, values, bound);
    case "binary": {
      const { operator, left, right } = expression;
      // Both sides are always evaluated, so that a mistake in either is reported in every state.
      const named = compareNames(operator, left, right, values, bound);
      if (named !== undefined) return named;
      const a = evaluate(left, values, bound);
      const b = evaluate(right, values, bound);
      if (operator === "and") return truth(a) && truth(b);
      if (operator === "or") return truth(a) || truth(b);
      if (operator === "implies") return !truth(a) || truth(b);
      if ("+-*/%:".includes(operator)) return arithmetic(operator, number(a), number(b));
      return compare(operator, number(a), number(b));
    }
  }
}
