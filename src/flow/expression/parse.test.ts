import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isArray, isObject, type Json } from "../json.ts";
import type { Node } from "./ast.ts";
import { evaluate } from "./evaluate.ts";
import { parseExpression } from "./parse.ts";

/** A tree as text, every operation in parentheses of its own. */
function show(node: Node): string {
  switch (node.kind) {
    case "literal":
      return JSON.stringify(node.value);
    case "name":
      return node.name;
    case "member":
      return `${show(node.object)}.${node.key}`;
    case "index":
      return `${show(node.object)}[${show(node.index)}]`;
    case "unary":
      return `(${node.operator}${show(node.operand)})`;
    case "binary":
      return `(${show(node.left)} ${node.operator} ${show(node.right)})`;
    case "conditional":
      return `(${show(node.test)} ? ${show(node.whenTrue)} : ${show(node.whenFalse)})`;
    case "list":
      return `[${node.items.map(show).join(", ")}]`;
    case "map":
      return `{${node.entries.map(([key, value]) => `${show(key)}: ${show(value)}`).join(", ")}}`;
    case "call":
      return `${node.name}(${node.args.map(show).join(", ")})`;
    case "macro":
      return `${show(node.list)}.${node.name}(${node.variable}, ${show(node.body)})`;
    case "seed":
      return "seed";
  }
}

function parsed(source: string): string {
  const result = parseExpression(source);
  return result.ok ? show(result.expression.node) : `${result.problem.code}: ${result.problem.message}`;
}

describe("the shape of an expression", () => {
  it.each([
    ["1 + 2 * 3", "(1 + (2 * 3))"],
    ["1 * 2 + 3", "((1 * 2) + 3)"],
    ["1 - 2 - 3", "((1 - 2) - 3)"],
    ["8 / 4 % 3", "((8 / 4) % 3)"],
    ["(1 + 2) * 3", "((1 + 2) * 3)"],
    ["a || b && c", "(a || (b && c))"],
    ["a && b || c", "((a && b) || c)"],
    ["a == b && c != d", "((a == b) && (c != d))"],
    ["a < b + 1", "(a < (b + 1))"],
    ["'x' in a.b", '("x" in a.b)'],
    ["a == b == c", "((a == b) == c)"],
    ["(a < b) == (c < d)", "((a < b) == (c < d))"],
    ["!a && !b", "((!a) && (!b))"],
    ["!!a", "(!(!a))"],
    ["-a * -1", "((-a) * (-1))"],
    ["1 - -1", "(1 - (-1))"],
    ["-a.b", "(-a.b)"],
    ["a ? b : c", "(a ? b : c)"],
    ["a ? b : c ? d : e", "(a ? b : (c ? d : e))"],
    ["a ? b ? c : d : e", "(a ? (b ? c : d) : e)"],
    ["a || b ? c : d", "((a || b) ? c : d)"],
    ["a ?? b", "(a ?? b)"],
    ["a ?? b ?? c", "(a ?? (b ?? c))"],
    ["a ?? b + 1", "(a ?? (b + 1))"],
    ["a + b ?? c", "((a + b) ?? c)"],
    ["a ?? b ? c : d", "((a ?? b) ? c : d)"],
    ["(a ?? b) == c", "((a ?? b) == c)"],
    ["a ?? (b == c)", "(a ?? (b == c))"],
    ["a.b.c", "a.b.c"],
    ["a.in.true.null", "a.in.true.null"],
    ["a[0]['k'][b]", 'a[0]["k"][b]'],
    ["(a).b", "a.b"],
    ["nil", "null"],
    ["[1, 'a', null, true, false]", '[1, "a", null, true, false]'],
    ["[]", "[]"],
    ["[1,]", "[1]"],
    ["{}", "{}"],
    ["{'a': 1, \"b\": [2],}", '{"a": 1, "b": [2]}'],
    ["{'a': {'b': 1}}", '{"a": {"b": 1}}'],
    ["size(a)", "size(a)"],
    ["a.size()", "size(a)"],
    ["a.b.contains('x')", 'contains(a.b, "x")'],
    ["contains(a, 'x')", 'contains(a, "x")'],
    ["max(1, 2, 3,)", "max(1, 2, 3)"],
    ["a.split(',').join('-')", 'join(split(a, ","), "-")'],
    ["has(a.b)", "has(a.b)"],
    ["has(a['b'])", 'has(a["b"])'],
    ["has(a)", "has(a)"],
    ["a.all(x, x > 0)", "a.all(x, (x > 0))"],
    ["a.filter(item, item.ok).map(item, item.id)", "a.filter(item, item.ok).map(item, item.id)"],
    ["a.exists(x, b.exists(y, x == y))", "a.exists(x, b.exists(y, (x == y)))"],
    [" \t\r\n\f1 ", "1"],
  ])("%j is %s", (source, shape) => {
    expect(parsed(source)).toBe(shape);
  });

  it("keeps the source and is frozen in every part", () => {
    const source = "{'a': [input.b[0] ?? 1]}.a.map(x, size(x) > 2 ? -x : !x)";
    const result = parseExpression(source);
    expect(result).toMatchObject({ ok: true, expression: { kind: "expression", source } });
    expect(isFrozen(result.ok && result.expression)).toBe(true);
  });

  it("says where a path stands, as it was written", () => {
    const source = "1 + (input) . name [0]";
    const result = parseExpression(source);
    expect(result).toMatchObject({ ok: true, expression: { node: { right: { kind: "index", at: 4, end: 22 } } } });
  });
});

function isFrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozen);
}

describe("what does not parse", () => {
  it.each([
    ["", "The expression is empty.", "Write a value, a path or a comparison.", 0, 0],
    ["  ", "The expression is empty.", "Write a value, a path or a comparison.", 2, 2],
    ["a and b", "and cannot stand here.", "Write && for and.", 2, 5],
    ["a or b", "or cannot stand here.", "Write || for or.", 2, 4],
    ["not a", "not cannot stand here.", "Write ! for not.", 0, 3],
    ["!(not(a))", "not cannot stand here.", "Write ! for not.", 2, 5],
    ["a is b", "is cannot stand here.", "Write == to compare.", 2, 4],
    ["a = b", "= is not part of an expression.", "Write == to compare.", 2, 3],
    ["a === b", "=== is not part of an expression.", "Write == to compare.", 2, 5],
    ["a == 'b", "The text that begins with ' is not closed.", "Write ' at its end, or \\' for one inside it.", 5, 7],
    ["a #", "# is not part of an expression.", "Write an operator between two values, or end here.", 2, 3],
    ["a +", "The expression ends too early.", "Write a value or a path here.", 3, 3],
    ["+ a", "+ cannot stand here.", "Write a value or a path here.", 0, 1],
    ["in a", "in cannot stand here.", "Write a value in front of in.", 0, 2],
    ["a b", "b cannot stand here.", "Write an operator between two values, or end here.", 2, 3],
    ["a 1.50", "1.50 cannot stand here.", "Write an operator between two values, or end here.", 2, 6],
    ["a 'x'", "'x' cannot stand here.", "Write an operator between two values, or end here.", 2, 5],
    ["(a", "The expression ends too early.", "Close the parenthesis with ).", 2, 2],
    ["a)", ") cannot stand here.", "Write an operator between two values, or end here.", 1, 2],
    ["[a", "The expression ends too early.", "Write a comma before the next value, or close with ].", 2, 2],
    ["[a b]", "b cannot stand here.", "Write a comma before the next value, or close with ].", 3, 4],
    ["[,]", ", cannot stand here.", "Write a value or a path here.", 1, 2],
    ["{'a'}", "} cannot stand here.", 'Write a map as {"key": value}.', 4, 5],
    ["{'a': 1 'b': 2}", "'b' cannot stand here.", "Close the map with }, or write a comma before the next key.", 8, 11],
    ["{{ a }}", "{{ cannot stand here.", "Write the expression alone, without {{ and }}.", 0, 2],
    ["a.", "The expression ends too early.", 'Write a name behind the dot, or ["any text"] in brackets.', 2, 2],
    ["a.'b'", "'b' cannot stand here.", 'Write a name behind the dot, or ["any text"] in brackets.', 2, 5],
    ["a[0", "The expression ends too early.", "Close the index with ].", 3, 3],
    ["a[]", "] cannot stand here.", "Write a value or a path here.", 2, 3],
    ["a ? b", "The expression ends too early.", "Write both values: condition ? this : that.", 5, 5],
    ["a < b < c", "Comparisons cannot be chained.", "Write a < b && b < c.", 6, 7],
    ["a == b < c", "Comparisons cannot be chained.", "Write a < b && b < c.", 7, 8],
    ["a < b == c", "Comparisons cannot be chained.", "Write a < b && b < c.", 6, 8],
    ["a ?? 0 > 1", "?? and > stand side by side.", "Write parentheses: (a ?? b) > c.", 7, 8],
    ["1 in a ?? []", "?? and in stand side by side.", "Write parentheses: (a ?? b) in c.", 2, 4],
    ["a && b ?? c", "?? and && stand side by side.", "Write parentheses: (a ?? b) && c.", 2, 4],
    ["size()", "size does not take 0 arguments here.", "Write size(list).", 0, 4],
    ["a.size(1)", "size does not take 1 argument here.", "Write size(list).", 2, 6],
    ["size(a", "The expression ends too early.", "Write a comma before the next value, or close with ).", 6, 6],
    ["has(1)", "has asks whether a path is there.", "Write has(input.name).", 0, 3],
    ["has(a + b)", "has asks whether a path is there.", "Write has(input.name).", 0, 3],
    ["a.has('b')", "has does not take 1 argument here.", "Write has(input.name).", 2, 5],
    ["a.has()", "has asks whether a path is there.", "Write has(input.name).", 2, 5],
    ["all(a, x, x)", "all stands behind a list.", "Write list.all(x, x > 0).", 0, 3],
    ["a.map(x.y, 1)", ". cannot stand here.", "Write list.map(x, x.name).", 7, 8],
    ["a.map(1, 1)", "1 cannot stand here.", "Write list.map(x, x.name).", 6, 7],
    ["a.map(null, 1)", "null cannot stand here.", "Write list.map(x, x.name).", 6, 10],
    ["a.filter(x)", ") cannot stand here.", "Write list.filter(x, x > 0).", 10, 11],
    ["a.map(x, x, x)", ", cannot stand here.", "Write list.map(x, x.name).", 10, 11],
  ])("%j is refused with a cure", (source, ...[message, hint, at, end]) => {
    expect(parseExpression(source)).toEqual({
      ok: false,
      problem: { code: "expression_syntax", message, hint, at, end },
    });
  });

  it.each([
    ["sizes(a)", "sizes", "Did you mean size?", 0],
    ["a.startswith('x')", "startswith", "Did you mean startsWith?", 2],
    ["len(a)", "len", "Did you mean size?", 0],
    ["a.any(x, x)", "any", "Did you mean exists?", 2],
    ["toString(a)", "toString", "Did you mean string?", 0],
    ["a.constructor()", "constructor", expect.stringMatching(/^Functions are all, contains, .*upper\.$/), 2],
    ["__proto__()", "__proto__", expect.stringMatching(/^Functions are /), 0],
  ])("%s names no function", (source, name, hint, at) => {
    expect(parseExpression(source)).toEqual({
      ok: false,
      problem: {
        code: "unknown_function",
        message: `There is no function ${name}.`,
        hint,
        at,
        end: at + name.length,
      },
    });
  });
});

