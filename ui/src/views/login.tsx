import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState, type FormEvent } from "react";
import { logIn } from "../api/access.ts";
import { Problem } from "../api/request.ts";
import { Button } from "../components/button.tsx";
import { Field, Input } from "../components/field.tsx";
import { Card, useTitle } from "../components/page.tsx";

export function Login() {
  useTitle("Log in");
  const { to = "/" } = useSearch({ from: "/login" });
  const client = useQueryClient();
  const navigate = useNavigate();
  const [user, setUser] = useState("");
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      await logIn(user, password);
      // Nothing of what somebody else has seen, or was refused, is kept.
      await client.cancelQueries();
      client.clear();
      // Only to a page of ours.
      await navigate({ href: to.startsWith("/") && !to.startsWith("//") ? to : "/", replace: true });
    } catch (error) {
      setProblem(error instanceof Problem ? [error.message, error.hint].filter(Boolean).join(" ") : String(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <main id="main" data-page="login" className="flex min-h-dvh items-center justify-center p-4">
      <Card className="w-full max-w-sm">
        <form className="flex flex-col gap-4 p-6" onSubmit={(event) => void send(event)}>
          <h1 className="flex items-center gap-2">
            <img src="/favicon.svg" alt="" width={20} height={20} /> Log in to Stepwell
          </h1>
          <Field label="User">
            {(given) => (
              <Input
                {...given}
                name="user"
                autoComplete="username"
                required
                value={user}
                onChange={({ target }) => setUser(target.value)}
              />
            )}
          </Field>
          <Field label="Password" problem={problem}>
            {(given) => (
              <Input
                {...given}
                name="password"
                type="password"
                autoComplete="current-password"
                required
                value={password}
                onChange={({ target }) => setPassword(target.value)}
              />
            )}
          </Field>
          <Button look="primary" type="submit" isBusy={isBusy}>
            Log in
          </Button>
        </form>
      </Card>
    </main>
  );
}
