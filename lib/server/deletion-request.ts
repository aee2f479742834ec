import 'server-only'
import { and, eq } from 'drizzle-orm'
import { groundOf } from '@/lib/domain/deletion-grounds'
import { rolesText } from '@/lib/domain/permissions'
import { AppError } from '@/lib/errors'
import { type Environment, provers } from '@/lib/operations/define'
import { type DeletionRequest, deletionRequest } from '@/lib/operations/deletion.schema'
import { type AuditEntry, appendAudit } from './audit/chain'
import { doneBy } from './audit/client'
import type { AuditCode } from './audit/codes'
import { type Deletion, openDeletion } from './deletions'
import { environmentOf } from './guard'
import { readService } from './proxy/service-read'
import { parseAccount, type ScopedAccount, scopeOf } from './scoped-account'
import type { Actor } from './session-rows'
import { deletions } from './store/desk-schema'
import { database } from './store/store'

/** Reads a request. Throws `invalid_input` naming every field and its fix. */
export function readRequest(fields: Record<string, unknown>): DeletionRequest {
  const parsed = deletionRequest.safeParse(fields)
  if (parsed.success) return parsed.data
  const items = parsed.error.issues.map((issue) => ({
    reference: issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : issue.path.join('.'),
    detail: issue.code === 'unrecognized_keys' ? 'is not a field of a request; leave it out' : issue.message,
  }))
  throw new AppError('invalid_input', items.map((item) => `${item.reference}: ${item.detail}`).join('; '), { items })
}

type Subject = { environment: Environment; accountId: string; customerId: string }

const entryOf = (code: AuditCode, actor: Actor, { environment, accountId, customerId }: Subject): AuditEntry => ({
  code,
  ...doneBy(actor),
  environment,
  account: accountId,
  target: `customers/${customerId}`,
})

/** The scope of the account, for somebody who may ask for deletions in it. Throws `forbidden`. */
function permitRequest(actor: Actor, subject: Subject): ScopedAccount {
  const held = actor.grants.filter(
    ({ environment, accountId }) => environment === subject.environment && (!accountId || accountId === subject.accountId),
  )
  if (held.some(({ role }) => provers.includes(role))) return scopeOf(actor, subject.environment, subject.accountId)
  throw new AppError('forbidden', `Only ${rolesText(provers)} can ask for a deletion.`)
}

const sameRequest = (row: Deletion, actor: Actor, request: DeletionRequest) =>
  row.requestedBy === actor.id && row.customerId === request.customer_id && row.ground === groundOf(request.asker, request.basis)

/**
 * Writes a request to delete a customer, with its audit row, or finds the row a first click made. The customer must be known in the account. Throws
 * `forbidden`, `service_not_found`, and `changed` where another request about the customer is open.
 */
export async function requestDeletion(actor: Actor, request: DeletionRequest): Promise<string> {
  const environment = environmentOf(request.environment)
  const subject = { environment, accountId: parseAccount(request.account), customerId: request.customer_id }
  const scope = permitRequest(actor, subject)
  await readService('customers.get', { id: request.customer_id }, scope)
  const db = await database()
  return db.transaction(async (tx) => {
    const [made] = await tx
      .insert(deletions)
      .values({
        id: request.id,
        ...subject,
        ground: groundOf(request.asker, request.basis),
        identityCheck: request.identity_check,
        ticket: request.ticket ?? null,
        dueOn: request.due_on ?? null,
        requestedBy: actor.id,
      })
      .onConflictDoNothing()
      .returning({ id: deletions.id })
    if (made) {
      await appendAudit(tx, { ...entryOf('deletions.request.applied', actor, subject), reason_code: request.asker })
      return made.id
    }
    const [known] = await tx.select().from(deletions).where(eq(deletions.id, request.id))
    if (known && sameRequest(known, actor, request)) return known.id
    const open = await openDeletion(tx, environment, request.customer_id)
    if (open) throw new AppError('changed', 'A deletion of this customer was asked for already. Nothing was written: look at that request')
    throw new AppError('key_reused', 'This id belongs to another request already. Nothing was written')
  })
}

/** Takes an open request back, with its audit row. Throws `forbidden`, and `changed` where it is not open any more. */
export async function withdrawDeletion(actor: Actor, row: Deletion): Promise<void> {
  const subject = { environment: row.environment, accountId: row.accountId, customerId: row.customerId }
  permitRequest(actor, subject)
  const db = await database()
  await db.transaction(async (tx) => {
    const [taken] = await tx
      .update(deletions)
      .set({ state: 'withdrawn' })
      .where(and(eq(deletions.id, row.id), eq(deletions.state, 'requested')))
      .returning({ id: deletions.id })
    if (!taken) throw new AppError('changed', 'The request is not open any more. Nothing was changed: look at it as it is now')
    await appendAudit(tx, entryOf('deletions.withdraw.applied', actor, subject))
  })
}
