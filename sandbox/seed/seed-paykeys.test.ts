import { describe, expect, test } from 'vitest'
import type { Verification } from '@/sandbox/paykeys/paykey-schema'
import { scoreNameSimilarity } from '@/sandbox/paykeys/verify-paykey'
import type { LinkedPaykey } from '@/tests/sandbox/link-bank-account'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

const listPaykeys = async (query: string) =>
  (await client().ask(`/v1/paykeys?page_size=1000&${query}`)).json.data as LinkedPaykey[]
const readPaykey = async (id: string) =>
  (await client().ask(`/v1/paykeys/${id}`)).json.data as LinkedPaykey
const readVerificationDetails = async (id: string) =>
  (
    (await client().ask(`/v1/paykeys/${id}/review`)).json.data as {
      verification_details: Verification
    }
  ).verification_details

describe('seeded paykeys', () => {
  test('in review have ambiguous evidence: partial, none, several holders, or an unconfirmed account', async () => {
    const findingCodes: string[] = []
    const holderNameCounts: number[] = []
    for (const { id, customer_id } of await listPaykeys('status=review')) {
      const { decision, breakdown } = await readVerificationDetails(id)
      const { name } = (await client().ask(`/v1/customers/${customer_id}`)).json.data as {
        name: string
      }
      const nameMatch = breakdown.name_match
      findingCodes.push(...(nameMatch ?? breakdown.account_validation ?? { codes: [] }).codes)
      if (nameMatch) {
        holderNameCounts.push(nameMatch.names_on_account.length)
        const bestNameScore = Math.max(
          ...nameMatch.names_on_account.map((holder) => scoreNameSimilarity(holder, name)),
        )
        expect([nameMatch.customer_name, nameMatch.correlation_score]).toEqual([
          name,
          bestNameScore,
        ])
      }
      expect(decision).toBe('review')
    }
    expect(new Set(findingCodes)).toEqual(new Set(['BV810', 'BV811', 'BV820', 'I821']))
    expect([...new Set(holderNameCounts)].sort()).toEqual([1, 2])
  })

  test('that are blocked can be unblocked only after a first R29', async () => {
    const blockedPaykeys = await listPaykeys('status=blocked')
    const codeAndEligibilityTexts = blockedPaykeys.map(
      ({ status_details, unblock_eligible }) => `${status_details.code} ${unblock_eligible}`,
    )
    expect(new Set(codeAndEligibilityTexts)).toEqual(
      new Set(['R29 true', 'R29 false', 'R02 false', 'R05 false']),
    )
    for (const { id, unblock_eligible } of blockedPaykeys) {
      expect((await client().patch(`/v1/paykeys/${id}/unblock`, {})).status).toBe(
        unblock_eligible ? 200 : 422,
      )
    }
  })

  test('share bank accounts, but never a blocked and an unblocked one', async () => {
    const statusesByBankAccount = new Map<string, Set<string>>()
    let sharedBankAccountCount = 0
    for (const { id, status, bank_data, label } of await listPaykeys('')) {
      const bankAccountKey = `${bank_data.routing_number} ${label}`
      const knownStatuses = statusesByBankAccount.get(bankAccountKey)
      if (knownStatuses) sharedBankAccountCount++
      statusesByBankAccount.set(bankAccountKey, (knownStatuses ?? new Set()).add(status))
      expect(id).toBeTruthy()
    }
    expect(sharedBankAccountCount).toBeGreaterThan(40)
    const blockedAndActiveStatusSets = [...statusesByBankAccount.values()].filter(
      (statuses) => statuses.has('blocked') && statuses.has('active'),
    )
    expect(blockedAndActiveStatusSets).toEqual([])
  })

  test('have completed, pending and failed balances, and bank details have none', async () => {
    const balanceStatuses = new Set<string>()
    for (const { id, source } of (await listPaykeys('status=active')).slice(0, 200)) {
      const { balance } = await readPaykey(id)
      balanceStatuses.add(balance.status)
      if (source === 'bank_account')
        expect(balance).toEqual({ status: 'pending', account_balance: null, updated_at: null })
      if (balance.status === 'completed')
        expect(balance).toMatchObject({
          account_balance: expect.any(Number),
          updated_at: expect.any(String),
        })
    }
    expect(balanceStatuses).toEqual(new Set(['completed', 'pending', 'failed']))
  })

  test('include some that expire soon or have expired', async () => {
    const paykeysByExpiry = (await listPaykeys(
      'sort_by=expires_at&status=active',
    )) as (LinkedPaykey & { expires_at: string })[]
    const daysUntilExpiry = paykeysByExpiry
      .slice(0, 10)
      .map(({ expires_at }) => (Date.parse(expires_at) - Date.now()) / 86_400_000)
    expect(daysUntilExpiry.filter((left) => left < 0)).toHaveLength(4)
    expect(daysUntilExpiry.filter((left) => left > 0 && left < 22)).toHaveLength(6)
  })
})
