import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => vi.resetModules())
afterEach(cleanup)

/**
 * Returns a field from a fresh copy of its module, so that it starts without its combobox, as on a
 * first visit. Importing the combobox here too makes the field's own import of it immediate.
 */
async function importFreshField() {
  const [{ ComboboxField }] = await Promise.all([
    import('./combobox-field'),
    import('@/components/ui/combobox'),
  ])
  return (
    <>
      <ComboboxField
        label="Find"
        listLabel="Found"
        text=""
        onText={() => undefined}
        options={[]}
        status=""
        focused
      />
      <input aria-label="Amount" />
    </>
  )
}

test('the focus stays in another field if the person moved there before the script loaded', async () => {
  render(await importFreshField())
  expect(screen.queryByRole('combobox')).toBeNull()
  expect(document.activeElement).toBe(screen.getByLabelText('Find'))
  act(() => screen.getByLabelText('Amount').focus())
  await screen.findByRole('combobox')
  expect(document.activeElement).toBe(screen.getByLabelText('Amount'))
})

test('the focus moves to the combobox if the person stayed in the plain field', async () => {
  render(await importFreshField())
  await screen.findByRole('combobox')
  expect(document.activeElement).toBe(screen.getByRole('combobox'))
})
