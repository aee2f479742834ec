import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import { z } from 'zod'
import { accountConfigurationSchema, accountStatuses } from '@/sandbox/accounts/account'
import { moveAccount } from '@/sandbox/accounts/account-machine'
import {
  type AccountReason,
  accountReasons,
  reasonsByStatus,
  verificationReasons,
} from '@/sandbox/accounts/verification'
import { moveCapabilityRequest } from '@/sandbox/capability-requests/capability-request-machine'
import { capabilityRequestStatuses } from '@/sandbox/capability-requests/capability-request-store'
import { requireFound } from '@/sandbox/http/problem'
import { moveLinkedBankAccount } from '@/sandbox/linked-bank-accounts/linked-bank-account-machine'
import { moveRepresentative } from '@/sandbox/representatives/representative-machine'
import type { Sandbox } from '@/sandbox/sandbox'
import { readControlBody, refuseWhileSeeding } from './read-control'

const decidableAccountStatuses = accountStatuses.filter((status) => status !== 'created')
const complianceDecisionFields = { id: z.uuid(), message: z.string().min(1).max(500).optional() }

const complianceDecisionSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('account'),
      ...complianceDecisionFields,
      status: z.enum(decidableAccountStatuses),
      reason: z.enum(accountReasons).optional(),
    }),
    ...(['representative', 'linked_bank_account'] as const).map((kind) =>
      z.strictObject({
        kind: z.literal(kind),
        ...complianceDecisionFields,
        status: z.enum(decidableAccountStatuses),
        reason: z.enum(verificationReasons).optional(),
      }),
    ),
    z.strictObject({
      kind: z.literal('capability_request'),
      id: complianceDecisionFields.id,
      status: z.enum(capabilityRequestStatuses).exclude(['in_review']),
    }),
  ])
  .refine(
    (body) =>
      !('reason' in body) ||
      body.reason === undefined ||
      isReasonAllowedForStatus(body.status, body.reason),
    {
      message: 'is no reason of that status',
      path: ['reason'],
    },
  )

const isReasonAllowedForStatus = (
  status: (typeof decidableAccountStatuses)[number],
  reason: AccountReason,
): boolean => reasonsByStatus[status].some((known) => known === reason)

const accountConfigurationBodySchema = z.strictObject({
  account_id: z.uuid(),
  ...accountConfigurationSchema.partial().shape,
})

const complianceMoveByStatus = {
  onboarding: 'review',
  active: 'verify',
  rejected: 'reject',
  inactive: 'deactivate',
} as const
const capabilityRequestMoveByStatus = {
  reviewing: 'review',
  approved: 'approve',
  active: 'activate',
  inactive: 'deactivate',
  rejected: 'reject',
} as const

function applyComplianceDecision(
  sandbox: Sandbox,
  decision: z.infer<typeof complianceDecisionSchema>,
  now: number,
): unknown {
  const { accounts, representatives, linkedBankAccounts, capabilityRequests } = sandbox
  const { id } = decision
  switch (decision.kind) {
    case 'account':
      return moveAccount(
        sandbox,
        requireFound(accounts.get(id), 'account'),
        complianceMoveByStatus[decision.status],
        now,
        decision,
      ).doc
    case 'representative':
      return moveRepresentative(
        sandbox,
        requireFound(representatives.get(id), 'representative'),
        complianceMoveByStatus[decision.status],
        now,
        decision,
      ).doc
    case 'linked_bank_account': {
      const entry = requireFound(linkedBankAccounts.get(id), 'linked bank account')
      return moveLinkedBankAccount(
        sandbox,
        entry,
        complianceMoveByStatus[decision.status],
        now,
        decision,
      ).doc
    }
    case 'capability_request': {
      const entry = requireFound(capabilityRequests.get(id), 'capability request')
      moveCapabilityRequest(sandbox, entry, capabilityRequestMoveByStatus[decision.status], now)
      return entry.doc
    }
  }
}

/** Actions of the provider's staff that the API does not offer. */
export function addComplianceRoutes(app: Hono<{ Bindings: HttpBindings }>, sandbox: Sandbox): void {
  app.post('/compliance', async (context) => {
    const decision = await readControlBody(context, complianceDecisionSchema)
    refuseWhileSeeding(sandbox)
    return context.json(
      sandbox.store.transaction(() =>
        applyComplianceDecision(sandbox, decision, sandbox.clock.now()),
      ),
    )
  })
  app.post('/configuration', async (context) => {
    const { account_id, ...switches } = await readControlBody(
      context,
      accountConfigurationBodySchema,
    )
    refuseWhileSeeding(sandbox)
    const entry = requireFound(sandbox.accounts.get(account_id), 'account')
    Object.assign(entry.secret.configuration, switches)
    sandbox.store.transaction(() => sandbox.accounts.save(entry))
    return context.json(entry.secret.configuration)
  })
}
