import 'server-only'
import { formatRoles } from '@/lib/domain/permissions'
import { AppError } from '@/lib/errors'
import { evidenceRoles } from '@/lib/operations/define'
import type { NoteView, ResourceWithNotes } from '@/lib/operations/notes'
import { appendAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import { getRolesIn, requireScope } from '@/lib/server/auth/scoped-account'
import { readTargetFromService } from '@/lib/server/http/compare'
import type { DeskCall, DeskOperationHandlers } from '@/lib/server/http/desk-call'
import { lookUpOwner, type StoredOwner } from '@/lib/server/mirror/object-accounts'
import {
  addNote,
  listNotes,
  type NoteWithNames,
  requireNoteQuota,
  withdrawNote,
} from '@/lib/server/notes/notes'
import { sha256 } from '@/lib/server/store/hashes'
import { getDatabase } from '@/lib/server/store/store'
import { exportEvidence } from './evidence'

type NoteOperationId = 'notes.list' | 'notes.create' | 'notes.withdraw' | 'notes.evidence'
type NoteCall = Pick<DeskCall<NoteOperationId>, 'actor' | 'environment' | 'about'> & {
  input: { resource: ResourceWithNotes; record: string }
}
type RecordAccess = StoredOwner & { target: string; mayWrite: boolean; isAdmin: boolean }

/** Throws `not_found` if the owner is unknown, or if the person has no role in it. */
async function findRecordAccess({
  actor,
  environment,
  about,
  input: { resource, record },
}: NoteCall): Promise<RecordAccess> {
  const target = `${resource}/${record}`
  const owner: StoredOwner | null =
    resource === 'accounts' ? { accountId: record } : await lookUpOwner(environment, target)
  const roles = owner ? getRolesIn(actor.grants, environment, owner.accountId) : []
  if (!owner || roles.length === 0) throw new AppError('not_found', 'There is no such record')
  about({ account: owner.accountId, target })
  return {
    target,
    ...owner,
    mayWrite: evidenceRoles.some((role) => roles.includes(role)),
    isAdmin: roles.includes('admin'),
  }
}

async function requireWriteAccess(call: NoteCall): Promise<RecordAccess> {
  const recordAccess = await findRecordAccess(call)
  // This read checks that the account exists: a role for the whole platform matches any account id.
  if (call.input.resource === 'accounts')
    await readTargetFromService(
      recordAccess.target,
      requireScope(call.actor, call.environment, recordAccess.accountId),
    )
  if (!recordAccess.mayWrite)
    throw new AppError('forbidden', `Only ${formatRoles(evidenceRoles)} can write notes.`)
  return recordAccess
}

function toNoteView(
  { note, author, withdrawer, text, isFresh }: NoteWithNames,
  { actor }: Pick<NoteCall, 'actor'>,
  { mayWrite, isAdmin }: RecordAccess,
): NoteView {
  const isAuthor = note.authorId === actor.id
  return {
    id: note.id,
    author,
    own: isAuthor,
    text,
    created_at: note.createdAt.toISOString(),
    withdrawn:
      note.withdrawnAt && withdrawer
        ? { by: withdrawer, at: note.withdrawnAt.toISOString() }
        : null,
    may_withdraw: text !== null && (isAdmin || (mayWrite && isAuthor && isFresh)),
  }
}

async function listNoteViews(call: NoteCall, checkedAccess: RecordAccess): Promise<NoteView[]> {
  const foundNotes = await listNotes(await getDatabase(), call.environment, checkedAccess.target)
  return foundNotes.map((each) => toNoteView(each, call, checkedAccess))
}

async function createNote(
  call: DeskCall<'notes.create'>,
  checkedAccess: RecordAccess,
): Promise<void> {
  const { actor, environment, input } = call
  const { target, accountId } = checkedAccess
  const db = await getDatabase()
  await db.transaction(async (tx) => {
    await requireNoteQuota(tx, { id: input.note, authorId: actor.id })
    const isAdded = await addNote(tx, {
      id: input.note,
      environment,
      accountId,
      target,
      authorId: actor.id,
      text: input.text,
    })
    if (isAdded)
      await appendAudit(tx, {
        code: 'notes.create.applied',
        ...toActorFields(actor),
        environment,
        account: accountId,
        target,
        body_sha256: sha256(input.text),
      })
  })
}

async function withdrawVisibleNote(
  call: DeskCall<'notes.withdraw'>,
  checkedAccess: RecordAccess,
): Promise<void> {
  const { actor, environment, input } = call
  const { target, accountId } = checkedAccess
  const note = (await listNoteViews(call, checkedAccess)).find(({ id }) => id === input.note)
  if (!note) throw new AppError('not_found', 'There is no such note')
  if (note.text === null) return
  if (!note.may_withdraw)
    throw new AppError(
      'forbidden',
      'Its author can withdraw a note for 15 minutes, and an admin at any time.',
    )
  const db = await getDatabase()
  await db.transaction(async (tx) => {
    if (await withdrawNote(tx, note.id, actor.id))
      await appendAudit(tx, {
        code: 'notes.withdraw.applied',
        ...toActorFields(actor),
        environment,
        account: accountId,
        target,
        body_sha256: sha256(note.text ?? ''),
      })
  })
}

export const noteHandlers: DeskOperationHandlers<NoteOperationId> = {
  'notes.list': async (call) => ({ data: await listNoteViews(call, await findRecordAccess(call)) }),
  'notes.create': async (call) => {
    const recordAccess = await requireWriteAccess(call)
    await createNote(call, recordAccess)
    return { data: await listNoteViews(call, recordAccess) }
  },
  'notes.withdraw': async (call) => {
    const recordAccess = await requireWriteAccess(call)
    await withdrawVisibleNote(call, recordAccess)
    return { data: await listNoteViews(call, recordAccess) }
  },
  'notes.evidence': async (call) => {
    const { target, accountId } = await requireWriteAccess(call)
    return exportEvidence({
      actor: call.actor,
      environment: call.environment,
      target,
      account: accountId,
      requestId: call.requestId,
    })
  },
}