describe("a message about a long piece of source", () => {
  it.each([
    `1 '${"x".repeat(3000)}'`,
    "9".repeat(3000),
    `1 ${"y".repeat(3000)}`,
    `${"z".repeat(3000)}()`,
    `1${"a".repeat(3000)}`,
  ])("shows its beginning", (source) => {
    const result = parseExpression(source);
    expect(!result.ok && result.problem.message).toMatch(/^.{10,120}$/);
    expect(!result.ok && result.problem.hint).toMatch(/^.{10,180}$/);
  });
});

function codeOf(source: string): string {
  const result = parseExpression(source);
  return result.ok ? "ok" : result.problem.code;
}

describe("the limits of a source", () => {
  it("takes 4,096 bytes and no more", () => {
    expect(codeOf(`'${"a".repeat(4094)}'`)).toBe("ok");
    expect(codeOf(`'${"a".repeat(4095)}'`)).toBe("expression_too_long");
  });

  it("counts bytes of UTF-8 and not characters", () => {
    expect(codeOf(`'${"é".repeat(2047)}'`)).toBe("ok");
    expect(codeOf(`'${"é".repeat(2048)}'`)).toBe("expression_too_long");
    expect(codeOf(`'${"€".repeat(1364)}aa'`)).toBe("ok");
    expect(codeOf(`'${"€".repeat(1364)}aaa'`)).toBe("expression_too_long");
    expect(codeOf(`'${"😀".repeat(1023)}aa'`)).toBe("ok");
    expect(codeOf(`'${"😀".repeat(1023)}aaa'`)).toBe("expression_too_long");
  });

  it.each([
    ["parentheses", (n: number) => "(".repeat(n) + "1" + ")".repeat(n)],
    ["lists", (n: number) => "[".repeat(n) + "]".repeat(n)],
    ["maps", (n: number) => `${"{'a':".repeat(n)}1${"}".repeat(n)}`],
    ["!", (n: number) => `${"!".repeat(n)}true`],
    ["-", (n: number) => `${"-".repeat(n)}1`],
    ["indexes", (n: number) => `${"a[".repeat(n)}0${"]".repeat(n)}`],
    ["calls", (n: number) => `${"size(".repeat(n)}a${")".repeat(n)}`],
    ["macros", (n: number) => `${"a.map(x,".repeat(n)}x${")".repeat(n)}`],
    ["?:", (n: number) => `${"a ? b : ".repeat(n)}c`],
  ])("takes %s 64 deep and no deeper", (_, nest) => {
    expect(codeOf(nest(64))).toBe("ok");
    expect(codeOf(nest(66))).toBe("expression_too_deep");
    expect(codeOf(nest(400))).toBe("expression_too_deep");
  });

  it("does not take a chain on one level for depth", () => {
    expect(codeOf(Array.from({ length: 400 }, () => "true").join(" && "))).toBe("ok");
    expect(codeOf(Array.from({ length: 400 }, () => "a").join(" ?? "))).toBe("ok");
    expect(codeOf(`a${".b".repeat(900)}`)).toBe("ok");
  });

  it("takes 1,000 nodes and no more", () => {
    expect(codeOf(`[${"1,".repeat(999)}]`)).toBe("ok");
    expect(codeOf(`[${"1,".repeat(1000)}]`)).toBe("expression_too_large");
    expect(codeOf(`a${".b".repeat(1000)}`)).toBe("expression_too_large");
  });

  it.each(["(", "!", "-", "[", "a[", "size(", "{'a':"])("refuses %s a hundred thousand times", (piece) => {
    expect(codeOf(piece.repeat(100_000))).toBe("expression_too_long");
    expect(codeOf(piece.repeat(Math.floor(4096 / piece.length)))).toBe("expression_too_deep");
  });
});

