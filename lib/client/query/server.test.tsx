// @vitest-environment node
import { useQuery } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { getCurrentQueryClient, getQueryClient } from './client'
import { QueryProvider } from './provider'

const queryKey = ['sandbox', 'platform', 'payouts']

/** Renders a page on the server. `read` is the data that the server has read for it. */
function renderPage(person: string, read?: string): string {
  const Page = () => {
    const { data } = useQuery({ queryKey, queryFn: async () => 'fetched', initialData: read })
    return <p>{data ?? 'nothing'}</p>
  }
  return renderToString(
    <QueryProvider person={person}>
      <Page />
    </QueryProvider>,
  )
}

test('on the server each render has its own cache, so no page contains another person’s data', () => {
  expect(renderPage('omar', 'for Omar')).toBe('<p>for Omar</p>')
  expect(renderPage('rita')).toBe('<p>nothing</p>')
  expect(renderPage('omar')).toBe('<p>nothing</p>')
  expect(getQueryClient('omar')).not.toBe(getQueryClient('omar'))
  expect(getCurrentQueryClient()).toBeUndefined()
})
