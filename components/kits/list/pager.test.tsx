import { cleanup, render, screen } from '@testing-library/react'
import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime'
import type { ComponentProps } from 'react'
import { afterEach, expect, test } from 'vitest'
import { PreviousNextLinks } from './pager'

afterEach(cleanup)

const router = {} as NonNullable<ComponentProps<typeof AppRouterContext>['value']>
const renderPreviousNextLinks = (page: number, pages: number | null, hasNext: boolean) =>
  render(
    <AppRouterContext value={router}>
      <PreviousNextLinks
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
  expect(renderPreviousNextLinks(1, 1, false).container.textContent).toBe('')
})

test('the first and last page link in one direction only', () => {
  expect(renderPreviousNextLinks(1, 1200, true).container.textContent).toBe(
    'PreviousPage 1 of 1,200Next',
  )
  expect(readPageLinks()).toEqual([['Next', '?page=2']])
  cleanup()
  renderPreviousNextLinks(3, 3, false)
  expect(readPageLinks()).toEqual([['Previous', '?page=2']])
})

test('an unknown total shows no page count, and a page past the end links back', () => {
  expect(renderPreviousNextLinks(2, null, true).container.textContent).toBe('PreviousPage 2Next')
  expect(readPageLinks()).toEqual([
    ['Previous', '?page=1'],
    ['Next', '?page=3'],
  ])
})
