// What stands in a menu.

import type { LucideIcon } from "lucide-react";
import type { ReactElement } from "react";
import type { ButtonProps } from "./button.tsx";

export type MenuEntry = {
  readonly label: string;
  readonly icon?: LucideIcon;
  readonly act: () => void;
  readonly isDanger?: boolean;
  /** Why it cannot be done now; it stands there all the same. */
  readonly refused?: string | undefined;
};

export type MenuProps = { readonly trigger: ReactElement<ButtonProps>; readonly entries: readonly MenuEntry[] };
