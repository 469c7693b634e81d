// Puts tables into the page about performance, between marks; the words around them are written by hand.

export function replacePart(page: string, name: string, text: string): string {
  const begin = `<!-- ${name}: written by npm run bench -->`;
  const end = `<!-- end of ${name} -->`;
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`The page has no part "${name}".`);
  return `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`;
}
