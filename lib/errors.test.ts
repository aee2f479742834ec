import { expect, test } from 'vitest'
import { AppError, createFieldError } from './errors'

test.each(['constructor', 'toString', 'no_such_code'])(
  'the unknown code "%s" of a response is replaced by one for its status',
  (code) => {
    const error = AppError.fromWire({ error: { code, detail: 'No.' } }, 503)
    expect(error.code).not.toBe(code)
    expect(error.title).toEqual(expect.any(String))
  },
)

test('the error of a field names the field in its text and its items', () => {
  expect(createFieldError('amount', 'Must be more than 0.').toWire()).toMatchObject({
    code: 'invalid_input',
    detail: 'amount: Must be more than 0.',
    items: [{ reference: 'amount', detail: 'Must be more than 0.' }],
  })
})
