/** One line of what a deletion does or leaves; `id` is stable and stands in the certificate. */
export type DeletionLine = { id: string; text: string }

/** What the service and the desk cannot see from here, so nobody may claim it is gone. */
export const unknownAfter: readonly DeletionLine[] = [
  { id: 'provider_logs', text: 'Logs and backups of the provider, and what its own retention keeps.' },
  { id: 'provider_webhooks', text: 'Events the provider delivered earlier to other systems of ours.' },
  { id: 'banks', text: 'Records of the banks and networks a payment went through.' },
  { id: 'documents', text: 'Documents uploaded outside Paydesk: the search of the service does not list them.' },
  { id: 'messages', text: 'E-mails, chats and tickets in which somebody wrote about the customer.' },
  { id: 'exports', text: 'Exports and screenshots that were made earlier.' },
  { id: 'backups', text: 'Backups of Paydesk’s own store; after a restore the deletion has to be repeated.' },
]

/** What stays, and why. */
export const keptAfter: readonly DeletionLine[] = [
  {
    id: 'provider_payments',
    text: 'Payments stay with the provider, without name and contact data: the law demands records of moved money.',
  },
  { id: 'audit', text: 'The audit trail: who did what and when, by ids and hashes, so that it can still be verified.' },
  {
    id: 'actions',
    text: 'The skeleton of each action: operation, time, person, key, request ids, reason code. Bodies, answers and sentences go.',
  },
  { id: 'request_log', text: 'The request log for 90 days: operation, time, status, ids.' },
  { id: 'reveals', text: 'Who revealed masked data and when, without the data.' },
  { id: 'certificate', text: 'This request and its certificate, which name nobody.' },
]
