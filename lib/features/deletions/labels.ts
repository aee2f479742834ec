import type { DecisionReason } from '@/lib/domain/reasons'
import type {
  deletionLegalBases,
  deletionRequesters,
  identityCheckMethods,
} from '@/lib/operations/deletion'

/** `1 call`, `3 calls`. */
export const formatCount = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : plural}`

type LabelsByCode<S extends readonly string[]> = Readonly<Record<S[number], string>>

/** In display order. */
export const requesterLabels: LabelsByCode<typeof deletionRequesters> = {
  DATA_SUBJECT_REQUEST: 'The data subject',
  REGULATOR_ORDER: 'A regulator or a court',
  RETENTION_END: 'No one: the retention period has ended',
}

export const legalBasisLabels: LabelsByCode<typeof deletionLegalBases> = {
  GDPR_17_1_A: 'GDPR Art. 17(1)(a): no longer needed for its purpose',
  GDPR_17_1_B: 'GDPR Art. 17(1)(b): consent withdrawn',
  GDPR_17_1_C: 'GDPR Art. 17(1)(c): the person objects',
  GDPR_17_1_D: 'GDPR Art. 17(1)(d): processed unlawfully',
  GDPR_17_1_E: 'GDPR Art. 17(1)(e): required by law',
  CCPA_1798_105: 'CCPA 1798.105: right to delete',
  STATE_PRIVACY_LAW: 'Another state privacy law',
  COURT_ORDER: 'Court or government order',
  RETENTION_POLICY: 'Our own retention policy',
}

export const identityCheckLabels: LabelsByCode<typeof identityCheckMethods> = {
  SIGNED_IN: 'Requested while signed in to our product',
  KNOWN_CHANNEL: 'Confirmed through a known channel',
  DOCUMENT_SEEN: 'Identity document checked',
  AUTHORITY_CONFIRMED: 'Authority called back, request confirmed',
  NOT_NEEDED: 'Not needed: no requester',
}

export const getCodeLabel = (labels: Readonly<Record<string, string>>, code: string): string =>
  Object.hasOwn(labels, code) ? (labels[code] ?? code) : code

/** Joins the two codes to one text, as the database stores them. */
export const joinGroundCodes = (requesterCode: string, legalBasisCode: string): string =>
  `${requesterCode}/${legalBasisCode}`

export function splitGroundCodes(ground: string): { asker: string; basis: string } {
  const [asker = '', basis = ''] = ground.split('/')
  return { asker, basis }
}

/** `id` must never change, because issued certificates contain it. */
export type DeletionEffectLine = { id: string; text: string }

/** Data whose deletion Paydesk cannot check. A certificate must not state that it is deleted. */
export const uncheckableDataLines: readonly DeletionEffectLine[] = [
  { id: 'provider_logs', text: 'The provider’s logs and backups, and data the provider retains.' },
  { id: 'provider_webhooks', text: 'Events the provider delivered earlier to our other systems.' },
  { id: 'banks', text: 'Records of the banks and networks that processed the payments.' },
  {
    id: 'documents',
    text: 'Documents uploaded outside Paydesk, because the service’s search does not list them.',
  },
  { id: 'messages', text: 'Emails, chats and tickets about the customer.' },
  { id: 'exports', text: 'Earlier exports and screenshots.' },
  {
    id: 'backups',
    text: 'Backups of Paydesk’s own store. After a restore, the deletion must be repeated.',
  },
]

export const retainedDataLines: readonly DeletionEffectLine[] = [
  {
    id: 'provider_payments',
    text: 'Payments stay with the provider, without name and contact data: payment records must be kept by law.',
  },
  {
    id: 'audit',
    text: 'The audit trail: who did what and when, by IDs and hashes, so that the trail remains verifiable.',
  },
  {
    id: 'actions',
    text: 'The basic facts of each action: operation, time, person, key, request IDs, reason code. Bodies, answers and notes are erased.',
  },
  { id: 'request_log', text: 'The request log for 90 days: operation, time, status, IDs.' },
  { id: 'reveals', text: 'Who revealed masked data and when, without the data.' },
  { id: 'certificate', text: 'This request and its certificate, which identify no one.' },
]

/** The action log keeps the code permanently; the sentence is erased with the customer's data. */
export const deletionReasons: readonly DecisionReason[] = [
  {
    code: 'DATA_SUBJECT_REQUEST',
    label: 'Requested by the person',
    template: 'Requested by the person; the request was checked.',
  },
  {
    code: 'REGULATOR_ORDER',
    label: 'Ordered',
    template: 'Ordered by a regulator or a court; the order was checked.',
  },
  {
    code: 'RETENTION_END',
    label: 'Retention period ended',
    template: 'The retention period of the record has ended.',
  },
]

/** The reason follows from the requester of the open request. Without one, all are offered. */
export const listDeletionReasons = (requester: string | undefined): readonly DecisionReason[] =>
  deletionReasons.filter(({ code }) => requester === undefined || code === requester)
