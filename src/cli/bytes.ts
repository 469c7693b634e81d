// Sizes as a person reads them.

const units = ["bytes", "KB", "MB", "GB", "TB"];

/** `17 bytes`, `4 KB`, `1.5 GB`. */
export function showBytes(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 1000 && unit < units.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return `${amount < 10 && unit > 0 ? Math.floor(amount * 10) / 10 : Math.floor(amount)} ${units[unit] ?? ""}`;
}
