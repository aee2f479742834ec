import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Desk } from '@/lib/operations/desk'
import { remembered } from './home-memory'

const desk = (part: Partial<Desk>): Desk => ({
  ...{
    environment: 'sandbox',
    environments: ['sandbox'],
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
const [own, other] = ['acct_1', 'acct_2'].map((id) => ({ id, name: id, status: 'active' })) as [Desk['accounts'][0], Desk['accounts'][0]]

const counter = () => {
  let reads = 0
  return () => Promise.resolve({ ok: true, reads: ++reads })
}

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => vi.useRealTimers())

test('a reading is shared for a minute, then made anew', async () => {
  const read = counter()
  expect(await remembered('shared', desk({}), read)).toEqual({ ok: true, reads: 1 })
  vi.advanceTimersByTime(59_000)
  expect(await remembered('shared', desk({}), read)).toEqual({ ok: true, reads: 1 })
  vi.advanceTimersByTime(1_000)
  expect(await remembered('shared', desk({}), read)).toEqual({ ok: true, reads: 2 })
})

test('those who ask at once share one reading', async () => {
  const read = counter()
  const both = await Promise.all([remembered('at once', desk({}), read), remembered('at once', desk({}), read)])
  expect(both).toEqual([
    { ok: true, reads: 1 },
    { ok: true, reads: 1 },
  ])
})

test('no scope is told what another read', async () => {
  const read = counter()
  const scopes = [
    desk({}),
    desk({ environment: 'production' }),
    desk({ account: own.id }),
    desk({ account: other.id }),
    desk({ needsAccount: true, accounts: [own] }),
    desk({ needsAccount: true, accounts: [own, other] }),
  ]
  const seen = await Promise.all(scopes.map((scope) => remembered('apart', scope, read)))
  expect(seen.map(({ reads }) => reads)).toEqual([1, 2, 3, 4, 5, 6])
})

test('what failed is not kept', async () => {
  let reads = 0
  const failing = () => Promise.resolve({ ok: false, reads: ++reads })
  expect(await remembered('failing', desk({}), failing)).toEqual({ ok: false, reads: 1 })
  expect(await remembered('failing', desk({}), failing)).toEqual({ ok: false, reads: 2 })
  const throwing = () => Promise.reject(new Error(`read ${++reads}`))
  await expect(remembered('throwing', desk({}), throwing)).rejects.toThrow('read 3')
  await expect(remembered('throwing', desk({}), throwing)).rejects.toThrow('read 4')
})
