import { describe, expect, test } from 'vitest'
import { getCodeTone, toVerificationCodeTexts } from './identity-codes'
import { getVerdictWords } from './verification'

describe('the prefix of a code determines its tone', () => {
  test.each([
    ['R901', 'bad'],
    ['BR301', 'bad'],
    ['BV810', 'held'],
    ['I121', 'good'],
    ['BI101', 'good'],
    ['X1', 'neutral'],
    ['REVIEW', 'neutral'],
    ['INFO', 'neutral'],
    ['', 'neutral'],
  ])('%s has the tone %s', (code, tone) => {
    expect(getCodeTone(code)).toBe(tone)
  })
})

test('prefers the service’s text, and lists the most severe code first', () => {
  const codeTexts = toVerificationCodeTexts(['I121', 'BV7', 'R901', 'I121'], {
    R901: 'Not traced',
    BV7: '',
  })
  expect(codeTexts.map(({ code, text }) => [code, text])).toEqual([
    ['R901', 'Not traced'],
    ['BV7', 'The service sent no text for this code'],
    ['I121', 'Public profiles of this person were found'],
  ])
})

test('a code named like an Object property has no text', () => {
  expect(toVerificationCodeTexts(['constructor'], {})).toEqual([
    { code: 'constructor', tone: 'neutral', text: 'The service sent no text for this code' },
  ])
})

test.each(['accept', 'review', 'reject'])('%s is a known verdict', (decision) => {
  expect(getVerdictWords(decision).tone).not.toBe('neutral')
})

test.each([undefined, '', 'unknown', 'toString'])('%j never looks like a pass', (decision) => {
  expect(getVerdictWords(decision).tone).toBe('neutral')
})
