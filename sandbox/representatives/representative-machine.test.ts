import { expect, test } from 'vitest'
import { accountStatuses } from '@/sandbox/accounts/account'
import {
  makeAccount,
  makeRepresentative,
  readEventSummary,
  type ServiceObject,
  sendComplianceDecision,
} from '@/tests/sandbox/make-account'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'
import { representativeMachine } from './representative-machine'

const { client } = startSandboxPerFile()

const readRepresentative = async (id: string) =>
  (await client().ask(`/v1/representatives/${id}`)).json.data as ServiceObject

// Status after each compliance verdict, by verdict and current status. Written by hand: if it were
// derived from `representativeMachine`, the test could not find errors there. The tests of accounts
// cover the move `onboard`.
const newStatusByVerdict: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  onboarding: { onboarding: 'onboarding' },
  active: { created: 'active', onboarding: 'active' },
  rejected: { onboarding: 'rejected' },
  inactive: { active: 'inactive' },
}

async function makeRepresentativeInStatus(status: string): Promise<ServiceObject> {
  const account = await makeAccount(client())
  const { id } = await makeRepresentative(client(), account.id)
  if (status !== 'created' && status !== 'inactive') {
    const finalStatus = status === 'active' ? 'active' : 'onboarding'
    await client().ask(`/v1/accounts/${account.id}/simulate?final_status=${finalStatus}`, {
      method: 'POST',
    })
  }
  if (status === 'inactive')
    await sendComplianceDecision(client(), { kind: 'representative', id, status: 'active' })
  if (status === 'rejected' || status === 'inactive')
    await sendComplianceDecision(client(), { kind: 'representative', id, status })
  const currentRepresentative = await readRepresentative(id)
  expect(currentRepresentative.status).toBe(status)
  return currentRepresentative
}

test.each(
  Object.entries(newStatusByVerdict).flatMap(([verdict, leads]) =>
    accountStatuses.map((status) => ({ verdict, status, to: leads[status] })),
  ),
)(
  'compliance decision: $status with the verdict $verdict leads to $to',
  async ({ verdict, status, to }) => {
    const representativeBefore = await makeRepresentativeInStatus(status)
    const { types } = await readEventSummary(client(), representativeBefore.id)
    const response = await sendComplianceDecision(client(), {
      kind: 'representative',
      id: representativeBefore.id,
      status: verdict,
    })
    const representativeAfter = await readRepresentative(representativeBefore.id)
    if (to === undefined)
      expect([response.status, representativeAfter]).toEqual([422, representativeBefore])
    else
      expect([response.status, response.body, representativeAfter.status]).toEqual([
        200,
        representativeAfter,
        to,
      ])
    expect((await readEventSummary(client(), representativeBefore.id)).types).toHaveLength(
      types.length + (to === undefined ? 0 : 1),
    )
  },
)

test('the tests cover every transition of the table except onboard', () => {
  const complianceMoveByStatus = {
    onboarding: 'review',
    active: 'verify',
    rejected: 'reject',
    inactive: 'deactivate',
  }
  expect(Object.keys(representativeMachine.moves).toSorted()).toEqual(
    [...Object.values(complianceMoveByStatus), 'onboard'].toSorted(),
  )
})
