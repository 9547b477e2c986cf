import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import { callOperation, callUser } from "#components/api.ts";
import { refetchMs } from "#components/integrations/sources.ts";
import { getLogAddress, renewLogAddress } from "#components/operations/log-addresses.ts";
import {
  connectMailbox,
  disconnectMailbox,
  findMailServer,
  getMailReport,
  listMailboxes,
  listMailFolders,
  startMailSignIn,
  syncMailbox,
  testMailbox,
  updateMailbox,
} from "#components/operations/mailboxes.ts";
import {
  getThread,
  listMessages,
  listThreads,
  previewMailbox,
  previewThread,
  previewThreads,
  shareThread,
} from "#components/operations/messages.ts";
import { getMailShare, shareMailOf } from "#components/operations/sharing.ts";
import { FALLBACK_MS } from "#components/records/refetching.ts";
import type * as logAddresses from "#lib/domain/integrations/log-addresses/contract.ts";
import type * as mailboxes from "#lib/domain/integrations/mailboxes/contract.ts";
import type { MailContacts, MailProvider } from "#lib/domain/integrations/mailboxes/words.ts";
import type * as messages from "#lib/domain/knowledge/messages/contract.ts";
import type { ShareLevel } from "#lib/domain/knowledge/messages/words.ts";

export type { LogAddress } from "#lib/domain/integrations/log-addresses/contract.ts";
export type { Mailbox } from "#lib/domain/integrations/mailboxes/contract.ts";
export type Thread = z.output<typeof messages.Thread>;
export type Message = z.output<typeof messages.Message>;
export type MailReport = z.output<typeof mailboxes.MailReport>;
export type MailboxList = z.output<typeof mailboxes.listMailboxes.output>;
export type MailboxTest = z.output<typeof mailboxes.testMailbox.output>;
export type LogAddressAnswer = z.output<typeof logAddresses.getLogAddress.output>;
export type MailFolders = z.output<typeof mailboxes.listMailFolders.output>["folders"];
export type MailboxLogin = z.input<typeof mailboxes.testMailbox.input>;

/** As many as an operation takes. */
const MOST_MESSAGES = 200;

const mailboxesKey = (workspaceId: string) => ["integrations", workspaceId, "mailboxes"];
/** What mail servers are asked for: once, and not again with each change here. */
const askedKey = (workspaceId: string) => ["mail-servers", workspaceId];
const mailKey = (workspaceId: string) => ["mail", workspaceId];

/** The reader's mailboxes; `initial` is what the server rendered. */
export const useMailboxes = (workspaceId: string, initial: MailboxList) =>
  useQuery({
    queryKey: mailboxesKey(workspaceId),
    queryFn: ({ signal }) => callOperation(listMailboxes, workspaceId, {}, { signal }),
    initialData: initial,
    refetchInterval: ({ state }) => refetchMs(state.data?.mailboxes),
  });

function useRefresh(workspaceId: string): () => void {
  const queries = useQueryClient();
  return () => {
    void queries.invalidateQueries({ queryKey: mailboxesKey(workspaceId) });
    void queries.invalidateQueries({ queryKey: mailKey(workspaceId) });
  };
}

export const useTestMailbox = (workspaceId: string) =>
  useMutation({ mutationFn: (input: MailboxLogin) => callOperation(testMailbox, workspaceId, input) });

type Connecting = z.input<typeof mailboxes.connectMailbox.input>;

export const useConnectMailbox = (workspaceId: string) =>
  useMutation({
    mutationFn: (input: Connecting) => callOperation(connectMailbox, workspaceId, input),
    onSettled: useRefresh(workspaceId),
  });

/** Leaves for the page of the mailbox's provider, which leads back. */
export const useMailSignIn = (workspaceId: string) =>
  useMutation({
    mutationFn: async (input: Omit<z.input<typeof mailboxes.startMailSignIn.input>, "workspace_id">) => {
      const { redirect_to } = await callUser(startMailSignIn, { workspace_id: workspaceId, ...input });
      window.location.assign(redirect_to);
    },
  });

const LOOKS_WHOLE = /^[^@\s]+@[^@\s]+\.[^@\s.]{2,}$/;

