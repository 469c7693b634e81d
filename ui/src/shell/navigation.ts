// Where one can go from everywhere.

import { Activity, CalendarClock, Inbox, Library, type LucideIcon, Play, Server, Settings, Wrench } from "lucide-react";

export type Place = {
  readonly to: "/" | "/runs" | "/inbox" | "/library" | "/schedules" | "/tools" | "/system" | "/settings";
  readonly label: string;
  readonly icon: LucideIcon;
  /** After `g`. */
  readonly key: string;
  /** Also in the bar of a narrow window. */
  readonly isMain: boolean;
};

export const places: readonly Place[] = [
  { to: "/", label: "Home", icon: Activity, key: "h", isMain: true },
  { to: "/runs", label: "Runs", icon: Play, key: "r", isMain: true },
  { to: "/inbox", label: "Inbox", icon: Inbox, key: "i", isMain: true },
  { to: "/library", label: "Library", icon: Library, key: "f", isMain: true },
  { to: "/schedules", label: "Schedules", icon: CalendarClock, key: "s", isMain: false },
  { to: "/tools", label: "Tools", icon: Wrench, key: "t", isMain: true },
  { to: "/system", label: "System", icon: Server, key: "y", isMain: false },
  { to: "/settings", label: "Settings", icon: Settings, key: "e", isMain: false },
];
