import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { QueryProvider } from '@/lib/client/query/provider'
import { IdleDialog } from './idle-dialog'

afterEach(cleanup)

const at = Date.parse('2026-03-31T14:05:00Z')
const button = (name: string) => screen.getByRole('button', { name, hidden: true })

function draw(canStay: boolean, onStay = vi.fn(async () => {})) {
  const onClose = vi.fn()
  render(
    <QueryProvider person="p">
      <IdleDialog ending={{ at, canStay }} onStay={onStay} onClose={onClose} onOut={() => {}} />
    </QueryProvider>,
  )
  return { onStay, onClose }
}

test('an idle person can stay signed in and sees an error if that failed', async () => {
  const onStay = vi.fn(async () => {})
  onStay.mockRejectedValueOnce(new Error('no answer'))
  draw(true, onStay)
  fireEvent.click(button('Stay signed in'))
  await waitFor(() => expect(screen.getByText('Paydesk did not answer. Try again.')).toBeTruthy())
  fireEvent.click(button('Stay signed in'))
  await waitFor(() => expect(onStay).toHaveBeenCalledTimes(2))
  await waitFor(() => expect(screen.queryByText('Paydesk did not answer. Try again.')).toBeNull())
})

test('the dialog announces the maximum session length and cannot extend it', () => {
  const { onStay, onClose } = draw(false)
  fireEvent.click(button('Close'))
  expect([onStay.mock.calls.length, onClose.mock.calls.length]).toEqual([0, 1])
  expect(screen.getByText(/A session ends eight hours after its sign-in/)).toBeTruthy()
})
