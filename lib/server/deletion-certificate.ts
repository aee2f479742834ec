import 'server-only'
import canonicalize from 'canonicalize'
import { desc, inArray, sql } from 'drizzle-orm'
import { partsOf } from '@/lib/domain/deletion-grounds'
import { keptAfter, unknownAfter } from '@/lib/domain/deletion-words'
import type { DeletionCertificate, Purged } from '@/lib/operations/deletion'
import type { Action } from './actions/book'
import { attemptsOf } from './actions/settle'
import type { Deletion } from './deletions'
import { pseudonym } from './pseudonym'
import { accountText } from './scoped-account'
import { sha256 } from './sha256'
import { audit, people } from './store/schema'
import type { Db } from './store/store'

/** The hash of a certificate: SHA-256 over its canonical JSON (RFC 8785), in hex. */
export const certificateHash = (certificate: DeletionCertificate): string => sha256(canonicalize(certificate) ?? '')

/** What stands for the customer in the certificate: a keyed hash, which only who knows the id and the desk's secret can make again. */
export const subjectOf = ({ environment, customerId }: Pick<Deletion, 'environment' | 'customerId'>): string =>
  pseudonym(`deletion/${environment}/customers/${customerId}`)

/** The link of the chain that says the deletion happened. */
async function linkOf(tx: Db, actionId: string): Promise<DeletionCertificate['audit']> {
  const says = sql`${audit.body}::jsonb ->> 'action' = ${actionId} and ${audit.body}::jsonb ->> 'code' in ('customers.delete.applied', 'customers.delete.decided')`
  const [link] = await tx.select({ seq: audit.seq, hash: audit.hash }).from(audit).where(says).orderBy(desc(audit.seq)).limit(1)
  if (!link) throw new Error('the audit chain does not say that the deletion happened')
  return { seq: Number(link.seq), hash: link.hash }
}

async function namesOf(tx: Db, ids: readonly string[]): Promise<(id: string) => { id: string; name: string }> {
  const rows = await tx
    .select({ id: people.id, name: people.name })
    .from(people)
    .where(inArray(people.id, [...ids]))
  return (id) => ({ id, name: rows.find((row) => row.id === id)?.name ?? '' })
}

function proofOf(action: Action): DeletionCertificate['provider']['proof'] {
  if (action.decision) return 'decided by a person'
  return action.replayed ? 'replayed answer' : 'answer'
}

/** Makes the certificate of a deletion that was carried out and purged, inside the transaction that keeps it. */
export async function certify(tx: Db, deletion: Deletion, action: Action, purged: Purged): Promise<DeletionCertificate> {
  const [[clock], attempts, nameOf, link] = await Promise.all([
    tx.select({ now: sql<string>`to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')` }).from(people).limit(1),
    attemptsOf(tx, action.id),
    namesOf(tx, [deletion.requestedBy, action.actorId]),
    linkOf(tx, action.id),
  ])
  const sent = attempts[0]?.startedAt ?? action.createdAt
  return {
    format: 'paydesk-deletion-1',
    id: deletion.id,
    environment: deletion.environment,
    account: accountText(deletion.accountId),
    subject: subjectOf(deletion),
    ground: {
      ...partsOf(deletion.ground),
      identity_check: deletion.identityCheck,
      ticket: deletion.ticket,
      due_on: deletion.dueOn,
    },
    scope:
      'The customer at the payments service, with its identity data, review and bank account links; and all that Paydesk held of the person.',
    times: {
      requested: deletion.createdAt.toISOString(),
      sent: sent.toISOString(),
      confirmed: (action.settledAt ?? action.createdAt).toISOString(),
      purged: clock?.now ?? new Date().toISOString(),
    },
    people: { requested: nameOf(deletion.requestedBy), executed: nameOf(action.actorId) },
    provider: {
      operation: action.operation,
      action: action.id,
      idempotency_key: action.idempotencyKey,
      proof: proofOf(action),
      attempts: attempts.map((attempt) => ({
        request_id: attempt.requestId,
        api_request_id: attempt.apiRequestId,
        status: attempt.status,
        at: attempt.startedAt.toISOString(),
      })),
    },
    impact: (deletion.impact as DeletionCertificate['impact']) ?? null,
    purged,
    stays: [...keptAfter],
    unknown: [...unknownAfter],
    audit: link,
  }
}
