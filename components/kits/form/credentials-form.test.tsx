import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { QueryProvider } from '@/lib/client/query/provider'
import { CredentialsForm } from './credentials-form'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

test('an error receives the focus even if it renders late', async () => {
  // Runs each animation frame at once, so before React has rendered. The same can happen on a busy
  // machine.
  vi.spyOn(window, 'requestAnimationFrame').mockImplementation((frame) => {
    frame(0)
    return 0
  })
  const { happyDOM } = window as unknown as { happyDOM: { setURL: (url: string) => void } }
  // No server listens on this port, so the sign-in request fails.
  happyDOM.setURL('http://127.0.0.1:9/')
  render(
    <QueryProvider person={null}>
      <CredentialsForm email="viewer@paydesk.test" onDone={() => undefined} />
    </QueryProvider>,
  )
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'a password' } })
  await act(async () => fireEvent.submit(screen.getByRole('form')))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Paydesk did not answer')
  expect(document.activeElement).toBe(alert)
})
