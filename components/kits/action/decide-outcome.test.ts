import { expect, test } from 'vitest'
import { toFaults } from './decide-outcome'

const message = 'outcome: Choose one. evidence: Explain in at least 10 characters.'

test('if both fields are rejected, each has its error', () => {
  const items = [
    { reference: 'outcome', detail: 'Choose one.' },
    { reference: 'evidence', detail: 'Explain in at least 10 characters.' },
  ]
  expect(toFaults({ items, message })).toEqual({
    outcome: 'Choose one.',
    evidence: 'Explain in at least 10 characters.',
  })
})

test('an error that names no field is shown at the evidence', () => {
  expect(toFaults({ items: [], message: 'The server did not respond' })).toEqual({
    evidence: 'The server did not respond',
  })
})
