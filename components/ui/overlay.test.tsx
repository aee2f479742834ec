import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { Dialog } from './overlay'

// An open dialog in the shared document would block single-key shortcuts in the next file's tests.
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
  const pressed = createCancelEvent()
  fireEvent(screen.getByRole('dialog'), pressed)
  expect(onClose).toHaveBeenCalledTimes(1)
  expect(pressed.defaultPrevented).toBe(true)
})
