import { expect, test } from 'vitest'
import { toDecisionFieldErrors } from './decide-outcome'

const message = 'outcome: Choose one. evidence: Explain in at least 10 characters.'

test('if both fields are rejected, each has its error', () => {
  const errorItems = [
    { reference: 'outcome', detail: 'Choose one.' },
    { reference: 'evidence', detail: 'Explain in at least 10 characters.' },
  ]
  expect(toDecisionFieldErrors({ items: errorItems, message })).toEqual({
    outcome: 'Choose one.',
    evidence: 'Explain in at least 10 characters.',
  })
})

test('an error that names no field is shown at the evidence', () => {
  expect(toDecisionFieldErrors({ items: [], message: 'The server did not respond' })).toEqual({
    evidence: 'The server did not respond',
  })
})
