import { expect, test } from 'vitest'
import { returnCode, returnCodes } from './return-codes'
import { paymentStates, statusWords } from './status'

test('every payment state has words of its own', () => {
  const labels = paymentStates.map((state) => statusWords('payment', state).label)
  expect(new Set(labels).size).toBe(paymentStates.length)
})

test.each(['quarantined', 'constructor', '__proto__', ''])('an unknown state %j is neutral and keeps its text', (status) => {
  expect(statusWords('payment', status)).toMatchObject({ label: status, tone: 'neutral' })
})

test('unauthorised returns all say stop', () => {
  for (const code of ['R05', 'R07', 'R10', 'R11', 'R29', 'R51']) expect(returnCode(code)?.stop).toBe(true)
})

test('codes look like codes and an unknown one is null', () => {
  for (const code of Object.keys(returnCodes)) expect(code).toMatch(/^R\d\d$/)
  expect(returnCode('R99')).toBeNull()
  expect(returnCode('toString')).toBeNull()
})
