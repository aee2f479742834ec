import fc from 'fast-check'
import { beforeAll, expect } from 'vitest'
import { capabilityRequestMachine } from '@/sandbox/capability-requests/capability-request-machine'
import type { capabilityTypes } from '@/sandbox/capability-requests/capability-request-store'
import { testInFullRun } from '@/tests/sandbox/sample'
import { sendDecision } from './decide'
import { ObjectModel } from './object-model'
import { createModelTestData, type ModelTestData, startStoppedClockSandbox } from './open-world'
import { testSequences } from './sequences'
import type { MoveRequest } from './subject'
import { MoveTally } from './tally'

const { client } = startStoppedClockSandbox()
const moveTally = new MoveTally()
let testData: ModelTestData | undefined
beforeAll(async () => {
  testData = await createModelTestData(client())
})

type DecisionStatus = 'reviewing' | 'approved' | 'active' | 'inactive' | 'rejected'
type CapabilityStart = {
  type: (typeof capabilityTypes)[number]
  enable: boolean
  limit: number
  byHeader: boolean
}

const startArbitrary: fc.Arbitrary<CapabilityStart> = fc.record({
  type: fc.constantFrom(
    'charges',
    'payouts',
    'individuals',
    'businesses',
    'signed_agreement',
    'internet',
  ),
  enable: fc.boolean(),
  limit: fc.integer({ min: 1, max: 1_000_000 }),
  byHeader: fc.boolean(),
})

const stepArbitrary: fc.Arbitrary<DecisionStatus | 'repeat'> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom<DecisionStatus>(
      'reviewing',
      'approved',
      'active',
      'inactive',
      'rejected',
    ),
  },
  { weight: 1, arbitrary: fc.constant('repeat' as const) },
)

const moveByDecidedStatus = {
  reviewing: 'review',
  approved: 'approve',
  active: 'activate',
  inactive: 'deactivate',
  rejected: 'reject',
} as const
const groupNameByCapability = {
  ...{ charges: 'payment_types', payouts: 'payment_types', individuals: 'customer_types' },
  ...{ businesses: 'customer_types', signed_agreement: 'consent_types', internet: 'consent_types' },
} as const

type AccountCapabilities = {
  capabilities: Record<string, Record<string, { capability_status: string }>>
  settings: Record<string, { max_amount: number }>
}

async function beginModel(
  { client, account }: ModelTestData,
  { type, enable, limit, byHeader }: CapabilityStart,
): Promise<ObjectModel> {
  const requestBody = {
    [type]: { enable, ...(type === 'charges' || type === 'payouts' ? { max_amount: limit } : {}) },
  }
  const path = `/v1/accounts/${account.id}/capability_requests`
  const pathWithoutAccount = '/v1/accounts/capability_requests'
  const sendCreation: MoveRequest['send'] = (key) =>
    byHeader
      ? client.post(pathWithoutAccount, requestBody, { ...account.headers, ...key })
      : client.post(path, requestBody, key)
  const modelSubject = {
    client,
    table: capabilityRequestMachine,
    path: `${path}?page_size=1000`,
    resource: 'capability_request',
    tally: moveTally,
  }
  return ObjectModel.begin(
    modelSubject,
    `capability_requests.create${byHeader ? '' : '_for_account'}`,
    sendCreation,
  )
}

const readAccountCapabilities = async ({ client, account }: ModelTestData) =>
  (await client.ask(`/v1/accounts/${account.id}`)).json.data as AccountCapabilities

/**
 * Makes a decision and checks the account. Only the first decision that grants the request changes
 * the account.
 */
async function decideCapabilityRequest(
  world: ModelTestData,
  model: ObjectModel,
  { type, enable, limit }: CapabilityStart,
  status: DecisionStatus,
): Promise<void> {
  const accountBefore = await readAccountCapabilities(world)
  // A request with `enable` can only become active, and one without can only become inactive.
  const expectedRefusalPattern =
    status === (enable ? 'inactive' : 'active') ? /can only become/ : undefined
  const stateBefore = model.state
  const sendStatusDecision: MoveRequest['send'] = () =>
    sendDecision(world.client, { kind: 'capability_request', id: model.whole.id, status })
  const moveResult = await model.ask({
    move: moveByDecidedStatus[status],
    send: sendStatusDecision,
    veto: expectedRefusalPattern,
  })
  const accountAfter = await readAccountCapabilities(world)
  if (
    moveResult !== 'moves' ||
    status === 'reviewing' ||
    status === 'rejected' ||
    stateBefore === 'approved'
  )
    return expect(accountAfter).toEqual(accountBefore)
  expect(accountAfter.capabilities[groupNameByCapability[type]]?.[type]?.capability_status).toBe(
    enable ? 'active' : 'inactive',
  )
  expect(accountAfter.settings[type]?.max_amount).toBe(accountAfter.settings[type] && limit)
}

testSequences(
  'capability requests',
  { some: 8, all: 100 },
  { start: startArbitrary, step: stepArbitrary },
  async (overrides, steps) => {
    if (!testData) throw new Error('the world is made before the sequences')
    const model = await beginModel(testData, overrides)
    for (const step of steps) {
      if (step === 'repeat') await model.repeat()
      else await decideCapabilityRequest(testData, model, overrides, step)
    }
    await model.finish()
  },
)

testInFullRun('the sequences cover every transition of the table, and every refusal', () => {
  expect(moveTally.missing(capabilityRequestMachine)).toEqual([])
})
