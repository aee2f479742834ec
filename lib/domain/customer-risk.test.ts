import { expect, test } from 'vitest'
import { riskWords } from './customer-risk'

test.each([
  [0, 'Low risk', '0.00'],
  [0.001, 'Low risk', '0.01'],
  [0.399, 'Low risk', '0.40'],
  [0.4, 'Medium risk', '0.40'],
  [0.8, 'High risk', '0.80'],
  [1, 'High risk', '1.00'],
])('%s is a %s', (score, label, text) => {
  expect(riskWords(score)).toMatchObject({ label, text, position: score })
})

test.each([undefined, Number.NaN, -0.1, 1.01, 87])('%s is no score', (score) => {
  expect(riskWords(score)).toBeNull()
})
