import { describe, expect, test } from 'vitest'
import type { Verification } from '@/sandbox/paykeys/paykey-schema'
import { scoreNames } from '@/sandbox/paykeys/verify-paykey'
import type { LinkedPaykey } from '@/tests/sandbox/link-bank-account'
import { startSandboxPerFile } from '@/tests/sandbox/sandbox-per-file'

const { client } = startSandboxPerFile()

const list = async (query: string) => (await client().ask(`/v1/paykeys?page_size=1000&${query}`)).json.data as LinkedPaykey[]
const readPaykey = async (id: string) => (await client().ask(`/v1/paykeys/${id}`)).json.data as LinkedPaykey
const readEvidence = async (id: string) =>
  ((await client().ask(`/v1/paykeys/${id}/review`)).json.data as { verification_details: Verification }).verification_details

describe('seeded paykeys', () => {
  test('in review have ambiguous evidence: partial, none, several holders, or an unconfirmed account', async () => {
    const codes: string[] = []
    const holderCounts: number[] = []
    for (const { id, customer_id } of await list('status=review')) {
      const { decision, breakdown } = await readEvidence(id)
      const { name } = (await client().ask(`/v1/customers/${customer_id}`)).json.data as { name: string }
      const match = breakdown.name_match
      codes.push(...(match ?? breakdown.account_validation ?? { codes: [] }).codes)
      if (match) {
        holderCounts.push(match.names_on_account.length)
        const bestScore = Math.max(...match.names_on_account.map((holder) => scoreNames(holder, name)))
        expect([match.customer_name, match.correlation_score]).toEqual([name, bestScore])
      }
      expect(decision).toBe('review')
    }
    expect(new Set(codes)).toEqual(new Set(['BV810', 'BV811', 'BV820', 'I821']))
    expect([...new Set(holderCounts)].sort()).toEqual([1, 2])
  })

  test('that are blocked can be unblocked only after a first R29', async () => {
    const blockedPaykeys = await list('status=blocked')
    const kinds = blockedPaykeys.map(({ status_details, unblock_eligible }) => `${status_details.code} ${unblock_eligible}`)
    expect(new Set(kinds)).toEqual(new Set(['R29 true', 'R29 false', 'R02 false', 'R05 false']))
    for (const { id, unblock_eligible } of blockedPaykeys) {
      expect((await client().patch(`/v1/paykeys/${id}/unblock`, {})).status).toBe(unblock_eligible ? 200 : 422)
    }
  })

  test('share bank accounts, but never a blocked and an unblocked one', async () => {
    const statusesByAccount = new Map<string, Set<string>>()
    let shared = 0
    for (const { id, status, bank_data, label } of await list('')) {
      const key = `${bank_data.routing_number} ${label}`
      const knownStatuses = statusesByAccount.get(key)
      if (knownStatuses) shared++
      statusesByAccount.set(key, (knownStatuses ?? new Set()).add(status))
      expect(id).toBeTruthy()
    }
    expect(shared).toBeGreaterThan(40)
    const mixedAccounts = [...statusesByAccount.values()].filter((statuses) => statuses.has('blocked') && statuses.has('active'))
    expect(mixedAccounts).toEqual([])
  })

  test('have completed, pending and failed balances, and bank details have none', async () => {
    const states = new Set<string>()
    for (const { id, source } of (await list('status=active')).slice(0, 200)) {
      const { balance } = await readPaykey(id)
      states.add(balance.status)
      if (source === 'bank_account') expect(balance).toEqual({ status: 'pending', account_balance: null, updated_at: null })
      if (balance.status === 'completed')
        expect(balance).toMatchObject({ account_balance: expect.any(Number), updated_at: expect.any(String) })
    }
    expect(states).toEqual(new Set(['completed', 'pending', 'failed']))
  })

  test('include some that expire soon or have expired', async () => {
    const rows = (await list('sort_by=expires_at&status=active')) as (LinkedPaykey & { expires_at: string })[]
    const days = rows.slice(0, 10).map(({ expires_at }) => (Date.parse(expires_at) - Date.now()) / 86_400_000)
    expect(days.filter((left) => left < 0)).toHaveLength(4)
    expect(days.filter((left) => left > 0 && left < 22)).toHaveLength(6)
  })
})
