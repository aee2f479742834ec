import { expect, test } from 'vitest'
import { returnLimits } from '@/lib/features/home/figures'
import { returnCodes } from './return-codes'

test('every code of the provider has an explanation', () => {
  const providerCodes = [
    'R01',
    'R02',
    'R03',
    'R04',
    'R05',
    'R07',
    'R08',
    'R09',
    'R10',
    'R11',
    'R13',
    'R14',
    'R15',
    'R16',
    'R20',
    'R23',
    'R29',
    'R51',
  ]
  expect(Object.keys(returnCodes).sort()).toEqual(providerCodes)
})

test.each(['unauthorized', 'administrative'] as const)(
  'the codes that count as %s match the limits of the return rate',
  (counts) => {
    const codesOfReturnLimit = Object.entries(returnCodes).flatMap(([code, entry]) =>
      entry.counts === counts ? [code] : [],
    )
    expect(codesOfReturnLimit.sort()).toEqual(returnLimits.find(({ id }) => id === counts)?.codes)
  },
)

test('only a code with a condition for resubmission states what comes first', () => {
  for (const { again, first, stop } of Object.values(returnCodes)) {
    expect(first !== undefined).toBe(again === 'after')
    expect(stop).toBe(again !== 'yes')
  }
})
