import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Problem } from "./api/request.ts";
import { LiveDesk } from "./live-desk.ts";
import { LiveContext } from "./components/live.tsx";
import { createPageRouter } from "./router.tsx";
import "./styles.css";

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // The stream tells when something has changed.
      staleTime: 15_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => error instanceof Problem && error.status === 0 && count < 2,
    },
  },
});
const live = new LiveDesk(client);
live.open();
const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root.");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <LiveContext value={live}>
        <RouterProvider router={createPageRouter(client)} />
      </LiveContext>
    </QueryClientProvider>
  </StrictMode>,
);
