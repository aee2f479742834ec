import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { ShortId } from './copy-button'

afterEach(cleanup)

test.each([
  '018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f',
  'acct_018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f',
  'short',
  '',
])('the full ID %j stays in the text', (id) => {
  const { container } = render(<ShortId id={id} />)
  expect(container.textContent).toBe(id)
})
