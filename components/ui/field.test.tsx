import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Field } from './field'
import { Input } from './input'

afterEach(cleanup)

test('label, hint and error are associated with the control', () => {
  render(
    <Field label="Reason" hint="Recorded with the payout" error="say why">
      {(control) => <Input {...control} />}
    </Field>,
  )
  const input = screen.getByLabelText('Reason')
  const descriptionTexts = (input.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
  expect(descriptionTexts).toEqual(['Recorded with the payout', 'say why'])
  expect(input.getAttribute('aria-invalid')).toBe('true')
})

test('a control without hint or error has no aria-describedby', () => {
  render(<Field label="Reason">{(control) => <Input {...control} />}</Field>)
  const input = screen.getByLabelText('Reason')
  expect(input.hasAttribute('aria-describedby')).toBe(false)
  expect(input.hasAttribute('aria-invalid')).toBe(false)
})
