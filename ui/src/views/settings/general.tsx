import { useQuery } from "@tanstack/react-query";
import { logOut } from "../../api/access.ts";
import { meQuery } from "../../api/queries.ts";
import { ownZone } from "../../api/schedules.ts";
import { Button } from "../../components/button.tsx";
import { Field, Select } from "../../components/field.tsx";
import { Card } from "../../components/page.tsx";
import { tellProblem } from "../../components/toasts.tsx";
import { prefer, usePreference } from "../../preferences.ts";

export function General() {
  const theme = usePreference("theme", "system");
  const density = usePreference("density", "comfortable");
  const isWelcomed = usePreference("welcome", "open") === "closed";
  return (
    <div className="flex max-w-2xl flex-col gap-4 p-4 md:p-5">
      <Card title="This browser">
        <div className="flex flex-col gap-4 p-4">
          <Field label="Theme">
            {(given) => (
              <Select {...given} value={theme} onChange={({ target }) => prefer("theme", target.value)}>
                <option value="system">As the system has it</option>
                <option value="light">Light</option>
                <option value="dark">Dark</option>
              </Select>
            )}
          </Field>
          <Field label="Rows of tables">
            {(given) => (
              <Select {...given} value={density} onChange={({ target }) => prefer("density", target.value)}>
                <option value="comfortable">Comfortable</option>
                <option value="compact">Compact</option>
              </Select>
            )}
          </Field>
          <p className="text-text2">Times are shown in {ownZone()}.</p>
          {isWelcomed ? <Button onClick={() => prefer("welcome", "open")}>Show the welcome again</Button> : null}
        </div>
      </Card>
      <You />
    </div>
  );
}

async function leave(): Promise<void> {
  try {
    await logOut();
    location.assign("/login");
  } catch (error) {
    tellProblem(error);
  }
}

function You() {
  const { data: me } = useQuery(meQuery);
  if (me === undefined) return null;
  return (
    <Card title="You">
      <div className="flex flex-col items-start gap-3 p-4">
        <p>
          You are <strong>{me.user}</strong>
          {me.how === "local"
            ? ", the owner of this machine: as long as nobody else is known here, no login is needed."
            : "."}
        </p>
        <p className="text-text2">You may: {me.rights.join(", ")}.</p>
        {me.how === "session" ? <Button onClick={() => void leave()}>Log out</Button> : null}
      </div>
    </Card>
  );
}
