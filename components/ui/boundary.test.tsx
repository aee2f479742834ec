import { cleanup, render } from '@testing-library/react'
import { Component, type ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Boundary } from './boundary'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function ThrowError({ error }: { error: Error }): ReactNode {
  throw error
}

class OuterBoundary extends Component<{ children: ReactNode }> {
  override state: { message: string | null } = { message: null }
  static getDerivedStateFromError = (error: Error) => ({ message: error.message })
  override render() {
    return this.state.message ?? this.props.children
  }
}

function renderWithError(error: Error, onClose?: () => void) {
  // React writes each caught error to the console.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  return render(
    <OuterBoundary>
      <Boundary onClose={onClose}>
        <ThrowError error={error} />
      </Boundary>
    </OuterBoundary>,
  )
}

test('if a script fails to load, the part is replaced by a notice that can be closed', () => {
  const onClose = vi.fn()
  const loadError = Object.assign(new Error('chunk 12'), { name: 'ChunkLoadError' })
  const page = renderWithError(loadError, onClose)
  expect(page.getByRole('status').textContent).toContain('This part could not be loaded.')
  expect(page.getByRole('button', { name: 'Reload page' })).toBeTruthy()
  page.getByRole('button', { name: 'Close' }).click()
  expect(onClose).toHaveBeenCalledOnce()
})

test('any other error reaches the outer boundary', () => {
  const page = renderWithError(new Error('an amount is missing'))
  expect(page.container.textContent).toBe('an amount is missing')
})
