import { test } from "vitest";
import { flowSchema, flowSchemaFor } from "../../src/flow/schema/editor.ts";
import { jsonEditor, yamlEditor } from "./editors.ts";
const tools = [
  { name: "mail.send", description: "Sends a mail.", inputSchema: { type: "object", required: ["to", "subject"], additionalProperties: false, properties: { to: { type: "string", description: "Whom" }, subject: { type: "string" }, priority: { enum: ["low", "high"] }, count: { type: "integer" } } } },
  { name: "chat.post", inputSchema: { type: "object", properties: { text: { type: "string" } } } },
];
test("x", async () => {
  const j = jsonEditor(flowSchema());
  console.log("doc keys", await j.complete('{\n  |\n}'));
  console.log("doc keys with steps", await j.complete('{\n "steps": {}, |\n}'));
  console.log("step keys", await j.complete('{ "steps": { "a": { | } } }'));
  console.log("step value", await j.complete('{ "steps": { "a": | } }'));
  console.log("pipe step keys", await j.complete('{ "steps": [{ | }] }'));
  console.log("machine", await j.complete('{ "states": {}, | }'));
  console.log("trans", await j.complete('{ "states": {}, "transitions": [{ | }] }'));
  console.log("enum", await j.complete('{ "steps": { "a": { "effect": "|" } } }'));
  console.log("retry", await j.complete('{ "steps": { "a": { "retry": { | } } } }'));
  console.log("wait", await j.complete('{ "steps": { "a": { "wait": { | } } } }'));
  console.log(await j.hover('{ "steps": { "a": { "time|out": "5m" } } }'));
  console.log(await j.diagnose('{\n"format": "stepwell/v2",\n "steps": {\n "a": {\n "tol": "x",\n "timeout": "5",\n"retry": true,\n"wait": {"unti": 1},\n"retry": {"attempts": "3"},\n"parallel": []} } }'));
  console.log(await j.diagnose('{\n"states": {"a": {"terminal": "x"}},\n "transitions": [{\n"name": "b",\n "from": 3 }] }'));
  const y = yamlEditor(flowSchema());
  console.log("Y doc keys", await y.complete('|'));
  console.log("Y doc keys with steps", await y.complete('steps: {}\n|\n'));
  console.log("Y step keys", await y.complete('steps:\n  a:\n    |'));
  console.log("Y step keys", await y.complete('steps:\n  a:\n    tool: x\n    |'));
  console.log("Y pipe step keys", await y.complete('steps:\n  - tool: x\n    |'));
  console.log("Y machine", await y.complete('states: {}\n|'));
  console.log("Y enum", await y.complete('steps:\n  a:\n    effect: |'));
  console.log("Y retry", await y.complete('steps:\n  a:\n    retry:\n      |'));
  console.log(await y.hover('steps:\n  a:\n    time|out: 5m'));
  console.log(await y.diagnose('format: stepwell/v2\nsteps:\n  a:\n    tol: x\n    timeout: 5\n    retry: true\n    wait: {unti: 1}\n    parallel: []\n'));
  console.log(await y.diagnose('states:\n  a: {terminal: x}\ntransitions:\n  - name: b\n    from: 3'));
  const jt = jsonEditor(flowSchemaFor(tools)), yt = yamlEditor(flowSchemaFor(tools));
  console.log("tools", await jt.complete('{ "steps": { "a": { "tool": "|" } } }'), await yt.complete('steps:\n  a:\n    tool: |'));
  console.log("args", await jt.complete('{ "steps": { "a": { "tool": "mail.send", "args": { | } } } }'), await yt.complete('steps:\n  a:\n    tool: mail.send\n    args:\n      |'));
  console.log("args value", await jt.complete('{ "steps": { "a": { "tool": "mail.send", "args": { "priority": "|" } } } }'), await yt.complete('steps:\n  a:\n    tool: send\n    args:\n      priority: |'));
  console.log(await jt.diagnose('{ "steps": { "a": { "tool": "mail.send",\n "args": {\n "too": 1,\n"to": 3,\n"count": "x",\n"priority": "urgent" } } } }'));
  console.log(await jt.diagnose('{ "steps": { "a": { "tool": "mail.send",\n "args": "{{ previous }}" }, "b": { "tool": "mail.send", "args": {"to": "{{ x }}", "subject": "s", "count": "{{ c }}", "priority": "{{ p }}"} } } }'));
  console.log(await yt.diagnose('steps:\n  a:\n    tool: mail.send\n    args:\n      too: 1\n      to: 3\n      count: x\n      priority: urgent\n'));
  console.log(await yt.diagnose('steps:\n  a:\n    tool: mail.send\n    args:\n      to: "{{ x }}"\n      subject: a\n      count: "{{ c }}"\n      priority: "{{ p }}"\n    compensate:\n      tool: mail.send\n      args: {}'));
});
