/** Where a conversation is open: on the record of one of its contacts. */
export const threadPath = (workspaceId: string, entityId: string, thread: string): string =>
  `/${workspaceId}/accounts/${entityId}?tab=mail&thread=${thread}`;
