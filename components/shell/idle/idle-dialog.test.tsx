import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { QueryProvider } from '@/lib/client/query/provider'
import { IdleDialog } from './idle-dialog'

afterEach(cleanup)

const endsAt = Date.parse('2026-03-31T14:05:00Z')
const getButton = (name: string) => screen.getByRole('button', { name, hidden: true })

function renderDialog(canStay: boolean, onStay = vi.fn(async () => {})) {
  const onClose = vi.fn()
  render(
    <QueryProvider person="p">
      <IdleDialog
        ending={{ at: endsAt, canStay }}
        onStay={onStay}
        onClose={onClose}
        onOut={() => {}}
      />
    </QueryProvider>,
  )
  return { onStay, onClose }
}

test('an idle person can stay signed in and sees an error if that failed', async () => {
  const onStay = vi.fn(async () => {})
  onStay.mockRejectedValueOnce(new Error('no answer'))
  renderDialog(true, onStay)
  fireEvent.click(getButton('Stay signed in'))
  await waitFor(() => expect(screen.getByText('Paydesk did not answer. Try again.')).toBeTruthy())
  fireEvent.click(getButton('Stay signed in'))
  await waitFor(() => expect(onStay).toHaveBeenCalledTimes(2))
  await waitFor(() => expect(screen.queryByText('Paydesk did not answer. Try again.')).toBeNull())
})

test('the dialog announces the maximum session length and cannot extend it', () => {
  const { onStay, onClose } = renderDialog(false)
  fireEvent.click(getButton('Close'))
  expect([onStay.mock.calls.length, onClose.mock.calls.length]).toEqual([0, 1])
  expect(screen.getByText(/A session ends eight hours after its sign-in/)).toBeTruthy()
})
