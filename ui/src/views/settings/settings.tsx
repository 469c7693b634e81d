// Settings: what this browser prefers, who may do what, tokens, secrets, the audit, and what this is.

import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { meQuery } from "../../api/queries.ts";
import { useRefused } from "../../api/rights.ts";
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
      <NotYours tab={tab} />
      <Tabs label="Settings" tabs={tabs} value={tab} onChange={(next) => void navigate({ search: { tab: next } })} />
    </Page>
  );
}

const names = { users: "Users", tokens: "API tokens", secrets: "Secrets", audit: "The audit" } as const;

/** Whoever follows a link to what is not theirs is told what is missing, and not led elsewhere without a word. */
function NotYours({ tab }: { readonly tab: string }) {
  const [notAdmin, notSecrets] = [useRefused("admin"), useRefused("secrets")];
  const refused = tab === "secrets" ? notSecrets : notAdmin;
  if (!isGuarded(tab) || refused === undefined) return null;
  return (
    <p role="alert" data-token="waiting" data-testid="not-yours" className="status mx-4 mt-3 rounded-card px-3 py-2">
      {names[tab]}: {refused}
    </p>
  );
}

function isGuarded(tab: string): tab is keyof typeof names {
  return Object.hasOwn(names, tab);
}
