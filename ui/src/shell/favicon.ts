// The icon in the tab says when something failed, or waits for a person.

type Mark = { readonly waiting: number; readonly failed: number };

const plain = "/favicon.svg";

export function markFavicon({ waiting, failed }: Mark): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link === null) return;
  const colour = failed > 0 ? "%23DC2B32" : waiting > 0 ? "%23E09A1E" : null;
  link.href =
    colour === null
      ? plain
      : `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='7' fill='%235746D9'/><path d='M6 9h8v6h6v6h6' fill='none' stroke='white' stroke-width='3'/><circle cx='24' cy='8' r='8' fill='${colour}'/></svg>`;
}
