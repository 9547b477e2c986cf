import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { callOperation } from "#components/api.ts";
import { refetchMs } from "#components/integrations/sources.ts";
import {
  connectCalendar,
  disconnectCalendar,
  listCalendars,
  listServerCalendars,
  syncCalendar,
  testCalendar,
  updateCalendar,
} from "#components/operations/calendars.ts";
import { listMeetings, shareMeeting } from "#components/operations/meetings.ts";
import type * as calendars from "#lib/domain/integrations/calendars/contract.ts";
import type { ShareLevel } from "#lib/domain/knowledge/messages/words.ts";

export type { Calendar } from "#lib/domain/integrations/calendars/contract.ts";
export type { Meeting } from "#lib/domain/knowledge/meetings/contract.ts";
export type CalendarList = z.output<typeof calendars.listCalendars.output>;
export type CalendarTest = z.output<typeof calendars.testCalendar.output>;
export type CalendarLogin = z.input<typeof calendars.testCalendar.input>;

const calendarsKey = (workspaceId: string) => ["integrations", workspaceId, "calendars"];
const meetingsKey = (workspaceId: string) => ["meetings", workspaceId];

/** The reader's calendars; `initial` is what the server rendered. */
export const useCalendars = (workspaceId: string, initial: CalendarList) =>
  useQuery({
    queryKey: calendarsKey(workspaceId),
    queryFn: ({ signal }) => callOperation(listCalendars, workspaceId, {}, { signal }),
    initialData: initial,
    refetchInterval: ({ state }) => refetchMs(state.data?.calendars),
  });

function useRefresh(workspaceId: string): () => void {
  const queries = useQueryClient();
  return () => {
    void queries.invalidateQueries({ queryKey: calendarsKey(workspaceId) });
    void queries.invalidateQueries({ queryKey: meetingsKey(workspaceId) });
  };
}

export const useTestCalendar = (workspaceId: string) =>
  useMutation({ mutationFn: (input: CalendarLogin) => callOperation(testCalendar, workspaceId, input) });

type Connecting = z.input<typeof calendars.connectCalendar.input>;

export const useConnectCalendar = (workspaceId: string) =>
  useMutation({
    mutationFn: (input: Connecting) => callOperation(connectCalendar, workspaceId, input),
    onSettled: useRefresh(workspaceId),
  });

/** The calendars at the server, asked once each time that they are shown: what is there may have changed. */
export const useServerCalendars = (workspaceId: string, id: string) =>
  useQuery({
    queryKey: ["calendars-at-server", workspaceId, id],
    queryFn: ({ signal }) => callOperation(listServerCalendars, workspaceId, { id }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

type Changes = Omit<z.input<typeof calendars.updateCalendar.input>, "id">;

export const useChangeCalendar = (workspaceId: string, id: string) =>
  useMutation({
    mutationFn: (changes: Changes) => callOperation(updateCalendar, workspaceId, { id, ...changes }),
    onSettled: useRefresh(workspaceId),
  });

export const useSyncCalendar = (workspaceId: string, id: string) =>
  useMutation({
    mutationFn: () => callOperation(syncCalendar, workspaceId, { id }),
    onSettled: useRefresh(workspaceId),
  });

export const useDisconnectCalendar = (workspaceId: string, id: string) =>
  useMutation({
    mutationFn: (meetings: "keep" | "remove") => callOperation(disconnectCalendar, workspaceId, { id, meetings }),
    onSettled: useRefresh(workspaceId),
  });

/** The meetings with a person or company, page by page. */
export const useMeetings = (workspaceId: string, id: string) =>
  useInfiniteQuery({
    queryKey: [...meetingsKey(workspaceId), id],
    queryFn: async ({ pageParam, signal }) => {
      const page = await callOperation(
        listMeetings,
        workspaceId,
        { focus: id, ...(pageParam ? { cursor: pageParam } : {}) },
        { signal },
      );
      if ("status" in page) throw new Error("A record's id names one record.");
      return page;
    },
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });

export const useShareMeeting = (workspaceId: string, id: string) =>
  useMutation({
    mutationFn: (share: ShareLevel | null) => callOperation(shareMeeting, workspaceId, { id, share }),
    onSettled: useRefresh(workspaceId),
  });
