import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { ConfirmButton } from './confirm-button'

afterEach(cleanup)

const pressButton = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

function renderConfirmButton() {
  const onConfirm = vi.fn()
  render(
    <ConfirmButton
      title="Deactivate Ines?"
      text="This ends all sessions."
      confirm="Deactivate Ines"
      onConfirm={onConfirm}
    >
      Deactivate
    </ConfirmButton>,
  )
  pressButton('Deactivate')
  expect(screen.getByRole('dialog', { name: 'Deactivate Ines?' }).textContent).toContain(
    'This ends all sessions.',
  )
  return onConfirm
}

test('acts only after the confirmation, once', () => {
  const onConfirm = renderConfirmButton()
  expect(onConfirm).not.toHaveBeenCalled()
  pressButton('Deactivate Ines')
  expect(onConfirm).toHaveBeenCalledTimes(1)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('does nothing if the person cancels', () => {
  const onConfirm = renderConfirmButton()
  pressButton('Cancel')
  expect([onConfirm.mock.calls, screen.queryByRole('dialog')]).toEqual([[], null])
})
