import { makeCompleteAccount, sendComplianceDecision } from '@/tests/sandbox/make-account'
import { type AccountWithHeaders, createTestCustomer } from '@/tests/sandbox/own-customer'
import type { SandboxClient } from '@/tests/sandbox/sandbox-client'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

/**
 * Test data of one file: an account, a verified customer, and a clock that only the sequences
 * advance.
 */
export type ModelTestData = {
  client: SandboxClient
  account: AccountWithHeaders
  customer: string
  /** Time of the sandbox's clock in milliseconds. */
  now: () => number
  /** Advances the clock and returns its new time in milliseconds. */
  advance: (seconds: number) => Promise<number>
}

/**
 * Starts one process for all sequences of a file. Its clock nearly stops, so that no time passes
 * between steps on a slow machine.
 */
export const startStoppedClockSandbox = (): ReturnType<typeof startSandboxPerFile> =>
  startSandboxPerFile('--speed', '0.000000001')

const maxInteger = 2_147_483_647
const unlimitedCapability = {
  enable: true,
  max_amount: maxInteger,
  daily_amount: maxInteger,
  monthly_amount: maxInteger,
  monthly_count: maxInteger,
}

/**
 * Creates an active account and its customer. The account's limits are too high for any sequence to
 * reach.
 */
export async function createModelTestData(client: SandboxClient): Promise<ModelTestData> {
  const { id } = await makeCompleteAccount(client)
  await client.ask(`/v1/accounts/${id}/simulate?final_status=active`, { method: 'POST' })
  const capabilityResponse = await client.post(`/v1/accounts/${id}/capability_requests`, {
    charges: unlimitedCapability,
    payouts: unlimitedCapability,
  })
  for (const request of capabilityResponse.json.data as { id: string }[]) {
    await sendComplianceDecision(client, {
      kind: 'capability_request',
      id: request.id,
      status: 'active',
    })
  }
  const account = { id, headers: client.accountHeaders(id) }
  const customer = await createTestCustomer(client, account, {
    config: { sandbox_outcome: 'verified' },
  })
  let clockMs = 0
  const advanceClock = async (advance_seconds: number) => {
    clockMs = Date.parse((await client.control<{ now: string }>('clock', { advance_seconds })).now)
    return clockMs
  }
  await advanceClock(1)
  return { client, account, customer: customer.id, now: () => clockMs, advance: advanceClock }
}
