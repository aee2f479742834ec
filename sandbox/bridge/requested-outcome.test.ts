import { describe, expect, test } from 'vitest'
import {
  buildBankAccountBody,
  type LinkedPaykey,
  linkBankAccount,
  linkByPlaid,
  sendLinkRequest,
} from '@/tests/sandbox/link-bank-account'
import { createTestCustomer, findAccountWithConfiguration } from '@/tests/sandbox/own-customer'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

async function makeAccountAndCustomer() {
  const account = await findAccountWithConfiguration(client(), {
    allow_data_unmask: true,
    allow_paykey_verification_skip: false,
  })
  return { account, customer: await createTestCustomer(client(), account) }
}

const readPaykey = async (id: string) =>
  (await client().ask(`/v1/paykeys/${id}`)).json.data as LinkedPaykey
const advanceClock = (seconds: number) => client().control('clock', { advance_seconds: seconds })

describe('the requested outcome', () => {
  test.each([
    ['active', 'active', 'ok', 'accept'],
    ['review', 'review', 'require_review', 'review'],
    ['rejected', 'rejected', 'failed_verification', 'reject'],
  ])(
    '%s ends in %s, with bank details and with an aggregator',
    async (sandbox_outcome, status, reason, decision) => {
      const { account, customer } = await makeAccountAndCustomer()
      for (const link of [linkBankAccount, linkByPlaid]) {
        const linkedPaykey = await link(client(), account, customer.id, {
          config: { sandbox_outcome },
        })
        expect(linkedPaykey).toMatchObject({
          status,
          status_details: { reason },
          config: { sandbox_outcome },
        })
        const review = (await client().ask(`/v1/paykeys/${linkedPaykey.id}/review`)).json.data
        expect(review).toMatchObject({
          paykey_details: { id: linkedPaykey.id, status },
          verification_details: { decision },
        })
      }
    },
  )

  test.each([['active'], ['review'], ['rejected']])(
    '%s is reached when the clock advances if processed in the background',
    async (sandbox_outcome) => {
      const { account, customer } = await makeAccountAndCustomer()
      const config = { sandbox_outcome, processing_method: 'background' }
      const linkedPaykey = await linkBankAccount(client(), account, customer.id, { config })
      expect([linkedPaykey.status, linkedPaykey.status_details.reason]).toEqual([
        'pending',
        'validating',
      ])
      await advanceClock(9)
      expect((await readPaykey(linkedPaykey.id)).status).toBe(sandbox_outcome)
      const events = (await client().control(`events?object_id=${linkedPaykey.id}`)).data
      expect(events.map((event) => event.type)).toEqual([
        'paykey.created.v1',
        'paykey.event.v1',
        'paykey.event.v1',
      ])
    },
  )

  test('skip is allowed only if the account allows it', async () => {
    const { account, customer } = await makeAccountAndCustomer()
    const config = { processing_method: 'skip' }
    expect(
      (await sendLinkRequest(client(), account, buildBankAccountBody(customer.id, { config })))
        .status,
    ).toBe(403)
    const accountWithSkip = await findAccountWithConfiguration(client(), {
      allow_paykey_verification_skip: true,
    })
    const linkedPaykey = await linkBankAccount(
      client(),
      accountWithSkip,
      (await createTestCustomer(client(), accountWithSkip)).id,
      {
        config,
      },
    )
    const review = (await client().ask(`/v1/paykeys/${linkedPaykey.id}/review`)).json.data
    expect([linkedPaykey.status, review]).toEqual([
      'active',
      expect.objectContaining({
        verification_details: expect.objectContaining({ decision: 'accept', breakdown: {} }),
      }),
    ])
  })
})
