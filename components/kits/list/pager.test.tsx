import { cleanup, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import type { ComponentProps } from 'react'
import { afterEach, expect, test } from 'vitest'
import { PageSteps } from './pager'

afterEach(cleanup)

const router = {} as NonNullable<ComponentProps<typeof AppRouterContext>['value']>
const renderPageSteps = (page: number, pages: number | null, hasNext: boolean) =>
  render(
    <AppRouterContext value={router}>
      <PageSteps
        page={page}
        pages={pages}
        hasNext={hasNext}
        hrefOf={(number) => `?page=${number}`}
      />
    </AppRouterContext>,
  )
const readPageLinks = () =>
  screen.queryAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])

test('renders nothing for a single page', () => {
  expect(renderPageSteps(1, 1, false).container.textContent).toBe('')
})

test('the first and last page link in one direction only', () => {
  expect(renderPageSteps(1, 1200, true).container.textContent).toBe('PreviousPage 1 of 1,200Next')
  expect(readPageLinks()).toEqual([['Next', '?page=2']])
  cleanup()
  renderPageSteps(3, 3, false)
  expect(readPageLinks()).toEqual([['Previous', '?page=2']])
})

test('an unknown total shows no page count, and a page past the end links back', () => {
  expect(renderPageSteps(2, null, true).container.textContent).toBe('PreviousPage 2Next')
  expect(readPageLinks()).toEqual([
    ['Previous', '?page=1'],
    ['Next', '?page=3'],
  ])
})
