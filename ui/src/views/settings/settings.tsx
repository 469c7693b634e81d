// Settings: what this browser prefers, who may do what, tokens, secrets, the audit, and what this is.

import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { meQuery } from "../../api/queries.ts";
import { Page } from "../../components/page.tsx";
import { Tabs, type Tab } from "../../components/tabs.tsx";
import { About } from "./about.tsx";
import { Audit } from "./audit.tsx";
import { General } from "./general.tsx";
import { Secrets } from "./secrets.tsx";
import { Tokens } from "./tokens.tsx";
import { Users } from "./users.tsx";

export function Settings() {
  const { tab = "general" } = useSearch({ from: "/settings" });
  const navigate = useNavigate({ from: "/settings" });
  const { data: me } = useQuery(meQuery);
  const may = (right: string): boolean => me?.rights.includes(right) === true;
  const tabs: readonly Tab[] = [
    { id: "general", label: "General", content: () => <General /> },
    ...(may("admin")
      ? [
          { id: "users", label: "Users", content: () => <Users /> },
          { id: "tokens", label: "API tokens", content: () => <Tokens /> },
        ]
      : []),
    ...(may("secrets") ? [{ id: "secrets", label: "Secrets", content: () => <Secrets /> }] : []),
    ...(may("admin") ? [{ id: "audit", label: "Audit", content: () => <Audit /> }] : []),
    { id: "about", label: "About", content: () => <About /> },
  ];
  return (
    <Page page="settings" title="Settings" isFull>
      <Tabs label="Settings" tabs={tabs} value={tab} onChange={(next) => void navigate({ search: { tab: next } })} />
    </Page>
  );
}