const nowhere = { lookup: (): undefined => undefined };

describe("properties of the parser", () => {
  it("a JSON text is an expression that evaluates to the value it stands for", () => {
    const unit = fc.constantFrom(...Array.from("aZ0_ \"'\\/{}[]:,\n\t\u0000é😀"));
    const key = fc.string({ unit, maxLength: 8 });
    const scalar = fc.oneof(key, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean());
    const leaf = fc.oneof(scalar, fc.constant(null));
    const value = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(leaf, fc.array(tie("value"), { maxLength: 4 }), fc.dictionary(key, tie("value"), { maxKeys: 4 })),
    })).value;
    fc.assert(
      fc.property(value, (json) => {
        const text = JSON.stringify(json);
        fc.pre(text.length < 1000 && isSafe(json));
        const result = parseExpression(text);
        expect(result).toMatchObject({ ok: true });
        expect(result.ok && evaluate(result.expression, nowhere)).toEqual({
          ok: true,
          value: JSON.parse(text),
          missing: [],
        });
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it("an expression that is printed with all its parentheses parses to the same shape", () => {
    const { node } = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom("input", "a.b", '"x"', "1", "true", "null", "a[0]"),
        fc
          .tuple(tie("node"), fc.constantFrom("+", "-", "*", "/", "%", "==", "<", "in", "&&", "||", "??"), tie("node"))
          .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
        fc.tuple(fc.constantFrom("!", "-"), tie("node")).map(([operator, operand]) => `(${operator}${operand})`),
        fc.tuple(tie("node"), tie("node"), tie("node")).map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`),
        fc.array(tie("node"), { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
        tie("node").map((value) => `size(${value})`),
        tie("node").map((value) => `[1].map(x, ${value})`),
      ),
    }));
    fc.assert(
      fc.property(node, (source) => {
        fc.pre(source.length < 4000);
        expect(parsed(source)).toBe(source);
      }),
      { seed: 2, numRuns: 500 },
    );
  });
});

function isSafe(value: Json): boolean {
  if (typeof value === "number") return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (isArray(value)) return value.every(isSafe);
  return isObject(value) ? Object.values(value).every(isSafe) : true;
}
