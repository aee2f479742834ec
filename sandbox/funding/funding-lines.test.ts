import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { SqliteStore } from '@/sandbox/store/store'
import { FundingLines } from './funding-lines'

const folder = mkdtempSync(join(tmpdir(), 'sbx-lines-'))
const store = new SqliteStore(join(folder, 'lines.db'))
const fundingLines = new FundingLines(store)

beforeEach(() => store.exec('DELETE FROM funding_lines'))

afterAll(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

const chargeLineFields = { account: 1, type: 'charge' } as const
const addFailedLine = (payment: number) =>
  fundingLines.add({ ...chargeLineFields, payment, reason: 'failed', amount: 0 })
const addCreditLine = (payment: number, amount = 100) =>
  fundingLines.add({ ...chargeLineFields, payment, reason: 'credit', amount })
const addReversalLine = (payment: number, amount = -100) =>
  fundingLines.add({ ...chargeLineFields, payment, reason: 'reversal', amount })

const collectPaymentNumbersAndSum = (atMost: number) => {
  const { collected, sum, left } = fundingLines.collect(1, 'charge', atMost)
  return [collected.map(({ payment }) => payment), sum, left]
}

test('failed charges do not delay the money of a paid one, however many they are', () => {
  for (let payment = 1; payment <= 5; payment++) addFailedLine(payment)
  for (const payment of [6, 7]) addCreditLine(payment)
  expect(collectPaymentNumbersAndSum(4)).toEqual([[6, 7, 1, 2], 200, true])
  expect(collectPaymentNumbersAndSum(8)).toEqual([[6, 7, 1, 2, 3, 4, 5], 200, false])
})

test('credits and reversals that add up to zero do not delay other money', () => {
  for (const payment of [1, 2, 3]) addCreditLine(payment)
  for (const payment of [11, 12, 13]) addReversalLine(payment)
  addFailedLine(20)
  expect(collectPaymentNumbersAndSum(2)).toEqual([[1, 2], 200, true])
  expect(collectPaymentNumbersAndSum(6)).toEqual([[1, 2, 3, 11, 12, 13, 20], 0, false])
  for (const payment of [4, 5]) addCreditLine(payment)
  expect(collectPaymentNumbersAndSum(6)).toEqual([[1, 2, 3, 11, 12, 13, 4, 5, 20], 200, false])
})

test('a reversal waits for the event after that of its credit', () => {
  addCreditLine(1)
  addCreditLine(2, 30)
  addReversalLine(1)
  expect(collectPaymentNumbersAndSum(9)).toEqual([[1, 2], 130, true])
})

test('the waiting lines are read in order from an index, without a sort', () => {
  const queryPlan = store.all<{ detail: string }>(
    `EXPLAIN QUERY PLAN ${FundingLines.waitingSql}`,
    1,
    'charge',
    1_000,
  )
  expect(queryPlan.map(({ detail }) => detail)).toEqual([
    expect.stringContaining('USING INDEX funding_lines_waiting'),
  ])
})
