/** `2-5` in the address: from which version to which; the last two unless it says so. */
export function comparedIn(text: string | undefined, newest: number): { readonly from: number; readonly to: number } {
  const found = /^(\d{1,9})-(\d{1,9})$/.exec(text ?? "");
  const within = (no: number): number => Math.min(Math.max(no, 1), newest);
  return found === null
    ? { from: Math.max(newest - 1, 1), to: newest }
    : { from: within(Number(found[1])), to: within(Number(found[2])) };
}
