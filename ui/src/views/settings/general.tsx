import { useQuery } from "@tanstack/react-query";
import { logOut } from "../../api/access.ts";
import { meQuery } from "../../api/queries.ts";
import { systemQuery } from "../../api/system.ts";
import { Button } from "../../components/button.tsx";
import { Field, Select } from "../../components/field.tsx";
import { Card } from "../../components/page.tsx";
import { tellProblem } from "../../components/toasts.tsx";
import { useNow } from "../../components/time.tsx";
import { sayRetention } from "../../model/retention.ts";
import { browserZone, zones } from "../../model/time-format.ts";
import { showAbsolute } from "../../model/time.ts";
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
          <Times />
          {isWelcomed ? <Button onClick={() => prefer("welcome", "open")}>Show the welcome again</Button> : null}
        </div>
      </Card>
      <You />
      <Kept />
    </div>
  );
}

/** In which zone, and how. */
function Times() {
  const zone = usePreference("zone", "");
  const dates = usePreference("dates", "browser");
  const now = useNow(1000);
  return (
    <>
      <Field label="Time zone" help="Also the one in which “tomorrow at 9am” is read where you write it.">
        {(given) => (
          <Select {...given} value={zone} onChange={({ target }) => prefer("zone", target.value)}>
            <option value="">As the browser has it ({browserZone()})</option>
            {zones().map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Dates" help={<span data-testid="time-sample">Now is {showAbsolute(now)}.</span>}>
        {(given) => (
          <Select {...given} value={dates} onChange={({ target }) => prefer("dates", target.value)}>
            <option value="browser">As the browser has them</option>
            <option value="iso">ISO 8601</option>
          </Select>
        )}
      </Field>
    </>
  );
}

/** How long ended runs are there; not for who may not see the service. */
function Kept() {
  const { data: system } = useQuery({ ...systemQuery, refetchInterval: false, retry: false });
  if (system === undefined) return null;
  return (
    <Card title="How long runs are kept">
      <div className="flex flex-col gap-2 p-4" data-testid="retention">
        <p>{sayRetention(system.retention)}</p>
        <p className="text-text2">
          It is set where the server is started: <code>retention</code> in <code>stepwell.config.yaml</code>, or{" "}
          <code className="break-all">STEPWELL_RETENTION_AGE</code>, <code>…_RUNS</code> and <code>…_BYTES</code>. Runs
          that have not ended always stay.
        </p>
      </div>
    </Card>
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
