import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useForm } from 'react-hook-form'
import { afterEach, expect, test } from 'vitest'
import * as z from 'zod'
import { createFormResolver, type FormRules } from '@/components/kits/form/form-resolver'
import { addReasonFields, type ReasonOptions } from '@/components/kits/form/with-reason'
import { ReasonFields, type ReasonValues } from './reason-fields'

afterEach(cleanup)

const reasons = [
  {
    code: 'DATA_CORRECTED',
    label: 'Entry error corrected',
    template: 'An entry error in the record was corrected.',
  },
]

const reasonFormOptions = addReasonFields<
  Record<string, unknown>,
  ReasonOptions<Record<string, unknown>>
>({
  ...{ operation: 'accounts.update', values: {}, schema: z.any() },
  ...{ reasons, toInput: () => ({}) },
})

function ReasonForm() {
  const form = useForm<ReasonValues>({
    defaultValues: { code: '', text: '', typed: '' },
    resolver: createFormResolver<ReasonValues>(reasonFormOptions as FormRules<unknown>),
  })
  return (
    <form onSubmit={form.handleSubmit(() => undefined)}>
      <ReasonFields reasons={reasons} form={form} where="kept" />
      <button type="submit">Send</button>
    </form>
  )
}

const listErrorMessages = () =>
  [...document.querySelectorAll('[id$="-error"]')].map((error) => error.textContent)

test('one error covers an empty reason, and choosing a reason clears it and fills in the note', async () => {
  render(<ReasonForm />)
  await act(async () => fireEvent.click(screen.getByRole('button')))
  expect(listErrorMessages()).toEqual(['Choose a reason and add a note.'])
  await act(async () =>
    fireEvent.change(screen.getByLabelText('Reason'), { target: { value: 'DATA_CORRECTED' } }),
  )
  expect(listErrorMessages()).toEqual([])
  await act(async () => fireEvent.change(screen.getByLabelText('Note'), { target: { value: '' } }))
  expect(listErrorMessages()).toEqual(['Add a note'])
})

test('a note without a reason yields only the error about the reason', async () => {
  render(<ReasonForm />)
  await act(async () => fireEvent.click(screen.getByRole('button')))
  await act(async () =>
    fireEvent.change(screen.getByLabelText('Note'), {
      target: { value: 'An entry error was corrected.' },
    }),
  )
  expect(listErrorMessages()).toEqual(['Choose a reason'])
})
