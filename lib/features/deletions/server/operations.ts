import 'server-only'
import { and, eq } from 'drizzle-orm'
import { formatRoles } from '@/lib/domain/permissions'
import { AppError, createFieldError } from '@/lib/errors'
import { joinGroundCodes } from '@/lib/features/deletions/labels'
import { type Environment, evidenceRoles } from '@/lib/operations/define'
import type { DeletionRequest } from '@/lib/operations/deletion'
import { getOwnerRule } from '@/lib/operations/ownership'
import { type AuditCode, type AuditEntry, appendAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import {
  getRolesIn,
  parseAccountId,
  requireScope,
  type ScopedAccount,
  tryParseAccountId,
} from '@/lib/server/auth/scoped-account'
import type { Actor } from '@/lib/server/auth/session-rows'
import { getIntegration } from '@/lib/server/config/integration'
import type { DeskOperationHandlers } from '@/lib/server/http/desk-call'
import { createFileResponse } from '@/lib/server/http/file-answer'
import { readService } from '@/lib/server/service/service-read'
import { customerDeletions } from '@/lib/server/store/schema/desk'
import { getDatabase } from '@/lib/server/store/store'
import {
  type Deletion,
  findDeletion,
  findOpenDeletion,
  listCustomerDeletions,
  notifyDeletionChanged,
} from './deletions'

type DeletionSubject = Pick<Deletion, 'environment' | 'accountId' | 'customerId'>

const toAuditEntry = (
  code: AuditCode,
  actor: Actor,
  { environment, accountId, customerId }: DeletionSubject,
): AuditEntry => ({
  code,
  ...toActorFields(actor),
  environment,
  account: accountId,
  target: `customers/${customerId}`,
})

/** Throws `forbidden` if the person may not request deletions for the customer's owner. */
function requireDeletionScope(actor: Actor, subject: DeletionSubject): ScopedAccount {
  const ownerRoles = getRolesIn(actor.grants, subject.environment, subject.accountId)
  if (ownerRoles.some((role) => evidenceRoles.includes(role)))
    return requireScope(actor, subject.environment, subject.accountId)
  throw new AppError('forbidden', `Only ${formatRoles(evidenceRoles)} can request a deletion.`)
}

/** Throws `invalid_input` if the account is missing, or named although the platform is the owner. */
function parseCustomerOwner(environment: Environment, account: string | null): string | null {
  const isOfPlatform = getOwnerRule('customers', getIntegration(environment)) === 'platform'
  if (isOfPlatform && account !== null)
    throw createFieldError('account', 'Must be null: the customer belongs to the platform.')
  if (isOfPlatform) return null
  if (account === null) throw createFieldError('account', 'Name the account.')
  return parseAccountId(account)
}

const isSameRequest = (row: Deletion, actor: Actor, request: DeletionRequest) =>
  row.requestedBy === actor.id &&
  row.customerId === request.customer_id &&
  row.ground === joinGroundCodes(request.asker, request.basis)

/**
 * Stores a repeated request only once. Throws `forbidden`, `service_not_found` for an unknown
 * customer, `changed` if another request is open, and `key_reused` if the id belongs to another
 * request.
 */
async function requestDeletion(
  actor: Actor,
  environment: Environment,
  request: DeletionRequest,
): Promise<string> {
  const deletionSubject = {
    environment,
    accountId: parseCustomerOwner(environment, request.account),
    customerId: request.customer_id,
  }
  const scope = requireDeletionScope(actor, deletionSubject)
  await readService('customers.get', { id: request.customer_id }, scope)
  const db = await getDatabase()
  return db.transaction(async (tx) => {
    const [made] = await tx
      .insert(customerDeletions)
      .values({
        id: request.id,
        ...deletionSubject,
        ground: joinGroundCodes(request.asker, request.basis),
        identityCheck: request.identity_check,
        ticket: request.ticket ?? null,
        dueOn: request.due_on ?? null,
        requestedBy: actor.id,
      })
      .onConflictDoNothing()
      .returning({ id: customerDeletions.id })
    if (made) {
      await appendAudit(tx, {
        ...toAuditEntry('deletions.request.applied', actor, deletionSubject),
        reason_code: request.asker,
      })
      await notifyDeletionChanged(tx, { ...deletionSubject, id: made.id })
      return made.id
    }
    const [known] = await tx
      .select()
      .from(customerDeletions)
      .where(eq(customerDeletions.id, request.id))
    if (known && isSameRequest(known, actor, request)) return known.id
    const openDeletion = await findOpenDeletion(tx, environment, request.customer_id)
    if (openDeletion)
      throw new AppError(
        'changed',
        'A deletion of this customer was requested already. Nothing was saved: look at that request',
      )
    throw new AppError(
      'key_reused',
      'This ID belongs to another request already. Nothing was saved',
    )
  })
}

/** Throws `forbidden`, and `changed` if the request is no longer open. */
async function withdrawDeletion(actor: Actor, row: Deletion): Promise<void> {
  const withdrawnDeletionSubject = {
    environment: row.environment,
    accountId: row.accountId,
    customerId: row.customerId,
  }
  requireDeletionScope(actor, withdrawnDeletionSubject)
  const db = await getDatabase()
  await db.transaction(async (tx) => {
    const [taken] = await tx
      .update(customerDeletions)
      .set({ state: 'withdrawn' })
      .where(and(eq(customerDeletions.id, row.id), eq(customerDeletions.state, 'requested')))
      .returning({ id: customerDeletions.id })
    if (!taken)
      throw new AppError(
        'changed',
        'The request is no longer open. Nothing was changed: refresh the request',
      )
    await appendAudit(
      tx,
      toAuditEntry('deletions.withdraw.applied', actor, withdrawnDeletionSubject),
    )
    await notifyDeletionChanged(tx, row)
  })
}

/** Throws `not_found` if the person may not see the request. */
async function findVisibleDeletion(
  id: string,
  { actor, environment }: { actor: Actor; environment: Environment },
) {
  const foundDeletion = await findDeletion(actor, id)
  if (foundDeletion?.deletion.environment !== environment)
    throw new AppError('not_found', 'There is no such request')
  return foundDeletion
}

export const deletionHandlers: DeskOperationHandlers<
  'deletions.list' | 'deletions.request' | 'deletions.withdraw' | 'deletions.certificate'
> = {
  'deletions.list': async ({ actor, environment, input }) => ({
    data: await listCustomerDeletions(actor, environment, input.customer),
  }),
  'deletions.request': async (call) => {
    const { actor, environment, input, about } = call
    about({ account: tryParseAccountId(input.account), target: `customers/${input.customer_id}` })
    const id = await requestDeletion(actor, environment, input)
    return { data: (await findVisibleDeletion(id, call)).view }
  },
  'deletions.withdraw': async (call) => {
    const { deletion } = await findVisibleDeletion(call.input.id, call)
    call.about({ account: deletion.accountId, target: `customers/${deletion.customerId}` })
    await withdrawDeletion(call.actor, deletion)
    return { data: (await findVisibleDeletion(deletion.id, call)).view }
  },
  'deletions.certificate': async (call) => {
    const { certificate, view } = await findVisibleDeletion(call.input.id, call)
    if (!certificate)
      throw new AppError('not_found', 'No certificate was issued: the deletion was not carried out')
    const certificateContent = {
      certificate,
      sha256: view.certificate_hash,
      hashed: 'SHA-256 over the canonical JSON (RFC 8785) of "certificate"',
    }
    const fileName = `deletion-${view.id}.json`
    return createFileResponse(`${JSON.stringify(certificateContent, null, 2)}\n`, {
      name: fileName,
      type: 'application/json; charset=utf-8',
      requestId: call.requestId,
    })
  },
}
