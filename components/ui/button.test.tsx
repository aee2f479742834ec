import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Button } from './button'

afterEach(cleanup)

const reason = 'Only an operator or an admin can release a payout'

test('a disabled button stays in the tab order, describes the reason and does nothing', () => {
  let pressCount = 0
  let submitCount = 0
  render(
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submitCount += 1
      }}
    >
      <Button type="submit" disabledReason={reason} onClick={() => (pressCount += 1)}>
        Release
      </Button>
    </form>,
  )
  const button = screen.getByRole('button', { name: 'Release' })
  button.focus()
  expect(document.activeElement).toBe(button)
  expect(button.getAttribute('aria-disabled')).toBe('true')
  expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    reason,
  )
  fireEvent.click(button)
  expect([pressCount, submitCount]).toEqual([0, 0])
})

test('an enabled button runs its handler', () => {
  let clickCount = 0
  render(<Button onClick={() => (clickCount += 1)}>Release</Button>)
  fireEvent.click(screen.getByRole('button', { name: 'Release' }))
  expect(clickCount).toBe(1)
})

test('a second press while the first one is pending does nothing', () => {
  let repeatedPressCount = 0
  render(
    <Button loading onClick={() => (repeatedPressCount += 1)}>
      Sending
    </Button>,
  )
  const button = screen.getByRole('button', { name: 'Sending' })
  fireEvent.click(button)
  expect(button.getAttribute('aria-busy')).toBe('true')
  expect(repeatedPressCount).toBe(0)
})
