// To the clipboard, and a word that it is there.

import { tell, tellProblem } from "./toasts.tsx";

export async function copyText(text: string, told = "Copied."): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    tell(told);
  } catch (error) {
    tellProblem(error);
  }
}
