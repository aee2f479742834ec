import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Dialog } from './overlay'

// Removes the dialogs. An open dialog in the shared document would block single-key shortcuts in
// the tests of the next file.
afterEach(cleanup)

const createCancelEvent = () => new Event('cancel', { bubbles: true, cancelable: true })

test('Escape closes a dialog at once, and a cancel event from inside does not', () => {
  const onClose = vi.fn()
  render(
    <Dialog aria-label="Palette" onClose={onClose}>
      <input aria-label="File" type="file" />
    </Dialog>,
  )
  fireEvent(screen.getByLabelText('File'), createCancelEvent())
  expect(onClose).not.toHaveBeenCalled()
  const escapeEvent = createCancelEvent()
  fireEvent(screen.getByRole('dialog'), escapeEvent)
  expect(onClose).toHaveBeenCalledTimes(1)
  expect(escapeEvent.defaultPrevented).toBe(true)
})
