import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  makeAccount,
  readEventSummary,
  type ServiceObject,
  sendComplianceDecision,
} from '@/tests/sandbox/make-account'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { capabilityRequestMachine } from './capability-request-machine'
import { capabilityRequestStatuses } from './capability-request-store'

const { client } = startSandboxPerFile()

type CapabilityRequest = ServiceObject & { account_id: string }
type Account = ServiceObject & {
  settings: Record<string, Record<string, unknown>>
  capabilities: Record<string, Record<string, { capability_status: string }>>
}

const getCapabilityRequestsPath = (account: string) => `/v1/accounts/${account}/capability_requests`
const readAccount = async (id: string) =>
  (await client().ask(`/v1/accounts/${id}`)).json.data as Account
const listCapabilityRequests = async (path: string) =>
  (await client().ask(path)).json.data as CapabilityRequest[]
const raisedLimits = {
  enable: true,
  max_amount: 900_000,
  daily_amount: 9_000_000,
  monthly_amount: 90_000_000,
  monthly_count: 4_000,
}

async function createCapabilityRequest(
  overrides: Record<string, unknown> = { payouts: raisedLimits },
): Promise<CapabilityRequest> {
  const { id } = await makeAccount(client())
  const [made] = (await client().post(getCapabilityRequestsPath(id), overrides)).json
    .data as CapabilityRequest[]
  return made ?? expect.fail('no request was made')
}

// The status after each decision, by decision and previous status. It is written by hand, because a
// table derived from the state machine would repeat its errors. A request that enables a capability
// can only become active, and one that disables it only inactive.
const statusesAfterVerdict: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  reviewing: { in_review: 'reviewing' },
  approved: { in_review: 'approved', reviewing: 'approved' },
  active: { in_review: 'active', reviewing: 'active', approved: 'active' },
  inactive: { in_review: 'inactive', reviewing: 'inactive', approved: 'inactive' },
  rejected: { in_review: 'rejected', reviewing: 'rejected' },
}

test('the tests cover every transition of the table', () => {
  const moveTargetStatuses = Object.values(capabilityRequestMachine.moves).map(({ to }) => to)
  expect(moveTargetStatuses.toSorted()).toEqual(Object.keys(statusesAfterVerdict).toSorted())
})

const transitionCases = Object.entries(statusesAfterVerdict).flatMap(([verdict, leads]) =>
  capabilityRequestStatuses.map((status) => ({ verdict, status, to: leads[status] })),
)

test.each(transitionCases)(
  'compliance decision: $status with the verdict $verdict leads to $to',
  async ({ verdict, status, to }) => {
    const shouldEnable = status === 'active' || (status !== 'inactive' && verdict !== 'inactive')
    const { id, account_id } = await createCapabilityRequest({ payouts: { enable: shouldEnable } })
    if (status !== 'in_review')
      await sendComplianceDecision(client(), { kind: 'capability_request', id, status })
    const [before] = await listCapabilityRequests(getCapabilityRequestsPath(account_id))
    expect(before?.status).toBe(status)
    const response = await sendComplianceDecision(client(), {
      kind: 'capability_request',
      id,
      status: verdict,
    })
    const [after] = await listCapabilityRequests(getCapabilityRequestsPath(account_id))
    if (to === undefined) expect([response.status, after]).toEqual([422, before])
    else expect([response.status, response.body, after?.status]).toEqual([200, after, to])
  },
)

describe('a decision', () => {
  test('that grants changes limits and capability once, and a rejection changes nothing', async () => {
    const grantedRequest = await createCapabilityRequest()
    await sendComplianceDecision(client(), {
      kind: 'capability_request',
      id: grantedRequest.id,
      status: 'approved',
    })
    const { enable: _enable, ...limits } = raisedLimits
    const accountAfter = await readAccount(grantedRequest.account_id)
    expect(accountAfter.settings.payouts).toMatchObject({ ...limits, funding_time: 'one_day' })
    expect(accountAfter.settings.charges).toMatchObject({ max_amount: 500_000 })
    expect(
      (await client().ask(`/v1/account_settings/${grantedRequest.account_id}`)).json.data,
    ).toMatchObject({ payouts: limits })
    const { types, last } = await readEventSummary(client(), grantedRequest.account_id)
    expect([types.length, last?.data]).toEqual([3, accountAfter])
    await sendComplianceDecision(client(), {
      kind: 'capability_request',
      id: grantedRequest.id,
      status: 'active',
    })
    expect((await readEventSummary(client(), grantedRequest.account_id)).types).toHaveLength(3)
    expect((await readEventSummary(client(), grantedRequest.id)).types).toHaveLength(4)
    const rejectedRequest = await createCapabilityRequest()
    const accountBefore = await readAccount(rejectedRequest.account_id)
    await sendComplianceDecision(client(), {
      kind: 'capability_request',
      id: rejectedRequest.id,
      status: 'rejected',
    })
    expect(await readAccount(rejectedRequest.account_id)).toEqual(accountBefore)
  })

  test('on a request to disable results in inactive, not active', async () => {
    const { id, account_id } = await createCapabilityRequest({
      signed_agreement: { enable: false },
    })
    expect(
      (await sendComplianceDecision(client(), { kind: 'capability_request', id, status: 'active' }))
        .status,
    ).toBe(422)
    expect(
      (
        await sendComplianceDecision(client(), {
          kind: 'capability_request',
          id,
          status: 'inactive',
        })
      ).status,
    ).toBe(200)
    const { consent_types } = (await readAccount(account_id)).capabilities
    expect(consent_types).toEqual({
      signed_agreement: { capability_status: 'inactive' },
      internet: { capability_status: 'active' },
    })
    expect(
      (
        await sendComplianceDecision(client(), {
          kind: 'capability_request',
          id: randomUUID(),
          status: 'active',
        })
      ).status,
    ).toBe(404)
  })
})
