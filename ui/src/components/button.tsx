import type { ComponentProps, ReactNode } from "react";
import type { LucideIcon } from "lucide-react";

type ButtonLook = "primary" | "plain" | "quiet" | "danger";

const looks: { readonly [look in ButtonLook]: string } = {
  primary: "bg-accent text-on-accent border-transparent hover:opacity-90",
  plain: "bg-surface text-text border-strong hover:bg-sunken",
  quiet: "bg-transparent text-text2 border-transparent hover:bg-sunken hover:text-text",
  danger: "bg-surface text-danger border-strong hover:bg-danger-tint",
};

export type ButtonProps = Omit<ComponentProps<"button">, "children"> & {
  readonly look?: ButtonLook;
  readonly icon?: LucideIcon;
  readonly children?: ReactNode;
  readonly isBusy?: boolean;
  readonly isSmall?: boolean;
};

/** With an icon alone it needs an `aria-label`. */
export function Button({
  look = "plain",
  icon: Icon,
  children,
  isBusy = false,
  isSmall = false,
  className = "",
  ...rest
}: ButtonProps) {
  const height = isSmall ? "min-h-7 text-meta" : "min-h-8 text-body";
  const width = children === undefined ? (isSmall ? "w-7" : "w-8") : isSmall ? "px-2" : "px-3";
  return (
    <button
      type="button"
      aria-busy={isBusy}
      {...rest}
      disabled={rest.disabled === true || isBusy}
      className={`inline-flex shrink-0 items-center justify-center gap-1.5 rounded-control border font-medium whitespace-nowrap transition-colors duration-[120ms] disabled:opacity-50 ${height} ${width} ${looks[look]} ${className}`}
    >
      {Icon === undefined ? null : <Icon size={16} strokeWidth={1.75} aria-hidden />}
      {children}
    </button>
  );
}
