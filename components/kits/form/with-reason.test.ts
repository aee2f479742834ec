import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { reason } from '@/lib/operations/reason.schema'
import type { WriteId } from '@/lib/operations/service-operations'
import { type ReasonOptions, withReason } from './with-reason'

type Values = { name: string }

const reasons = [{ code: 'DATA_CORRECTED', label: 'Entry error corrected', template: 'An entry error in the record was corrected.' }]
const typed = (code: string, text: string) => ({ name: 'Ann', code, text })
const optionsOf = (operation: WriteId, more: Partial<ReasonOptions<Values>> = {}): ReasonOptions<Values> => ({
  ...{ operation, values: { name: '' }, schema: z.any() },
  toInput: ({ name }) => ({ name }),
  ...more,
})
const validValues = typed('DATA_CORRECTED', 'An entry error\nwas corrected.')

test('a form that offers no reasons stays as it is', () => {
  const options = optionsOf('accounts.create')
  expect(withReason(options)).toBe(options)
})

test('a kept reason travels beside the input', () => {
  const options = withReason(optionsOf('accounts.update', { reasons }))
  expect(options.toInput(validValues)).toEqual({ name: 'Ann' })
  expect(options.reasonOf?.(validValues)).toBe('DATA_CORRECTED: An entry error was corrected.')
})

test('a reason the service takes is part of the input', () => {
  const options = withReason(optionsOf('payouts.release', { reasons }))
  expect(options.toInput(validValues)).toEqual({ name: 'Ann', reason: 'DATA_CORRECTED: An entry error was corrected.' })
  expect(options.reasonOf).toBeUndefined()
})

describe('what is missing is named at its field, beside the faults of the form', () => {
  const { check, fieldOf } = withReason(
    optionsOf('accounts.update', { reasons, check: () => ({ name: 'is taken' }), fieldOf: (name) => `own.${name}` }),
  )

  test.each([
    ['nothing', typed('', ''), { code: 'Choose a reason and add a note', text: '' }],
    ['no code', typed('', 'An entry error was corrected.'), { code: 'Choose a reason' }],
    ['no note', typed('DATA_CORRECTED', '  '), { text: 'Add a note' }],
    ['too little', typed('X_Y', 'no'), { text: 'Explain in more detail.' }],
    ['both', validValues, {}],
  ])('%s', (_, values, faults) => expect(check?.(values)).toEqual({ name: 'is taken', ...faults }))

  test('a reason that is not chosen is no fault of the note', () => {
    const { toInput } = withReason(optionsOf('payouts.release', { reasons }))
    expect(reason.safeParse(toInput(typed('', 'An entry error was corrected.')).reason).success).toBe(true)
  })

  test('a refusal of the reason is at the note, every other where the form says', () => {
    expect(fieldOf?.('reason')).toBe('text')
    expect(fieldOf?.('name')).toBe('own.name')
  })
})
