import { describe, expect, test } from 'vitest'
import { codeTone, codeWords } from './identity-codes'
import { verdictWords } from './verification'

describe('a code weighs by its prefix', () => {
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
  ])('%s is %s', (code, tone) => {
    expect(codeTone(code)).toBe(tone)
  })
})

test('the service’s own text goes before ours, and the gravest code comes first', () => {
  const words = codeWords(['I121', 'BV7', 'R901', 'I121'], { R901: 'Not traced', BV7: '' })
  expect(words.map(({ code, text }) => [code, text])).toEqual([
    ['R901', 'Not traced'],
    ['BV7', 'The service sent no text for this code'],
    ['I121', 'Public profiles of this person were found'],
  ])
})

test('a code that is the name of something every object has explains nothing', () => {
  expect(codeWords(['constructor'], {})).toEqual([{ code: 'constructor', tone: 'neutral', text: 'The service sent no text for this code' }])
})

test.each(['accept', 'review', 'reject'])('%s is known', (decision) => {
  expect(verdictWords(decision).tone).not.toBe('neutral')
})

test.each([undefined, '', 'unknown', 'toString'])('%j is never a pass', (decision) => {
  expect(verdictWords(decision).tone).toBe('neutral')
})
