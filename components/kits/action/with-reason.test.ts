import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { WriteId } from '@/lib/operations/rows'
import { withReason } from './with-reason'
import type { WriteFormOptions } from './write-form-options'

type Values = { name: string }

const reasons = [{ code: 'DATA_CORRECTED', label: 'Entry error corrected', template: 'An entry error in the record was corrected.' }]
const typed = (code: string, text: string) => ({ name: 'Ann', code, text })
const optionsOf = (operation: WriteId, more: Partial<WriteFormOptions<WriteId, Values>> = {}): WriteFormOptions<WriteId, Values> => ({
  ...{ operation, target: 'one', account: null, correlationId: 'c', values: { name: '' }, schema: z.any(), onOutcome: () => undefined },
  toInput: ({ name }) => ({ name }),
  ...more,
})
const good = typed('DATA_CORRECTED', 'An entry error\nwas corrected.')

test('a form that offers no reasons stays as it is', () => {
  const options = optionsOf('accounts.create')
  expect(withReason(options)).toBe(options)
})

test('a kept reason travels beside the input', () => {
  const options = withReason(optionsOf('accounts.update', { reasons }))
  expect(options.toInput(good)).toEqual({ name: 'Ann' })
  expect(options.reasonOf?.(good)).toBe('DATA_CORRECTED: An entry error was corrected.')
})

test('a reason the service takes is part of the input', () => {
  const options = withReason(optionsOf('payouts.release', { reasons }))
  expect(options.toInput(good)).toEqual({ name: 'Ann', reason: 'DATA_CORRECTED: An entry error was corrected.' })
  expect(options.reasonOf).toBeUndefined()
})

describe('what is missing is named at its field, beside the faults of the form', () => {
  const { check, fieldOf } = withReason(
    optionsOf('accounts.update', { reasons, check: () => ({ name: 'is taken' }), fieldOf: (name) => `own.${name}` }),
  )

  test.each([
    ['nothing', typed('', ''), { code: 'choose a reason', text: 'add a note' }],
    ['no code', typed('', 'An entry error was corrected.'), { code: 'choose a reason' }],
    ['no note', typed('DATA_CORRECTED', '  '), { text: 'add a note' }],
    ['too little', typed('X_Y', 'no'), { text: 'say why in a few more words' }],
    ['both', good, {}],
  ])('%s', (_, values, faults) => expect(check?.(values)).toEqual({ name: 'is taken', ...faults }))

  test('a refusal of the reason stands at the note, every other where the form says', () => {
    expect(fieldOf?.('reason')).toBe('text')
    expect(fieldOf?.('name')).toBe('own.name')
  })
})
