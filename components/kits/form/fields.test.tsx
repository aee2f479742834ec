import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useForm } from 'react-hook-form'
import { afterEach, expect, test } from 'vitest'
import { toSsn } from '@/lib/domain/typed-values'
import { NormalizedField } from './fields'

afterEach(cleanup)

function SsnForm() {
  const form = useForm({ defaultValues: { ssn: '' } })
  return <NormalizedField form={form} name="ssn" label="SSN" normalize={toSsn} hint="Nine digits" />
}

test('a field shows the value that will be sent, before it is sent', () => {
  render(<SsnForm />)
  const field = screen.getByLabelText('SSN')
  expect(screen.getByText('Nine digits')).toBeTruthy()
  fireEvent.input(field, { target: { value: '123456789' } })
  expect(screen.getByText('Sent as 123-45-6789')).toBeTruthy()
  fireEvent.input(field, { target: { value: '123-45-6789' } })
  expect(screen.queryByText(/Sent as/)).toBeNull()
})
