// `stepwell/testing`: what programs use to test their flows. Everything else in this folder is for our own tests.

export {
  fakeTool,
  never,
  throws,
  type FakeAnswer,
  type FakeCall,
  type FakeTool,
  type FakeToolOptions,
  type Never,
  type Throws,
} from "./fake-tool.ts";
export {
  runFlowTests,
  type FlowTestCaseReport,
  type FlowTestFinding,
  type FlowTestOptions,
  type FlowTestReport,
} from "./flow-test.ts";
export type { SeenRun } from "./flow-test-expect.ts";
export { openTestEngine, type TestEngine, type TestEngineOptions, type TestVerbs } from "./open-test-engine.ts";
export { recordedTools, type RecordedStep } from "./recorded-tools.ts";
