import { describe, expect, test } from 'vitest'
import { edgeCaseNames } from '@/sandbox/seed/names'
import { isRoutingNumber } from './bank-names'
import { abbreviateName, makeHolderNames, makeSimilarName, pickDissimilarName } from './new-paykey'
import { makePaykeyToken, maskAccountNumber, maskToken } from './paykey-schema'
import { nameSimilarityThresholds, scoreNameSimilarity } from './verify-paykey'

const sampleNames = [
  'Amara Okafor',
  "Siobhan O'Brien",
  'Noor Al-Rashid',
  'Bo',
  'X',
  'Copper Kettle Coffee Roasters',
  ...edgeCaseNames,
]

describe('the similarity of two names', () => {
  test.each([
    ['Amara Okafor', 'OKAFOR, Amara', 1],
    ['Zoë Müller-Šimková', 'zoe muller simkova', 1],
    ['Amara Okafor', 'Amara Okafor', 1],
    ['🦊', '🦊', 1],
    ['🦊', '🐻', 0],
    ['Amara Okafor', 'Wei Zhang', 0],
    ['', 'Wei Zhang', 0],
  ])('%s and %s: %d', (one, other, score) => {
    expect(scoreNameSimilarity(one, other)).toBe(score)
    expect(scoreNameSimilarity(other, one)).toBe(score)
  })

  test('is between 0 and 1, and 1 only for equal names', () => {
    for (const leftName of sampleNames) {
      for (const rightName of sampleNames) {
        const score = scoreNameSimilarity(leftName, rightName)
        expect(score >= 0 && score <= 1).toBe(true)
        expect(score === 1).toBe(leftName === rightName)
      }
    }
  })

  test('is high for a typing error, partial for a relative or an initial, and low for a stranger', () => {
    expect(
      scoreNameSimilarity('Anastasia Featherstonehaugh', 'Anastasia Featherstonhaugh'),
    ).toBeGreaterThan(nameSimilarityThresholds.close)
    for (const name of sampleNames.filter((person) => person.length > 3)) {
      for (const type of ['individual', 'business'] as const) {
        for (const similarName of [
          makeSimilarName({ name, type }),
          abbreviateName({ name, type }),
        ]) {
          expect(scoreNameSimilarity(name, similarName)).toBeGreaterThanOrEqual(
            nameSimilarityThresholds.partial,
          )
          expect(scoreNameSimilarity(name, similarName)).toBeLessThanOrEqual(
            nameSimilarityThresholds.close,
          )
        }
        expect(scoreNameSimilarity(name, pickDissimilarName({ name, type }))).toBeLessThan(
          nameSimilarityThresholds.partial,
        )
        expect(makeHolderNames({ name, type }, 'standard')).toEqual([name])
      }
    }
  })
})

test('a routing number is valid with its check digit or as a test bank', () => {
  expect(['021000021', '011401533', '929710751'].map(isRoutingNumber)).toEqual([true, true, true])
  expect(['021000022', '000000000', '12345678', '02100002a', ''].map(isRoutingNumber)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ])
})

test('masks show only the permitted characters', () => {
  const token = makePaykeyToken()
  expect(maskToken(token)).toBe(`${token.slice(0, 3)}***.02.******${token.slice(-3)}`)
  expect(['123456789', '12345678901234567'].map(maskAccountNumber)).toEqual([
    '*****6789',
    '*****4567',
  ])
})
