// What vitest loads before each file of tests of single parts: the files that they make lie in memory, where a disk that is
// waited for again and again would take a third of their time. What is about crashes is in test/, and stays on a disk.

const folder = process.env["STEPWELL_TEST_FOLDER"];
// The same for what they start. Windows has other names for it, and no disk in memory.
if (folder !== undefined) process.env["TMPDIR"] = folder;
