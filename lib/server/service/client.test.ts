import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskKey } from './client'

const keyArbitrary = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.'),
  minLength: 20,
  maxLength: 300,
})
const listKeyFragments = (text: string): string[] =>
  Array.from({ length: Math.max(0, text.length - 12) }, (_, at) => text.slice(at, at + 13))

test('removes every run of thirteen characters of the key', () => {
  const piecesArbitrary = fc.array(fc.tuple(fc.string({ maxLength: 20 }), fc.nat(), fc.nat()), {
    minLength: 1,
    maxLength: 4,
  })
  fc.assert(
    fc.property(keyArbitrary, piecesArbitrary, (secret, pieces) => {
      const textWithKeyParts = pieces
        .map(
          ([words, from, length]) =>
            words + secret.slice(from % secret.length).slice(0, 13 + (length % 50)),
        )
        .join('')
      const maskedText = maskKey(textWithKeyParts, secret)
      for (const run of listKeyFragments(secret)) expect(maskedText.includes(run)).toBe(false)
    }),
  )
})

test('keeps other words and the last characters of the key', () => {
  const secret = 'key-0123456789-abcdefghij'
  expect(maskKey('Incorrect API key provided: key-********ghij.', secret)).toBe(
    'Incorrect API key provided: key-********ghij.',
  )
  expect(maskKey(`Incorrect API key provided: ${secret}.`, secret)).toBe(
    'Incorrect API key provided: [key].',
  )
  expect(maskKey('', secret)).toBe('')
})
