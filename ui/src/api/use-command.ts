import { useQuery } from "@tanstack/react-query";
import { commandOf } from "../model/command.ts";
import { meQuery } from "./queries.ts";

/** A command as one types it where the server was started: `stepwell …`, or in a clone `npm start -- …`. */
export function useCommand(): (words: string) => string {
  const { data } = useQuery(meQuery);
  return (words) => commandOf(words, data?.program);
}
