import 'server-only'
import { and, desc, eq, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { defaultPolicy, type StoredPolicy, upgradePolicy } from '@/lib/domain/policies'
import { AppError } from '@/lib/errors'
import type { PoliciesView, Policy, PolicyVersion } from '@/lib/operations/policies'
import { appendAudit } from '@/lib/server/audit/chain'
import { toActorFields } from '@/lib/server/audit/client'
import type { Actor } from '@/lib/server/auth/session-rows'
import type { DeskOperationHandlers } from '@/lib/server/http/desk-call'
import { sha256 } from '@/lib/server/store/hashes'
import { policies } from '@/lib/server/store/schema/approvals'
import { people } from '@/lib/server/store/schema/people'
import { type Db, getDatabase } from '@/lib/server/store/store'
import { previewPolicy } from './preview'

const defaultPolicyVersion: PolicyVersion = {
  version: 0,
  state: 'active',
  policy: defaultPolicy,
  proposed_by: null,
  own: false,
  proposed_at: null,
  decided_by: null,
  decided_at: null,
  reason: null,
}

const deciders = alias(people, 'policy_deciders')
const maxEarlierVersions = 50

async function listPolicyVersions(db: Db, readerId: string): Promise<PolicyVersion[]> {
  const versionRows = await db
    .select({ row: policies, proposer: people.name, decider: deciders.name })
    .from(policies)
    .innerJoin(people, eq(people.id, policies.proposedBy))
    .leftJoin(deciders, eq(deciders.id, policies.decidedBy))
    .orderBy(desc(policies.version))
    .limit(maxEarlierVersions)
  return versionRows.map(({ row, proposer, decider }) => ({
    version: row.version,
    state: row.state,
    policy: upgradePolicy(row.policy),
    proposed_by: proposer,
    own: row.proposedBy === readerId,
    proposed_at: row.proposedAt.toISOString(),
    decided_by: decider,
    decided_at: row.decidedAt?.toISOString() ?? null,
    reason: row.reason,
  }))
}

export async function loadPoliciesView(actor: Actor): Promise<PoliciesView> {
  const versions = await listPolicyVersions(await getDatabase(), actor.id)
  const proposedVersion = versions.find(({ state }) => state === 'proposed') ?? null
  const activeVersion = versions.find(({ state }) => state === 'active') ?? defaultPolicyVersion
  const earlierVersions = versions.filter(
    ({ version }) => version !== activeVersion.version && version !== proposedVersion?.version,
  )
  return {
    active: activeVersion,
    proposed: proposedVersion,
    earlier: earlierVersions,
    disabled_reason: proposedVersion?.own
      ? 'You proposed this: another admin must put it in force.'
      : null,
  }
}

const createPolicyAuditEntry = (
  code: 'policies.propose.applied' | 'policies.confirm.applied' | 'policies.reject.applied',
  actor: Actor,
  version: number,
  policy: StoredPolicy,
) => ({
  code,
  ...toActorFields(actor),
  policy: version,
  body_sha256: sha256(JSON.stringify(policy)),
})

const createPolicyChangedError = () =>
  new AppError(
    'changed',
    'The approval policy changed meanwhile. Nothing was saved: refresh and review',
  )

type PolicyProposal = { based_on: number; policy: Policy; reason: string }

/** Throws `changed` if another proposal waits, or if `based_on` is not the version in force. */
async function proposePolicy(
  actor: Actor,
  { based_on, policy, reason }: PolicyProposal,
): Promise<void> {
  const db = await getDatabase()
  await db.transaction(async (tx) => {
    // The lock stops concurrent proposals. Otherwise two requests could read the same newest
    // version, or the version in force could change before the insert.
    await tx.execute(sql`lock table ${policies} in share row exclusive mode`)
    const [newest] = await tx
      .select({ version: policies.version })
      .from(policies)
      .orderBy(desc(policies.version))
      .limit(1)
    const [active] = await tx
      .select({ version: policies.version })
      .from(policies)
      .where(eq(policies.state, 'active'))
    if ((active?.version ?? 0) !== based_on) throw createPolicyChangedError()
    const nextVersion = (newest?.version ?? 0) + 1
    const insertedRows = await tx
      .insert(policies)
      .values({ version: nextVersion, state: 'proposed', policy, proposedBy: actor.id, reason })
      .onConflictDoNothing()
      .returning({ version: policies.version })
    if (insertedRows.length === 0)
      throw new AppError(
        'changed',
        'Another proposal waits for an admin. Nothing was saved: decide that one first',
      )
    await appendAudit(
      tx,
      createPolicyAuditEntry('policies.propose.applied', actor, nextVersion, policy),
    )
  })
}

/** Throws `forbidden` for the proposer, and `changed` if the proposal no longer waits. */
async function confirmPolicy(actor: Actor, version: number): Promise<void> {
  const db = await getDatabase()
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${policies} in share row exclusive mode`)
    const [row] = await tx
      .select()
      .from(policies)
      .where(and(eq(policies.version, version), eq(policies.state, 'proposed')))
    if (!row) throw createPolicyChangedError()
    if (row.proposedBy === actor.id)
      throw new AppError(
        'forbidden',
        'You proposed this policy: another admin must put it in force.',
      )
    await tx.update(policies).set({ state: 'replaced' }).where(eq(policies.state, 'active'))
    await tx
      .update(policies)
      .set({ state: 'active', decidedBy: actor.id, decidedAt: sql`now()` })
      .where(eq(policies.version, version))
    await appendAudit(
      tx,
      createPolicyAuditEntry('policies.confirm.applied', actor, version, row.policy),
    )
  })
}

/**
 * Withdraws the proposal if the actor made it, otherwise rejects it. Throws `changed` if the
 * proposal no longer waits.
 */
async function rejectPolicy(actor: Actor, version: number): Promise<void> {
  const db = await getDatabase()
  await db.transaction(async (tx) => {
    const endStateSql = sql`case when ${policies.proposedBy} = ${actor.id} then 'withdrawn' else 'rejected' end`
    const [row] = await tx
      .update(policies)
      .set({ state: endStateSql, decidedBy: actor.id, decidedAt: sql`now()` })
      .where(and(eq(policies.version, version), eq(policies.state, 'proposed')))
      .returning()
    if (!row) throw createPolicyChangedError()
    await appendAudit(
      tx,
      createPolicyAuditEntry('policies.reject.applied', actor, version, row.policy),
    )
  })
}

/** A second admin must confirm a proposal. */
export const policyHandlers: DeskOperationHandlers<
  'policies.read' | 'policies.preview' | 'policies.propose' | 'policies.confirm' | 'policies.reject'
> = {
  'policies.read': async ({ actor }) => ({ data: await loadPoliciesView(actor) }),
  'policies.preview': async ({ environment, input }) => ({
    data: await previewPolicy(environment, input.policy),
  }),
  'policies.propose': async ({ actor, input }) => {
    await proposePolicy(actor, input)
    return { data: await loadPoliciesView(actor) }
  },
  'policies.confirm': async ({ actor, input }) => {
    await confirmPolicy(actor, Number(input.version))
    return { data: await loadPoliciesView(actor) }
  },
  'policies.reject': async ({ actor, input }) => {
    await rejectPolicy(actor, Number(input.version))
    return { data: await loadPoliciesView(actor) }
  },
}
