import { expect, test } from 'vitest'
import {
  makeAccount,
  makeCompleteAccount,
  type ServiceObject,
  sendComplianceDecision,
} from '@/tests/sandbox/make-account'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile('--environment', 'production')

type CapabilitiesByGroup = Record<string, Record<string, { capability_status: string }>>

test('a new account has no capabilities until they are requested and granted', async () => {
  const account = (await makeAccount(client())) as ServiceObject & {
    capabilities: CapabilitiesByGroup
  }
  const accountCapabilities = Object.values(account.capabilities).flatMap((group) =>
    Object.values(group),
  )
  expect(accountCapabilities).toEqual(Array(6).fill({ capability_status: 'inactive' }))
  const [request] = (
    await client().post(`/v1/accounts/${account.id}/capability_requests`, {
      charges: { enable: true },
    })
  ).json.data as ServiceObject[]
  await sendComplianceDecision(client(), {
    kind: 'capability_request',
    id: request?.id,
    status: 'active',
  })
  const settings = (await client().ask(`/v1/account_settings/${account.id}`)).json.data
  expect(settings).toMatchObject({ payment_types: { charges: 'active', payouts: 'inactive' } })
})

test('there is no simulation, and an account goes through onboarding', async () => {
  const account = await makeCompleteAccount(client())
  const simulateResponse = await client().ask(`/v1/accounts/${account.id}/simulate`, {
    method: 'POST',
  })
  expect(simulateResponse.json.error).toMatchObject({ status: 403, type: '/forbidden' })
  const terms_of_service = {
    accepted_date: '2030-01-31T12:00:00Z',
    agreement_url: 'https://sable-finch.example.com/terms',
  }
  expect(
    (await client().post(`/v1/accounts/${account.id}/onboard`, { terms_of_service })).status,
  ).toBe(201)
  expect(
    (await sendComplianceDecision(client(), { kind: 'account', id: account.id, status: 'active' }))
      .body.status,
  ).toBe('active')
})
