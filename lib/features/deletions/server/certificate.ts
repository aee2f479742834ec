import 'server-only'
import canonicalize from 'canonicalize'
import { desc, inArray, sql } from 'drizzle-orm'
import {
  retainedDataLines,
  splitGroundCodes,
  uncheckableDataLines,
} from '@/lib/features/deletions/labels'
import type { DeletionCertificate, PurgedCounts } from '@/lib/operations/deletion'
import type { Action } from '@/lib/server/actions/action-log'
import { listAttempts } from '@/lib/server/actions/complete-action'
import { formatAccountId } from '@/lib/server/auth/scoped-account'
import { sha256, toPseudonym } from '@/lib/server/store/hashes'
import { audit } from '@/lib/server/store/schema/audit'
import { people } from '@/lib/server/store/schema/people'
import type { Db } from '@/lib/server/store/store'
import type { Deletion } from './deletions'

/** SHA-256 over the canonical JSON (RFC 8785), in hex. */
export const hashCertificate = (certificate: DeletionCertificate): string =>
  sha256(canonicalize(certificate) ?? '')

/** A keyed hash: computing it again takes the customer's id and Paydesk's secret. */
export const toSubjectPseudonym = ({
  environment,
  customerId,
}: Pick<Deletion, 'environment' | 'customerId'>): string =>
  toPseudonym(`deletion/${environment}/customers/${customerId}`)

/** Throws if no audit row records the deletion. */
async function findAuditPosition(tx: Db, actionId: string): Promise<DeletionCertificate['audit']> {
  const auditCondition = sql`${audit.body}::jsonb ->> 'action' = ${actionId} and ${audit.body}::jsonb ->> 'code' in ('customers.delete.applied', 'customers.delete.decided')`
  const [link] = await tx
    .select({ seq: audit.seq, hash: audit.hash })
    .from(audit)
    .where(auditCondition)
    .orderBy(desc(audit.seq))
    .limit(1)
  if (!link) throw new Error('the audit chain does not say that the deletion happened')
  return { seq: Number(link.seq), hash: link.hash }
}

async function loadPersonLookup(
  tx: Db,
  ids: readonly string[],
): Promise<(id: string) => { id: string; name: string }> {
  const peopleRows = await tx
    .select({ id: people.id, name: people.name })
    .from(people)
    .where(inArray(people.id, [...ids]))
  return (id) => ({ id, name: peopleRows.find((row) => row.id === id)?.name ?? '' })
}

function getConfirmationSource(action: Action): DeletionCertificate['provider']['proof'] {
  if (action.decision) return 'decided by a person'
  return action.replayed ? 'replayed answer' : 'answer'
}

/** The approver, or the requester if no approval was needed. */
export const getExecutorId = ({ actorId, approval }: Action): string => approval?.by ?? actorId

/**
 * Creates the certificate of a deletion that was carried out and purged. `tx` also stores the
 * certificate.
 */
export async function createCertificate(
  tx: Db,
  deletion: Deletion,
  action: Action,
  purged: PurgedCounts,
): Promise<DeletionCertificate> {
  const nowSql = sql<string>`to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  const [clockRow] = await tx.select({ now: nowSql }).from(people).limit(1)
  const attempts = await listAttempts(tx, action.id)
  const getPerson = await loadPersonLookup(tx, [deletion.requestedBy, getExecutorId(action)])
  const auditPosition = await findAuditPosition(tx, action.id)
  const sentAt = attempts[0]?.startedAt ?? action.createdAt
  return {
    format: 'paydesk-deletion-1',
    id: deletion.id,
    environment: deletion.environment,
    account: formatAccountId(deletion.accountId),
    subject: toSubjectPseudonym(deletion),
    ground: {
      ...splitGroundCodes(deletion.ground),
      identity_check: deletion.identityCheck,
      ticket: deletion.ticket,
      due_on: deletion.dueOn,
    },
    scope:
      'The customer at the payments service, with its identity data, review and bank account links, and all data Paydesk held about the person.',
    times: {
      requested: deletion.createdAt.toISOString(),
      sent: sentAt.toISOString(),
      confirmed: (action.settledAt ?? action.createdAt).toISOString(),
      purged: clockRow?.now ?? new Date().toISOString(),
    },
    people: {
      requested: getPerson(deletion.requestedBy),
      executed: getPerson(getExecutorId(action)),
    },
    provider: {
      operation: action.operation,
      action: action.id,
      idempotency_key: action.idempotencyKey,
      proof: getConfirmationSource(action),
      attempts: attempts.map((attempt) => ({
        request_id: attempt.requestId,
        api_request_id: attempt.apiRequestId,
        status: attempt.status,
        at: attempt.startedAt.toISOString(),
      })),
    },
    impact: (deletion.impact as DeletionCertificate['impact']) ?? null,
    purged,
    stays: [...retainedDataLines],
    unknown: [...uncheckableDataLines],
    audit: auditPosition,
  }
}
