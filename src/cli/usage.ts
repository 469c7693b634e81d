// How each command is written: for the help, and for whoever gets it wrong.

export const runUsage =
  "stepwell run <file> [key=value …] [--input JSON|@file|-] [--store FILE] [--as USER] [--key KEY] [--json|--jsonl] [--timeout 5m] [--detach] [--durability full|fast]";
export const watchUsage = "stepwell watch <run> [--store FILE] [--timeout 5m] [--json|--jsonl]";
export const answerUsage =
  "stepwell approve|reject <step or run> [--comment TEXT] [--data JSON|@file] [--as USER] [--store FILE]";
export const cancelUsage = "stepwell cancel <run> [--reason TEXT] [--as USER] [--store FILE]";
export const demoUsage = "stepwell demo [--store FILE]";
export const examplesUsage = "stepwell examples [--as ascii|mermaid|svg] [file or folder …]";