/** The provider that signs people in to the mailbox of an address, if this server offers it; null: none, or it is not known yet. */
export function useProviderOf(
  workspaceId: string,
  address: string,
  offered: readonly MailProvider[],
): MailProvider | null {
  const domain = address.toLowerCase().split("@")[1] ?? "";
  const { data } = useQuery({
    queryKey: [...askedKey(workspaceId), domain],
    queryFn: ({ signal }) => callOperation(findMailServer, workspaceId, { address }, { signal }),
    enabled: offered.length > 0 && LOOKS_WHOLE.test(address),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data?.sign_in ?? null;
}

/** The folders at the server of a connected mailbox. */
export const useMailFolders = (workspaceId: string, id: string) =>
  useQuery({
    queryKey: [...askedKey(workspaceId), id],
    queryFn: ({ signal }) => callOperation(listMailFolders, workspaceId, { id }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

type Changes = {
  share?: ShareLevel;
  contacts?: MailContacts;
  folders?: string[];
  blocked?: string[];
  keep_bodies?: boolean;
  password?: string;
  dry_run?: boolean;
};

export const useChangeMailbox = (workspaceId: string, id: string) =>
  useMutation({
    mutationFn: (changes: Changes) => callOperation(updateMailbox, workspaceId, { id, ...changes }),
    onSettled: useRefresh(workspaceId),
  });

export const useSyncMailbox = (workspaceId: string, id: string) =>
  useMutation({
    mutationFn: () => callOperation(syncMailbox, workspaceId, { id }),
    onSettled: useRefresh(workspaceId),
  });

export const useDisconnectMailbox = (workspaceId: string, id: string) =>
  useMutation({
    mutationFn: (kept: "keep" | "remove") => callOperation(disconnectMailbox, workspaceId, { id, messages: kept }),
    onSettled: useRefresh(workspaceId),
  });

export const useMailReport = (workspaceId: string, id: string) =>
  useQuery({
    queryKey: [...mailboxesKey(workspaceId), id, "report"],
    queryFn: ({ signal }) => callOperation(getMailReport, workspaceId, { id }, { signal }),
  });

/** The latest messages of a mailbox, as the others see them. */
export const useMailboxAsTeam = (workspaceId: string, id: string) =>
  useQuery({
    queryKey: [...mailKey(workspaceId), "mailbox", id, "team"],
    queryFn: ({ signal }) => callOperation(previewMailbox, workspaceId, { id }, { signal }),
  });

/** What some messages are about, by their ids: those that the reader may see. */
export const useMessages = (workspaceId: string, ids: readonly string[]) =>
  useQuery({
    queryKey: [...mailKey(workspaceId), "messages", ids],
    queryFn: async ({ signal }) => {
      const { messages } = await callOperation(
        listMessages,
        workspaceId,
        { ids: ids.slice(0, MOST_MESSAGES) },
        { signal },
      );
      return new Map(messages.map((message) => [message.id, message]));
    },
    enabled: ids.length > 0,
    placeholderData: (before) => before,
  });

/** The conversations with a person or company, page by page. `asTeam`: as the others see them. */
export const useThreads = (workspaceId: string, id: string, asTeam: boolean) =>
  useInfiniteQuery({
    queryKey: [...mailKey(workspaceId), id, "threads", asTeam],
    queryFn: async ({ pageParam, signal }) => {
      const page = await callOperation(
        asTeam ? previewThreads : listThreads,
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

/** A conversation; `asTeam`: as the others see it, null where they see nothing of it. */
export const useThread = (workspaceId: string, id: string, asTeam = false) =>
  useQuery<{ thread: Thread | null; messages: Message[] }>({
    queryKey: [...mailKey(workspaceId), "thread", id, asTeam],
    queryFn: ({ signal }) =>
      asTeam
        ? callOperation(previewThread, workspaceId, { id }, { signal })
        : callOperation(getThread, workspaceId, { id }, { signal }),
  });

export const useShareThread = (workspaceId: string, id: string) =>
  useMutation({
    mutationFn: (share: ShareLevel | null) => callOperation(shareThread, workspaceId, { id, share }),
    onSettled: useRefresh(workspaceId),
  });

export const useMailShare = (workspaceId: string, entityId: string) =>
  useQuery({
    queryKey: [...mailKey(workspaceId), entityId, "share"],
    queryFn: ({ signal }) => callOperation(getMailShare, workspaceId, { entity_id: entityId }, { signal }),
  });

export const useShareMailOf = (workspaceId: string, entityId: string) =>
  useMutation({
    mutationFn: (share: ShareLevel | null) => callOperation(shareMailOf, workspaceId, { entity_id: entityId, share }),
    onSettled: useRefresh(workspaceId),
  });

const logAddressKey = (workspaceId: string) => ["integrations", workspaceId, "log-address"];

/** The reader's address for copies; `initial` is what the server rendered. */
export const useLogAddress = (workspaceId: string, initial: LogAddressAnswer) =>
  useQuery({
    queryKey: logAddressKey(workspaceId),
    queryFn: ({ signal }) => callOperation(getLogAddress, workspaceId, {}, { signal }),
    initialData: initial,
    refetchInterval: FALLBACK_MS,
  });

export function useRenewLogAddress(workspaceId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => callOperation(renewLogAddress, workspaceId, {}),
    onSettled: () => queries.invalidateQueries({ queryKey: logAddressKey(workspaceId) }),
  });
}
