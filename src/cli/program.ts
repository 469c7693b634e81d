// How people call this program: by its name, or in a clone through npm.

const isUnderNpm = process.env["npm_lifecycle_event"] === "start";

/** A command to type: `commandOf("watch 12")`. */
export function commandOf(words: string): string {
  return `${isUnderNpm ? "npm start --" : "stepwell"} ${words}`;
}
