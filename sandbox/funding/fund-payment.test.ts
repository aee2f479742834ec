import { expect, test } from 'vitest'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

test('a charge created with awaits_funding waits for its account’s next funding event', async () => {
  const [account] = (await client().ask('/v1/accounts?status=active')).json.data as { id: string }[]
  const simulateFunding = () =>
    client().post(
      '/v1/funding_events/simulate',
      { funding_event_job_type: 'charges' },
      { 'service-account-id': account?.id ?? '' },
    )
  await simulateFunding()
  const makePayment = (overrides: object) =>
    client().control<{ id: string }>('objects/charges', {
      account_id: account?.id,
      status: 'paid',
      ...overrides,
    })
  await makePayment({})
  expect((await simulateFunding()).status).toBe(422)
  const { id } = await makePayment({ awaits_funding: true, amount: 4_321 })
  const response = await simulateFunding()
  expect(response.status).toBe(201)
  const fundingEventId = (response.json.data as { id: string }).id
  const { data } = (await client().ask(`/v1/funding_event_payments/${fundingEventId}`)).json
  expect(data).toMatchObject([{ id, funding_amount: 4_321, reason: 'credit' }])
})
