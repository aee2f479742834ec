import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { decisionReasonInput } from '@/lib/operations/reason.schema'
import type { WriteId } from '@/lib/operations/service-operations'
import { addReasonFields, type ReasonOptions } from './with-reason'

type FormValues = { name: string }

const reasons = [
  {
    code: 'DATA_CORRECTED',
    label: 'Entry error corrected',
    template: 'An entry error in the record was corrected.',
  },
]
const buildTypedReason = (code: string, text: string) => ({ name: 'Ann', code, text })
const buildOptions = (
  operation: WriteId,
  overrides: Partial<ReasonOptions<FormValues>> = {},
): ReasonOptions<FormValues> => ({
  ...{ operation, values: { name: '' }, schema: z.any() },
  toInput: ({ name }) => ({ name }),
  ...overrides,
})
const validValues = buildTypedReason('DATA_CORRECTED', 'An entry error\nwas corrected.')

test('a form without reasons stays unchanged', () => {
  const options = buildOptions('accounts.create')
  expect(addReasonFields(options)).toBe(options)
})

test('a reason that Paydesk stores is separate from the input', () => {
  const options = addReasonFields(buildOptions('accounts.update', { reasons }))
  expect(options.toInput(validValues)).toEqual({ name: 'Ann' })
  expect(options.reasonOf?.(validValues)).toBe('DATA_CORRECTED: An entry error was corrected.')
})

test('a reason that the service accepts is part of the input', () => {
  const options = addReasonFields(buildOptions('payouts.release', { reasons }))
  expect(options.toInput(validValues)).toEqual({
    name: 'Ann',
    reason: 'DATA_CORRECTED: An entry error was corrected.',
  })
  expect(options.reasonOf).toBeUndefined()
})

describe('a missing reason or note is an error at its own field, beside the form’s errors', () => {
  const { check, fieldOf } = addReasonFields(
    buildOptions('accounts.update', {
      reasons,
      check: () => ({ name: 'is taken' }),
      fieldOf: (name) => `own.${name}`,
    }),
  )

  test.each([
    ['nothing', buildTypedReason('', ''), { code: 'Choose a reason and add a note.', text: '' }],
    ['no code', buildTypedReason('', 'An entry error was corrected.'), { code: 'Choose a reason' }],
    ['no note', buildTypedReason('DATA_CORRECTED', '  '), { text: 'Add a note' }],
    ['too little', buildTypedReason('DATA_CORRECTED', 'no'), { text: 'Explain in more detail.' }],
    [
      'a code that is no longer offered',
      buildTypedReason('X_Y', 'An entry error was corrected.'),
      { code: 'Choose a reason' },
    ],
    ['both', validValues, {}],
  ])('%s', (_, values, faults) => expect(check?.(values)).toEqual({ name: 'is taken', ...faults }))

  test('a missing reason code does not make the note invalid', () => {
    const { toInput } = addReasonFields(buildOptions('payouts.release', { reasons }))
    expect(
      decisionReasonInput.safeParse(
        toInput(buildTypedReason('', 'An entry error was corrected.')).reason,
      ).success,
    ).toBe(true)
  })

  test('a service error about the reason appears at the note, and other errors at their own fields', () => {
    expect(fieldOf?.('reason')).toBe('text')
    expect(fieldOf?.('name')).toBe('own.name')
  })
})
