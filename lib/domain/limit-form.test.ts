import { describe, expect, test } from 'vitest'
import { capabilityRequestSchemas } from '@/lib/operations/capability-requests.schema'
import { emptyLimitValues, limitFaults, limitInput, limitReason, wishedOf } from './limit-form'

const current = { max_amount: 500_000, daily_amount: 5_000_000, monthly_amount: 50_000_000, monthly_count: 1_000 }
const text = 'The account moves more than its limits were made for.'
const filled = (change: Partial<typeof emptyLimitValues>) => ({ ...emptyLimitValues, code: 'VOLUME_GROWTH', text, ...change })

test('what is typed becomes cents and counts; what is neither is never a number', () => {
  expect(wishedOf(filled({ max_amount: '7,500.00', monthly_count: '2,000' }))).toEqual({ max_amount: 750_000, monthly_count: 2_000 })
  expect(wishedOf(filled({ max_amount: 'a lot', monthly_count: '1.5' }))).toEqual({ max_amount: Number.NaN, monthly_count: Number.NaN })
})

test('only what differs is asked for, and it is what the operation takes', () => {
  const input = limitInput('payouts', current, filled({ max_amount: '7,500.00', daily_amount: '50,000.00' }))
  expect(input).toEqual({ payouts: { enable: true, max_amount: 750_000 } })
  expect(capabilityRequestSchemas['capability_requests.create'].input.safeParse(input).success).toBe(true)
})

describe('faults', () => {
  test('an empty form asks for a limit and a reason', () => {
    expect(Object.keys(limitFaults(current, emptyLimitValues)).sort()).toEqual(['code', 'max_amount', 'text'])
  })
  test('a value that is in force already is no wish', () => {
    expect(limitFaults(current, filled({ max_amount: '5,000.00' }))).toEqual({ max_amount: 'ask for at least one other limit' })
  })
  test('an unreadable amount is named', () => {
    expect(limitFaults(current, filled({ daily_amount: '1.234,50' })).daily_amount).toContain('amount like')
  })
  test('a large step asks for a sentence of its own', () => {
    const values = filled({ max_amount: '20,000.00' })
    expect(Object.keys(limitFaults(current, values))).toEqual(['jump'])
    expect(limitFaults(current, { ...values, jump: 'A second bank’s payments come over on Monday.' })).toEqual({})
  })
})

test('the reason carries the sentence about a jump only where there is one', () => {
  const values = filled({ jump: 'A second bank’s payments come over.' })
  expect(limitReason(values, 1)).toBe(`VOLUME_GROWTH: ${text} Why so much more: A second bank’s payments come over.`)
  expect(limitReason(values, 0)).toBe(`VOLUME_GROWTH: ${text}`)
})
