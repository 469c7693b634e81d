// What vitest loads before each file of all other tests: their files lie where the machine has them, whatever ran in this
// worker before. A process that is killed while it waits for its disk is what some of them are about.

const folder = process.env["STEPWELL_TEST_DISK"];
if (folder !== undefined) process.env["TMPDIR"] = folder;
