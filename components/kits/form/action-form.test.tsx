import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useForm } from 'react-hook-form'
import { afterEach, expect, test, vi } from 'vitest'
import { deletionRequest } from '@/lib/operations/deletion'
import { ActionForm } from './action-form'
import { SelectField, TextField } from './fields'
import { createFormResolver } from './form-resolver'

afterEach(cleanup)

type Values = { basis: string; ticket: string }

const onSendMock = vi.fn<(values: Values) => void>()
afterEach(() => onSendMock.mockReset())

const fixedRequestInput = {
  ...{
    id: '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f',
    account: 'acct_018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f',
  },
  ...{
    customer_id: '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f',
    asker: 'customer',
    identity_check: 'signed_in',
  },
}
const basisLabels = Object.fromEntries(
  deletionRequest.shape.basis.options.map((basis) => [basis, basis]),
)
const [asker] = deletionRequest.shape.asker.options
const [identity_check] = deletionRequest.shape.identity_check.options

type DeletionTestFormProps = {
  pending?: boolean
  disabledReason?: string | null
  onBack?: () => void
}

/** A form with two fields of a real operation, validated by the operation's own schema. */
function DeletionTestForm({
  pending = false,
  disabledReason = null,
  onBack,
}: DeletionTestFormProps) {
  const resolver = createFormResolver<Values>({
    schema: deletionRequest,
    toInput: (values) => ({ ...fixedRequestInput, asker, identity_check, ...values }),
  })
  const form = useForm<Values>({ resolver, defaultValues: { basis: '', ticket: '' } })
  return (
    <ActionForm
      layout="panel"
      label="Request deletion"
      onSend={form.handleSubmit(onSendMock)}
      send="Request"
      pending={pending}
      disabledReason={disabledReason}
      idempotencyKey="pdk_0123456789abcdef"
      onBack={onBack}
      outcome={<p>Nothing was saved</p>}
    >
      <SelectField
        form={form}
        name="basis"
        label="Legal ground"
        choices={basisLabels}
        none="Choose…"
      />
      <TextField form={form} name="ticket" label="Ticket" />
    </ActionForm>
  )
}

const pressSubmitButton = () =>
  act(async () => fireEvent.click(screen.getByRole('button', { name: /Request|Sending/ })))
const pressKey = (key: string, modifierKeys: object = {}) =>
  act(async () => fireEvent.keyDown(screen.getByLabelText('Ticket'), { key, ...modifierKeys }))
const fillFields = () => {
  fireEvent.change(screen.getByLabelText('Legal ground'), {
    target: { value: deletionRequest.shape.basis.options[0] },
  })
  fireEvent.change(screen.getByLabelText('Ticket'), { target: { value: 'PRIV-1234' } })
}

test('an invalid form shows the error at its field, focuses it, and sends nothing', async () => {
  render(<DeletionTestForm />)
  fireEvent.change(screen.getByLabelText('Ticket'), { target: { value: 'no digits' } })
  screen.getByRole('button', { name: 'Request' }).focus()
  await pressSubmitButton()
  expect(onSendMock).not.toHaveBeenCalled()
  expect(screen.getByLabelText('Legal ground').getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText('Choose the legal ground.')).toBeDefined()
  expect(screen.getByText(/Must be a reference like PRIV-1234/)).toBeDefined()
  expect(document.activeElement).toBe(screen.getByLabelText('Legal ground'))
})

test('Ctrl+Enter submits the form, and Enter alone does not', async () => {
  render(<DeletionTestForm />)
  fillFields()
  await pressKey('Enter')
  expect(onSendMock).not.toHaveBeenCalled()
  await pressKey('Enter', { ctrlKey: true })
  expect(onSendMock.mock.calls[0]?.[0]).toEqual({
    basis: deletionRequest.shape.basis.options[0],
    ticket: 'PRIV-1234',
  })
})

test('neither the button nor the keys submit a pending or disabled form', async () => {
  const { rerender } = render(<DeletionTestForm pending />)
  fillFields()
  await pressSubmitButton()
  await pressKey('Enter', { ctrlKey: true })
  rerender(<DeletionTestForm disabledReason="You are offline." />)
  await pressSubmitButton()
  await pressKey('Enter', { metaKey: true })
  expect(onSendMock).not.toHaveBeenCalled()
  expect(screen.getByText('Unavailable: You are offline.')).toBeDefined()
})

test('a panel takes the focus, and Escape calls onBack unless the form is pending', async () => {
  const onBack = vi.fn<() => void>()
  const { rerender } = render(<DeletionTestForm onBack={onBack} pending />)
  expect(document.activeElement).toBe(screen.getByLabelText('Legal ground'))
  await pressKey('Escape')
  expect(onBack).not.toHaveBeenCalled()
  rerender(<DeletionTestForm onBack={onBack} />)
  await pressKey('Escape')
  expect(onBack).toHaveBeenCalledOnce()
})
