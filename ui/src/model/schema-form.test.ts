import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "./json.ts";
import {
  defaultsOf,
  fieldsOf,
  missingIn,
  problemsByField,
  readArgumentText,
  readFieldText,
  readJson,
  sayOfField,
  toFieldText,
  withField,
  withoutChanged,
  type FormField,
} from "./schema-form.ts";

const schema: Json = {
  type: "object",
  required: ["who", "count"],
  properties: {
    who: { type: "string", title: "Whom?", description: "A name" },
    count: { type: "integer", default: 3 },
    isLoud: { type: "boolean" },
    mood: { enum: ["calm", "wild", 7] },
    day: { type: "string", format: "date" },
    more: { type: "array" },
    any: true,
  },
};

function field(name: string): FormField {
  const found = fieldsOf(schema)?.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no field ${name}.`);
  return found;
}

describe("fields of a schema", () => {
  test("each has the kind that its schema asks for, in order", () => {
    expect(fieldsOf(schema)?.map(({ name, kind }) => [name, kind])).toEqual([
      ["who", "text"],
      ["count", "integer"],
      ["isLoud", "switch"],
      ["mood", "choice"],
      ["day", "date"],
      ["more", "json"],
      ["any", "any"],
    ]);
    expect(field("who")).toMatchObject({ label: "Whom?", help: "A name", isRequired: true });
  });

  test("a schema without properties has none: it is asked for as JSON", () => {
    expect([fieldsOf(null), fieldsOf({ type: "string" }), fieldsOf({ type: "object" })]).toEqual([null, null, null]);
  });
});

describe("a text in a field", () => {
  test("stands for a value of its kind", () => {
    expect(readFieldText(field("who"), "Ada")).toEqual({ ok: true, value: "Ada" });
    expect(readFieldText(field("count"), "12")).toEqual({ ok: true, value: 12 });
    expect(readFieldText(field("more"), "[1]")).toEqual({ ok: true, value: [1] });
    expect(readFieldText(field("mood"), "7")).toEqual({ ok: true, value: 7 });
    expect(readFieldText(field("day"), "")).toEqual({ ok: true, value: undefined });
    expect(readFieldText(field("any"), "[1]")).toEqual({ ok: true, value: [1] });
    expect(readFieldText(field("any"), "hello there")).toEqual({ ok: true, value: "hello there" });
  });

  test("that stands for nothing says why", () => {
    expect(readFieldText(field("count"), "many")).toEqual({ ok: false, problem: '"many" is no number.' });
    expect(readFieldText(field("count"), "1.5")).toEqual({ ok: false, problem: '"1.5" is no whole number.' });
    expect(readFieldText(field("count"), "")).toEqual({ ok: false, problem: "This is needed." });
    expect(readFieldText(field("more"), "[")).toMatchObject({ ok: false });
  });

  test("comes back as it was written", () => {
    expect(toFieldText("integer", 12)).toBe("12");
    expect(toFieldText("json", { a: 1 })).toBe('{\n  "a": 1\n}');
    expect(toFieldText("text", undefined)).toBe("");
  });
});

test("a form begins with the schema's defaults under what was given", () => {
  expect(defaultsOf(schema, { who: "Ada" })).toEqual({ who: "Ada", count: 3 });
});

test("a switch that is needed is off, as it looks", () => {
  const isSure = { type: "boolean" };
  expect(defaultsOf({ required: ["isSure"], properties: { isSure, isLoud: isSure } }, null)).toEqual({ isSure: false });
});

test("what is needed and not there is missing", () => {
  expect([...missingIn(schema, { count: 1 }).keys()]).toEqual(["who"]);
  expect(missingIn(schema, { who: "", count: 1 }).size).toBe(0);
});

test("a field that is left empty is left out", () => {
  expect(withField({ a: 1, b: 2 }, "a", undefined)).toEqual({ b: 2 });
  expect(withField({ a: 1 }, "a", 2)).toEqual({ a: 2 });
});

test("a problem stands at its field, whether it names the input or not", () => {
  const told = problemsByField([
    { pointer: "/input/who", message: "no" },
    { pointer: "/count/0", message: "yes" },
    { pointer: "", message: "all" },
  ]);
  expect([...told]).toEqual([
    ["who", "no"],
    ["count", "yes"],
    ["", "all"],
  ]);
});

test("AC-68: in the arguments of a step an expression stays a text, whatever is asked for", () => {
  const described = {
    properties: { count: { type: "integer" }, tone: { enum: ["warm", "dry"] }, list: { type: "array" } },
  };
  const [count, tone, list] = fieldsOf(described) ?? [];
  if (count === undefined || tone === undefined || list === undefined) throw new Error("There are three fields.");
  for (const each of [count, tone, list])
    expect(readArgumentText(each, "{{ input.x }}")).toEqual({ ok: true, value: "{{ input.x }}" });
  expect(readArgumentText(count, "3")).toEqual({ ok: true, value: 3 });
  expect(readArgumentText(count, "many")).toMatchObject({ ok: false });
  expect(readArgumentText(tone, '"dry"')).toEqual({ ok: true, value: "dry" });
  // Where an expression stood, one writes the word itself.
  expect(readArgumentText(tone, "dry")).toEqual({ ok: true, value: "dry" });
  expect(readArgumentText(list, "dry")).toMatchObject({ ok: false });
});

describe("numbers that would lose digits", () => {
  const asked = (text: string) => readFieldText({ ...fieldOf({ type: "integer" }), isRequired: true }, text);

  test("are refused in a field, with what to do instead; those that keep theirs are taken", () => {
    expect(asked("9007199254740993")).toEqual({
      ok: false,
      problem:
        '9007199254740993 has more digits than a number keeps here. Write it as a text, "9007199254740993", where one is taken, or round it yourself.',
    });
    expect(asked("-9007199254740993").ok).toBe(false);
    expect(asked("9007199254740991")).toEqual({ ok: true, value: 9_007_199_254_740_991 });
    expect(asked("9007199254740992")).toEqual({ ok: true, value: 9_007_199_254_740_992 });
    expect(readFieldText(fieldOf({}), "9007199254740993").ok).toBe(false);
  });

  test("are refused anywhere in JSON, but not inside a text", () => {
    expect(readJson('{ "a": [1, 9007199254740993] }').ok).toBe(false);
    expect(readJson(`[${"9".repeat(400)}]`).ok).toBe(false);
    expect(readJson('{ "9007199254740993": "see \\"9007199254740993\\"" }').ok).toBe(true);
    expect(readJson("[0.1, 1e21, 12]")).toEqual({ ok: true, value: [0.1, 1e21, 12] });
  });

  function fieldOf(own: JsonObject): FormField {
    const [found] = fieldsOf({ type: "object", properties: { n: own } }) ?? [];
    if (found === undefined) throw new Error("There is no field.");
    return found;
  }
});

test("what was wrong with a field is forgotten with its value, and what was wrong with the whole with any", () => {
  const problems = new Map([
    ["", "Too much."],
    ["who", "No."],
    ["count", "No."],
  ]);
  const kept = (after: Json): readonly string[] => [...withoutChanged(problems, { count: 0 }, after).keys()];
  expect(kept({ count: 0, who: "ann" })).toEqual(["count"]);
  expect(kept({ count: 1 })).toEqual(["who"]);
  expect(kept("a text")).toEqual([]);
});

test("a problem beside a field names it by its label", () => {
  const city = { name: "city", label: "Your city" };
  expect(sayOfField(city, '"city" is missing.')).toBe("Your city is missing.");
  expect(sayOfField(city, "It must be >= 1.")).toBe("It must be >= 1.");
});
