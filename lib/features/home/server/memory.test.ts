import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PageContext } from '@/lib/operations/page-context'
import { remembered } from './memory'

const context = (part: Partial<PageContext>): PageContext => ({
  ...{
    environment: 'sandbox',
    environments: ['sandbox'],
    scope: null,
    account: null,
    needsAccount: false,
    isLimited: false,
    denied: null,
    accounts: [],
    accountsError: null,
  },
  ...{ person: { id: 'p', name: 'P', email: 'p@paydesk.test', roles: ['viewer'] }, amountUnit: 'minor', embedded: true },
  ...part,
})
const [own, other] = ['acct_1', 'acct_2'].map((id) => ({ id, name: id, status: 'active' })) as [
  PageContext['accounts'][0],
  PageContext['accounts'][0],
]

const counter = () => {
  let reads = 0
  return () => Promise.resolve({ ok: true, reads: ++reads })
}

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => vi.useRealTimers())

test('a reading is shared for a minute, then made again', async () => {
  const read = counter()
  expect(await remembered('shared', context({}), read)).toEqual({ ok: true, reads: 1 })
  vi.advanceTimersByTime(59_000)
  expect(await remembered('shared', context({}), read)).toEqual({ ok: true, reads: 1 })
  vi.advanceTimersByTime(1_000)
  expect(await remembered('shared', context({}), read)).toEqual({ ok: true, reads: 2 })
})

test('those who ask at once share one reading', async () => {
  const read = counter()
  const both = await Promise.all([remembered('at once', context({}), read), remembered('at once', context({}), read)])
  expect(both).toEqual([
    { ok: true, reads: 1 },
    { ok: true, reads: 1 },
  ])
})

test('no scope is told what another read', async () => {
  const read = counter()
  const scopes = [
    context({}),
    context({ environment: 'production' }),
    context({ account: own.id }),
    context({ account: other.id }),
    context({ needsAccount: true, accounts: [own] }),
    context({ needsAccount: true, accounts: [own, other] }),
  ]
  const seen = await Promise.all(scopes.map((scope) => remembered('apart', scope, read)))
  expect(seen.map(({ reads }) => reads)).toEqual([1, 2, 3, 4, 5, 6])
})

test('what failed is not kept', async () => {
  let reads = 0
  const failing = () => Promise.resolve({ ok: false, reads: ++reads })
  expect(await remembered('failing', context({}), failing)).toEqual({ ok: false, reads: 1 })
  expect(await remembered('failing', context({}), failing)).toEqual({ ok: false, reads: 2 })
  const throwing = () => Promise.reject(new Error(`read ${++reads}`))
  await expect(remembered('throwing', context({}), throwing)).rejects.toThrow('read 3')
  await expect(remembered('throwing', context({}), throwing)).rejects.toThrow('read 4')
})
