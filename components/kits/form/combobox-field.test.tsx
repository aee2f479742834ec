import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => vi.resetModules())
afterEach(cleanup)

/** Returns a field whose combobox script has not been loaded by earlier tests. The script loads instantly. */
async function freshField() {
  const [{ ComboboxField }] = await Promise.all([import('./combobox-field'), import('@/components/ui/combobox')])
  return (
    <>
      <ComboboxField label="Find" listLabel="Found" text="" onText={() => undefined} options={[]} status="" focused />
      <input aria-label="Amount" />
    </>
  )
}

test('somebody who went on to another field before the script came stays there', async () => {
  render(await freshField())
  expect(screen.queryByRole('combobox')).toBeNull()
  expect(document.activeElement).toBe(screen.getByLabelText('Find'))
  act(() => screen.getByLabelText('Amount').focus())
  await screen.findByRole('combobox')
  expect(document.activeElement).toBe(screen.getByLabelText('Amount'))
})

test('whoever waits in the field goes on in the combobox', async () => {
  render(await freshField())
  await screen.findByRole('combobox')
  expect(document.activeElement).toBe(screen.getByRole('combobox'))
})
